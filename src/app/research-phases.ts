import type { RunResult } from "../agent/agent.ts";
import { finishedRun } from "../agent/finished-run.ts";
import type { Limits } from "../agent/limits.ts";
import { researchRunSteps } from "../agent/profiles.ts";
import type { ResearchGiven } from "../agent/research-log.ts";
import type { Source } from "../agent/sources.ts";
import { addUsage, noUsage } from "../agent/usage.ts";
import type { Asker } from "../approval/approval.ts";
import { escapeGlob } from "../approval/path-pattern.ts";
import type { Rule } from "../approval/rules.ts";
import { Failure } from "../failure/failure.ts";
import { modelChoices } from "../model/providers.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { Wield } from "./wield.ts";

export interface Phase {
  tools: readonly string[];
  limits?: Limits;
  /** How many phases share what is left of the limits. */
  share?: number;
  /** What the numbers in the prompt refer to. */
  sources?: readonly Source[];
}

interface Answer {
  text: string;
  sources: readonly Source[];
}

/** The runs of one research: each once, whichever process it was in. */
export class ResearchPhases {
  readonly #wield: Wield;
  readonly #given: ResearchGiven;
  readonly #asker: Asker;
  readonly #signal: AbortSignal;
  readonly #started = performance.now();
  readonly #sessions: string[] = [];
  #model = "";
  #steps = 0;
  #usage = noUsage;
  #costUsd: number | undefined;

  constructor(wield: Wield, given: ResearchGiven, asker: Asker, signal: AbortSignal) {
    this.#wield = wield;
    this.#given = given;
    this.#asker = asker;
    this.#signal = signal;
  }

  totals() {
    const cost = this.#costUsd === undefined ? {} : { costUsd: this.#costUsd };
    const [steps, usage] = [this.#steps, this.#usage];
    return { sessions: this.#sessions, model: this.#model, steps, usage, ...cost };
  }

  /** Before anything is recorded: opening an agent stores nothing. */
  async requireModel(): Promise<void> {
    const { model } = await this.#wield.agent(this.#agentOptions({ tools: [] }));
    if (model === "offline")
      throw new Failure("UNAVAILABLE", `Research needs a language model. The choices:\n${modelChoices()}`);
    this.#model = model;
  }

  /** The answer of a phase; a phase without one is a failure. */
  async run(id: string, prompt: string, phase: Phase): Promise<Answer> {
    this.#sessions.push(id);
    const { store } = this.#wield;
    const record = await store.session(id);
    const finished = record && finishedRun(await store.entries(id));
    if (finished) {
      this.#count(finished);
      return finished;
    }
    const agent = await this.#wield.agent({
      ...this.#agentOptions(phase),
      ...(record ? { session: id } : { newSession: id }),
    });
    const message = { text: prompt, sources: phase.sources ?? [] };
    const result = await (record ? agent.resume(this.#signal) : agent.send(message, this.#signal));
    this.#count(result);
    this.#signal.throwIfAborted();
    if (result.stop === "error")
      throw new Failure("UNAVAILABLE", result.message ?? "The model did not answer.");
    if (result.text.trim() === "") throw new Failure("UNAVAILABLE", noAnswer(result));
    return result;
  }

  #agentOptions({ tools: only, limits, share = 1 }: Phase): AgentOptions {
    const { model, read } = this.#given;
    return {
      profile: "research",
      tools: only,
      limits: { steps: researchRunSteps, ...limits, ...this.#limitsLeft(share) },
      asker: this.#asker,
      rules: [readingRule(["ideas", ...read])],
      notes: false,
      // The report has one list for all phases.
      listsSources: false,
      ...(model !== undefined && { model }),
    };
  }

  /** Steps are counted for each run; tokens, cost and time for all together. */
  #limitsLeft(share: number): Limits {
    const { steps, tokens, costUsd, seconds } = this.#given.limits;
    const { inputTokens, outputTokens } = this.#usage;
    const elapsed = (performance.now() - this.#started) / 1000;
    return {
      ...(steps !== undefined && { steps }),
      ...(tokens !== undefined && {
        tokens: Math.max(1, Math.floor((tokens - inputTokens - outputTokens) / share)),
      }),
      ...(costUsd !== undefined && { costUsd: Math.max(1e-9, (costUsd - (this.#costUsd ?? 0)) / share) }),
      ...(seconds !== undefined && { seconds: Math.max(1, seconds - elapsed) }),
    };
  }

  #count({ steps, usage, costUsd }: Pick<RunResult, "steps" | "usage" | "costUsd">): void {
    this.#steps += steps;
    this.#usage = addUsage(this.#usage, usage);
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
  }
}

/** Denies reading everything but these folders and files. */
function readingRule(paths: readonly string[]): Rule {
  const [only = "", ...more] = paths.map((path) => escapeGlob(path.replace(/^\.\/|\/+$/g, "")));
  const pattern = more.length === 0 ? only : `{${[only, ...more].join(",")}}`;
  const reason = `a research reads nothing of the workspace but ${paths.join(", ")}`;
  return { decision: "deny", path: `!${pattern}/**`, reason };
}

function noAnswer({ steps, message }: RunResult): string {
  const why = message === undefined ? "" : ` ${message}`;
  return `The model gave no answer in ${steps === 1 ? "one step" : `${steps} steps`}.${why} Try again.`;
}
