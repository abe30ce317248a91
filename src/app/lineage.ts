import type { SessionStates } from "../store/session-states.ts";

/** Which session delegated to which: what holds for one holds for all that work for it, also in a later process. */
export class Lineage {
  readonly #states: () => SessionStates;
  readonly #parents = new Map<string, string>();

  constructor(states: () => SessionStates) {
    this.#states = states;
  }

  async delegate(child: string, parent: string): Promise<void> {
    this.#parents.set(child, parent);
    await this.#states().change(child, (known) => ({ ...known, parent }));
  }

  /** Finds out whom a session of an earlier process worked for. */
  async load(session: string): Promise<void> {
    if (this.#parents.has(session)) return;
    const parent = (await this.#states().get(session))?.["parent"];
    if (typeof parent !== "string") return;
    this.#parents.set(session, parent);
    await this.load(parent);
  }

  /** The session that a person speaks with. */
  top(session: string): string {
    const parent = this.#parents.get(session);
    return parent === undefined ? session : this.top(parent);
  }
}
