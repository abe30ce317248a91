import { deserialize, serialize } from "node:v8";
import { Failure } from "../failure/failure.ts";
import type { HeldRecords } from "../store/held.ts";
import { newId } from "../text/ids.ts";
import type { FileOperation } from "../workspace/workspace.ts";

/** More than this is not kept: a person can hardly judge it. */
export const mostHeldBytes = 64 * 1024 * 1024;

export interface HeldChange {
  operations: readonly FileOperation[];
  /** Which run wanted them. */
  description: string;
}

/** Changes of runs that wait for a person, in this process or a later one. */
export class HeldChanges {
  readonly #records: HeldRecords;

  constructor(records: HeldRecords) {
    this.#records = records;
  }

  hold({ operations, description }: HeldChange): string {
    const id = newId("h");
    this.#records.save({ id, description, data: serialize(operations) });
    return id;
  }

  get(id: string): HeldChange {
    const held = this.#records.get(id);
    if (held) return { description: held.description, operations: deserialize(held.data) };
    const known = this.#records.ids().join(", ") || "none";
    throw new Failure(
      "INVALID_INPUT",
      `No changes are held under the id ${JSON.stringify(id)} (held: ${known}). They may have been applied already; run the code again to get them anew.`,
    );
  }

  drop(id: string): void {
    this.#records.drop(id);
  }
}

export function bytesOf(operations: readonly FileOperation[]): number {
  return operations.reduce(
    (sum, operation) => sum + (operation.op === "write" ? operation.bytes.length : 0),
    0,
  );
}
