import type { Usage } from "../events/agent-events.ts";
import type { Spent } from "./limits.ts";
import { addUsage, noUsage } from "./usage.ts";

interface Run {
  spent(): Spent;
}

/** The delegated runs of the current step: their usage counts while they are running. */
export class DelegatedRuns {
  readonly #runs = new Set<Run>();

  add(run: Run): void {
    this.#runs.add(run);
  }

  usage(): Usage {
    return [...this.#runs].map((run) => run.spent().usage).reduce(addUsage, noUsage);
  }

  /** Their reports are in the conversation, with what they used. */
  reported(): void {
    this.#runs.clear();
  }
}
