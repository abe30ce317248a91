import { deserialize, serialize } from "node:v8";
import { Failure } from "../failure/failure.ts";
import type { HeldRecords } from "../store/held.ts";
import type { Store } from "../store/store.ts";
import { newId } from "../text/ids.ts";
import { visibleLine } from "../text/visible.ts";
import { protectedFirst } from "../workspace/protected-first.ts";
import { isRepositoryData } from "../workspace/repository-data.ts";
import type { FileOperation, Plan } from "../workspace/workspace.ts";

/** More than this is not kept: a person can hardly judge it. */
export const mostHeldBytes = 64 * 1024 * 1024;

export interface HeldChange {
  operations: readonly FileOperation[];
  /** Which run wanted them. */
  description: string;
  /** What they do to the git repository, in words. */
  repository: string | undefined;
  /** The file states when the changes were held: later changes by a person are not overwritten. */
  seen: Plan["seen"];
}

/** The approval request for held changes. */
interface Question extends Pick<Plan, "files" | "seen"> {
  reasons: readonly string[];
}

/**
 * Changes of runs that wait for a person, in this process or a later one. Each has an open approval of the same id, so
 * it can be answered wherever approvals are listed.
 */
export class HeldChanges {
  readonly #records: HeldRecords;
  readonly #approvals: Pick<Store, "savePending" | "takePending">;
  readonly #workspace: string;
  /** How long they can be answered. */
  readonly #days: () => number;

  constructor(
    records: HeldRecords,
    approvals: Pick<Store, "savePending" | "takePending">,
    workspace: string,
    days: () => number = () => Number.POSITIVE_INFINITY,
  ) {
    this.#days = days;
    this.#records = records;
    this.#approvals = approvals;
    this.#workspace = workspace;
  }

  async hold(
    { operations, description, repository }: Omit<HeldChange, "seen">,
    { files, seen, reasons }: Question,
  ): Promise<string> {
    const id = newId("h");
    const data = serialize({ operations, seen, repository, at: Date.now() });
    await this.#records.save({ id, description, data });
    await this.#approvals.savePending({
      id,
      workspace: this.#workspace,
      tool: "apply_held_changes",
      args: { id },
      reason: [visibleLine(description), ...summaryOf(files), ...reasons].join(" — "),
      seen: Object.fromEntries(seen),
      at: new Date().toISOString(),
    });
    return id;
  }

  async get(id: string): Promise<HeldChange> {
    const held = await this.#records.get(id);
    const { at = Date.now(), ...kept } = held ? deserialize(held.data) : {};
    const isExpired = Date.now() - at > this.#days() * 24 * 60 * 60 * 1000;
    if (held && !isExpired) return { description: held.description, ...kept };
    if (isExpired) await this.drop(id);
    const known = (await this.#records.ids()).join(", ") || "none";
    throw new Failure(
      "INVALID_INPUT",
      `No changes are held under the id ${JSON.stringify(id)} (held: ${known}). They were applied or rejected, or are too old; run the code again to produce them again.`,
    );
  }

  async drop(id: string): Promise<void> {
    await this.#records.drop(id);
    await this.#approvals.takePending(id);
  }
}

const mostNames = 5;

/** The first names; the diff is shown where it is answered. */
function summaryOf(files: Plan["files"]): string[] {
  const shown = protectedFirst(
    files.filter(({ path, type }) => type !== "directory" && !isRepositoryData(path)),
  );
  if (shown.length === 0) return [];
  const names = shown.slice(0, mostNames).map(({ path, change }) => `${change} ${visibleLine(path)}`);
  return [[...names, ...(shown.length > mostNames ? [`${shown.length - mostNames} more`] : [])].join(", ")];
}

export function bytesOf(operations: readonly FileOperation[]): number {
  return operations.reduce(
    (sum, operation) => sum + (operation.op === "write" ? operation.bytes.length : 0),
    0,
  );
}
