import { z } from "zod";
import type { LogEntry } from "../store/store.ts";
import type { LogData } from "./log.ts";
import { type Source, webSource } from "./sources.ts";

/** A search that was made, by a tool or by the provider itself. */
export interface Search {
  tool: string;
  query: string;
  results: Source[];
  /** Why there are no results. */
  failure?: string;
}

type Step = Extract<LogData, { kind: "step" }>;

/** Every search of a session, in order. */
export function searchesIn(entries: readonly LogEntry[]): Search[] {
  return entries.flatMap(({ data }) => {
    const entry = data as LogData;
    if (entry.kind === "step") return providerSearches(entry);
    if (entry.kind !== "results") return [];
    return entry.results.flatMap(({ tool, input, ok, text, sources = [] }) => {
      const query = queryInput.safeParse(input).data?.query;
      if (tool !== "web_search" || query === undefined) return [];
      return [{ tool, query, results: sources, ...(!ok && { failure: text }) }];
    });
  });
}

const queryInput = z.object({ query: z.string() });
const found = z.array(z.object({ url: z.string().catch(""), title: z.string().catch("") }));
/** What OpenAI reports of its search: the query comes with the result. */
const action = z.object({
  action: z.object({ query: z.string().optional(), queries: z.array(z.string()).optional() }),
  sources: found.catch([]),
});
const anthropicError = z.object({ errorCode: z.string() });

/** Searches that the provider ran itself in a step: the calls and results that its messages hold. */
export function providerSearches({ messages }: Pick<Step, "messages">): Search[] {
  const parts = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? content : [],
  );
  return parts.flatMap((part): Search[] => {
    if (part.type !== "tool-call" || !part.providerExecuted) return [];
    const result = parts.find(
      (other) => other.type === "tool-result" && other.toolCallId === part.toolCallId,
    );
    const output =
      result?.type === "tool-result" && "value" in result.output ? result.output.value : undefined;
    return [searchOf(part.toolName, part.input, output)];
  });
}

/** One search, as the provider reports it. */
export function searchOf(tool: string, input: unknown, output: unknown): Search {
  const told = action.safeParse(output).data;
  const { query = "", queries } = told?.action ?? {};
  const results = told ? told.sources : (found.safeParse(output).data ?? []);
  const failure = anthropicError.safeParse(output).data?.errorCode;
  return {
    tool,
    query: queryInput.safeParse(input).data?.query ?? queries?.join("; ") ?? query,
    results: results.flatMap(({ url, title }) => webSource(url, title)),
    ...(failure !== undefined && { failure }),
  };
}
