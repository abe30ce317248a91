import type { KeptChange, KeptChanges } from "../store/kept-changes.ts";
import { sha256 } from "../text/digest.ts";
import { newId } from "../text/ids.ts";
import type { Authorship, FileOperation, WholeWorkspace } from "../workspace/workspace.ts";

type By = Pick<Authorship, "callId" | "tool" | "description">;
type KeptOperation =
  | Exclude<FileOperation, { op: "write" }>
  | (Omit<WriteOperation, "bytes"> & { hash: string });
type WriteOperation = Extract<FileOperation, { op: "write" }>;
type Kept =
  | { kind: "apply"; by: By; operations: KeptOperation[] }
  | { kind: "reverse"; by: By; direction: "undo" | "redo"; changes: string[] };

/**
 * A workspace whose changes are kept elsewhere before the call that made them returns. What cannot be kept must not count: `lost` is
 * told, because the files here are then ahead of what another worker would find.
 */
export function keepingWork(
  workspace: WholeWorkspace,
  session: string,
  kept: KeptChanges,
  lost: (error: unknown) => void,
): WholeWorkspace {
  const keep = async (id: string, at: string, data: Kept, contents: ReadonlyMap<string, Uint8Array>) => {
    try {
      await kept.add(session, { id, at, data }, contents);
    } catch (error) {
      lost(error);
      throw error;
    }
  };
  const apply: WholeWorkspace["apply"] = async (operations, by) => {
    const change = await workspace.apply(operations, by);
    // Caches and build output are made again where they are needed.
    if (by.ignored) return change;
    const contents = new Map<string, Uint8Array>();
    const stored = operations.map((operation): KeptOperation => {
      if (operation.op !== "write") return operation;
      const { bytes, ...rest } = operation;
      const hash = sha256(bytes);
      contents.set(hash, bytes);
      return { ...rest, hash };
    });
    await keep(change.id, change.at, { kind: "apply", by: byOf(by), operations: stored }, contents);
    return change;
  };
  const reverse: WholeWorkspace["reverse"] = async (direction, which, by) => {
    const changes = await workspace.reverse(direction, which, by);
    const ids = changes.map(({ id }) => id);
    const data: Kept = { kind: "reverse", by: byOf(by), direction, changes: ids };
    await keep(newId("r"), new Date().toISOString(), data, new Map());
    return changes;
  };
  return new Proxy(workspace, {
    get(target, name) {
      if (name === "apply") return apply;
      if (name === "reverse") return reverse;
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Does all kept changes of a session again, in order, on the files that it began with. */
export async function replayWork(
  workspace: Pick<WholeWorkspace, "apply" | "reverse">,
  changes: readonly KeptChange[],
  kept: Pick<KeptChanges, "contents">,
): Promise<void> {
  for (let at = 0; at < changes.length; at += loadedAtOnce) {
    const next = changes.slice(at, at + loadedAtOnce);
    const contents = await kept.contents(next.flatMap(({ data }) => hashesIn(data as Kept)));
    for (const { id, data } of next) {
      const change = data as Kept;
      if (change.kind === "reverse")
        await workspace.reverse(change.direction, { changeId: change.changes }, change.by);
      else {
        const operations = change.operations.map((one) => operationOf(one, contents, id));
        await workspace.apply(operations, { ...change.by, changeId: id });
      }
    }
  }
}

/** Changes whose contents are fetched with one question. */
const loadedAtOnce = 20;

function hashesIn(change: Kept): string[] {
  if (change.kind === "reverse") return [];
  return change.operations.flatMap((operation) => (operation.op === "write" ? operation.hash : []));
}

function operationOf(
  operation: KeptOperation,
  contents: ReadonlyMap<string, Uint8Array>,
  change: string,
): FileOperation {
  if (operation.op !== "write") return operation;
  const { hash, ...rest } = operation;
  const bytes = contents.get(hash);
  if (!bytes) throw new Error(`The content ${hash} of the change ${change} is not kept.`);
  return { ...rest, bytes };
}

function byOf({ callId, tool, description }: Authorship): By {
  return { callId, tool, description };
}
