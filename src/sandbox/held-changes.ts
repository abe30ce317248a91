import { randomBytes } from "node:crypto";
import { Failure } from "../events/failure.ts";
import type { FileOperation } from "../workspace/workspace.ts";

export interface HeldChange {
  operations: readonly FileOperation[];
  /** Which run wanted them. */
  description: string;
}

/** Changes of runs that wait for a person, while this process lives. The oldest make room for new ones. */
export class HeldChanges {
  readonly #held = new Map<string, HeldChange>();

  hold(change: HeldChange): string {
    const id = `h_${randomBytes(4).toString("hex")}`;
    this.#held.set(id, change);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= 32) break;
      this.#held.delete(oldest);
    }
    return id;
  }

  get(id: string): HeldChange {
    const held = this.#held.get(id);
    if (held) return held;
    const known = [...this.#held.keys()].join(", ") || "none";
    throw new Failure(
      "INVALID_INPUT",
      `No changes are held under the id ${JSON.stringify(id)} (held: ${known}). They may have been applied already; run the code again to get them anew.`,
    );
  }

  drop(id: string): void {
    this.#held.delete(id);
  }
}
