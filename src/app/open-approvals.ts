import { Failure } from "../failure/failure.ts";
import type { PendingApproval, Store } from "../store/store.ts";

const day = 24 * 60 * 60 * 1000;

/** The open approval requests of a folder. Old ones are dropped, with the data held for them. */
export class OpenApprovals {
  readonly #store: Store;
  readonly #workspace: string;
  readonly #days: () => number;

  constructor(store: Store, workspace: string, days: () => number) {
    this.#store = store;
    this.#workspace = workspace;
    this.#days = days;
  }

  async list(): Promise<PendingApproval[]> {
    const here = (await this.#store.pending()).filter(({ workspace }) => workspace === this.#workspace);
    const oldest = new Date(Date.now() - this.#days() * day).toISOString();
    for (const { id, at } of here) if (at < oldest) await this.#drop(id);
    return here.filter(({ at }) => at >= oldest);
  }

  /** One of them by its id or the beginning of it. */
  async find(wanted: string): Promise<PendingApproval> {
    const open = await this.list();
    const exact = open.find(({ id }) => id === wanted);
    const [found, ...more] = exact ? [exact] : open.filter(({ id }) => id.startsWith(wanted));
    if (found && more.length === 0) return found;
    const ids = (found ? [found, ...more] : open).map(({ id }) => id).join(", ") || "none";
    const message = found
      ? `${wanted} is the beginning of several ids: ${ids}.`
      : `No approval request is pending under the id ${wanted}. Open: ${ids}. Unanswered ones expire after ${this.#days()} days.`;
    throw new Failure("INVALID_INPUT", message);
  }

  async #drop(id: string): Promise<void> {
    await this.#store.takePending(id);
    await this.#store.held(this.#workspace).drop(id);
  }
}
