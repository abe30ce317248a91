import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, isStepCount, type ToolSet, tool } from "ai";
import { z } from "zod";
import { adviceFor } from "./instructions.ts";
import { profiles, researchLimits } from "./profiles.ts";

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
  content: string;
  inputTokens: number;
  outputTokens: number;
  steps: number;
  toolStats?: Log[];
}

/** One exploration with Claude: its own web search, and earlier research when there is some. */
export class ResearchClient<Log> {
  readonly #options: ResearchClientOptions<Log>;

  constructor(options: ResearchClientOptions<Log>) {
    this.#options = options;
  }

  async generate(prompt: string, signal?: AbortSignal): Promise<ResearchResult<Log>> {
    const { apiKey, model, toolExecutor, collectToolStats = false, baseURL } = this.#options;
    const anthropic = createAnthropic({ apiKey, ...(baseURL !== undefined && { baseURL }) });
    const toolStats: Log[] = [];
    const tools: ToolSet = {
      web_search: anthropic.tools.webSearch_20260318(),
      ...(toolExecutor && { read_research: readResearch(toolExecutor, (log) => toolStats.push(log)) }),
    };
    const result = await generateText({
      model: anthropic(model),
      instructions: researchInstructions(new Set(Object.keys(tools))),
      prompt,
      tools,
      stopWhen: isStepCount(researchLimits.steps),
      maxOutputTokens: researchLimits.maxOutputTokens,
      ...(signal && { abortSignal: signal }),
    });
    return {
      content: result.text,
      inputTokens: result.totalUsage.inputTokens ?? 0,
      outputTokens: result.totalUsage.outputTokens ?? 0,
      steps: result.steps.length,
      ...(collectToolStats && { toolStats }),
    };
  }
}

export function researchInstructions(tools: ReadonlySet<string>): string {
  const { research } = profiles;
  return `${research.role}\n\nTools:\n${adviceFor(research, tools).join("\n")}`;
}

function readResearch<Log>(executor: ResearchReader<Log>, onCall: (log: Log) => void) {
  return tool({
    description:
      "Read a file of earlier research by its path below ideas/, for example 2026-01-12-solar-roof/research.md. At most 50 KB.",
    inputSchema: z.object({ path: z.string().min(1).max(200) }),
    execute: ({ path }, { abortSignal }) =>
      executor.readResearch({ path }, { onCall, ...(abortSignal && { signal: abortSignal }) }),
  });
}
