import type { ControlGroup, ControlGroups } from "../process/control-group.ts";
import type { Outcome } from "../process/process.ts";
import type { Running } from "../process/supervise.ts";
import { send } from "../process/tree.ts";
import { watch } from "../process/watchdog.ts";
import type { Limits, ReachedLimit } from "./policy.ts";

/** Holds one run to its memory and processes, by a control group or by looking, and knows which limit was met. */
export class LimitHolder implements AsyncDisposable {
  readonly #limits: Limits;
  readonly #group: ControlGroup | undefined;
  #running: Running | undefined;
  #child: number | undefined;
  #holds = false;
  #exceeded: "memory" | "processes" | undefined;
  #stopWatching = () => {};

  constructor(limits: Limits, groups: ControlGroups | undefined) {
    this.#limits = limits;
    this.#group = groups?.create({ memory: limits.memory, processes: limits.processes + 2 });
  }

  /** Whether the limits hold: without them the command does not start. */
  get holds(): boolean {
    return this.#holds;
  }

  start(running: Running): void {
    this.#running = running;
  }

  /** `child` is process 1 inside. */
  hold(child: number): void {
    this.#child = child;
    if (!this.#group) {
      this.#stopWatching = watch(child, this.#limits, (limit) => {
        this.#exceeded = limit;
        this.#running?.end("stopped");
      });
      this.#holds = true;
      return;
    }
    try {
      this.#group.add(child);
      this.#holds = true;
    } catch {
      this.#running?.end("stopped");
    }
  }

  /** When process 1 dies, all others inside die too; the stage outside continues and sends the changes. */
  end(): void {
    if (this.#child === undefined) this.endAll();
    else send(this.#child, "SIGKILL");
  }

  endAll(): void {
    if (this.#running) send(-this.#running.pid, "SIGKILL");
  }

  /**
   * The limit that ended the run or made the command fail. If the command succeeded, only memory is worth reporting.
   */
  met(ended: Outcome["ended"], exitCode: number | undefined, diskIsFull: boolean): ReachedLimit | null {
    if (ended === "timeout") return "time";
    if (ended === "output-limit") return "output";
    if (this.#exceeded) return this.#exceeded;
    const met = this.#group?.met();
    if (met?.memory) return "memory";
    if (exitCode === undefined || exitCode === 0) return null;
    if (exitCode === killedBy.SIGXCPU) return "cpu";
    if (exitCode === killedBy.SIGXFSZ) return "fileSize";
    return met?.processes ? "processes" : diskIsFull ? "disk" : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopWatching();
    await this.#group?.remove();
  }
}

/** Exit codes as a shell tells them. */
const killedBy = { SIGXCPU: 152, SIGXFSZ: 153 };
