import { createAnthropic } from "@ai-sdk/anthropic";
import { Failure } from "../failure/failure.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createAgent, type RunResult } from "./agent.ts";
import { systemClock } from "./clock.ts";
import { newSession } from "./log.ts";
import type { AgentParts } from "./parts.ts";
import { profiles, researchRunSteps } from "./profiles.ts";
import { finishReport } from "./report.ts";
import { describedTools, type Read, researchRunner, researchTools } from "./research-tools.ts";
import type { Source } from "./sources.ts";

/** Tokens a request may have: less than any current Claude model takes, with space for the answer. */
const contextBudget = 150_000;

/** Reads earlier research; never throws, what goes wrong is a result. */
export interface ResearchReader<Log> {
  readResearch(
    input: { path: string },
    options?: { signal?: AbortSignal; onCall?: (log: Log) => void },
  ): Promise<
    { ok: true; content: string; bytes: number } | { ok: false; error_type: string; message: string }
  >;
}

export interface ResearchClientOptions<Log> {
  apiKey: string;
  model: string;
  /** Where earlier research is read from; left out, `read_research` is not registered. */
  toolExecutor?: ResearchReader<Log>;
  /** Whether the log of every `read_research` call comes back with the result. */
  collectToolStats?: boolean;
  /** Another address than Anthropic's own. */
  baseURL?: string;
}

export interface ResearchResult<Log> {
  /** The answer; where Claude cited its search, with numbers and the list of sources that they refer to. */
  content: string;
  /** That list, in order. */
  sources: readonly Source[];
  inputTokens: number;
  outputTokens: number;
  steps: number;
  /** What each step used, in order; the sum is `inputTokens` and `outputTokens`. */
  usagePerStep: { inputTokens: number; outputTokens: number }[];
  toolStats?: Log[];
}

/**
 * One exploration with Claude: its own web search, and earlier research when there is some. It is a run of the agent with
 * the `research` profile, in a session that is kept in memory until the run is over.
 */
export class ResearchClient<Log> {
  readonly #options: ResearchClientOptions<Log>;

  constructor(options: ResearchClientOptions<Log>) {
    this.#options = options;
  }

  /** Rejects with the signal's reason, or with a failure that says why there is no answer. */
  async generate(
    prompt: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ResearchResult<Log>> {
    const { toolExecutor, collectToolStats = false } = this.#options;
    const toolStats: Log[] = [];
    const onCall = (log: Log) => toolStats.push(log);
    const read: Read | undefined =
      toolExecutor && ((input, stop) => toolExecutor.readResearch(input, { onCall, signal: stop }));
    const store = openSqliteStore(":memory:");
    let begun = 0;
    const usagePerStep: ResearchResult<Log>["usagePerStep"] = [];
    try {
      const agent = createAgent({
        ...this.#parts(store, read),
        emit: (event) => {
          if (event.type === "step-start") begun = event.step;
          if (event.type !== "step-end") return;
          const { inputTokens, outputTokens } = event.usage;
          usagePerStep.push({ inputTokens, outputTokens });
        },
      });
      const run = await agent.send(prompt, signal);
      signal.throwIfAborted();
      const answer = answerOf(run, begun);
      const isCited = run.sources.length > 0;
      const { text: content, sources } = isCited
        ? finishReport(answer, run.sources)
        : { text: answer, sources: [] };
      return {
        ...{ content, sources },
        inputTokens: run.usage.inputTokens,
        outputTokens: run.usage.outputTokens,
        steps: run.steps,
        usagePerStep,
        ...(collectToolStats && { toolStats }),
      };
    } finally {
      await store.close();
    }
  }

  #parts(store: Store, read: Read | undefined): Omit<AgentParts, "emit"> {
    const { apiKey, model, baseURL } = this.#options;
    const anthropic = createAnthropic({ apiKey, ...(baseURL !== undefined && { baseURL }) });
    // A result of read_research is exactly its structured payload: nothing is added to it.
    const profile = { ...profiles.research, cites: false };
    const steps = researchRunSteps;
    const clock = systemClock;
    const tools = researchTools(read);
    const serverTools = describedTools(tools, anthropic.tools.webSearch_20260318());
    return {
      profile,
      model: anthropic(model),
      modelName: model,
      tools,
      toolsNow: async () => tools,
      serverTools: () => serverTools,
      session: newSession(store, { workspace: "", agent: profile.name }, clock.now),
      limits: { steps },
      price: undefined,
      contextBudget,
      surroundings: {
        facts: [
          `Today is ${clock.now().toISOString().slice(0, 10)}.`,
          `You have ${steps} steps, the last one for your answer.`,
        ],
      },
      clock,
      mayContinue: undefined,
      runtime: researchRunner(tools, read),
      store,
      changes: async () => [],
      toolOf: (name) => tools.find((tool) => tool.name === name),
      budget: contextBudget,
      position: async () => 0,
    };
  }
}

/** The text of the run, if it is an answer; `begun` is the last step that was asked for. */
function answerOf({ stop, message, text, steps }: RunResult, begun: number): string {
  if (stop === "error") throw new Failure("UNAVAILABLE", message ?? "The model did not answer.");
  // What was said on the way to an answer that never came is none.
  if (begun > steps || text.trim() === "") {
    const why = message === undefined ? "" : ` ${message}`;
    const count = begun === 1 ? "one step" : `${begun} steps`;
    throw new Failure("UNAVAILABLE", `The model gave no answer in ${count}.${why} Try again.`);
  }
  return text;
}
