import { jsonSchema, type ToolSet } from "ai";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { inputSchemaOf } from "../registry/registry.ts";
import { untilAborted, withDeadline } from "../runtime/abort.ts";
import { parseInput } from "../runtime/parse-input.ts";
import { newId } from "../text/ids.ts";
import { defineTool } from "../tool/define-tool.ts";
import { failureOf, ok } from "../tool/result.ts";
import type { Tool } from "../tool/tool.ts";
import { readResearchForm } from "../tools/web/read-research.ts";
import type { StepOutcome, StepRunner } from "./run-calls.ts";

/** Reads a file of earlier research. */
export type Read = (input: { path: string }, signal: AbortSignal) => Promise<unknown>;

/**
 * `web_search`, which Anthropic runs, and `read_research` where there is something to read from. Neither changes anything
 * and nobody is asked, so they declare no effects.
 */
export function researchTools(read: Read | undefined): Tool[] {
  const webSearch = defineTool({
    name: "web_search",
    title: "Search the web",
    description: "Search the web.",
    category: "Research",
    input: z.object({ query: z.string() }),
    output: z.unknown(),
    execute: () => Promise.reject(new Failure("UNAVAILABLE", "Anthropic runs web_search itself.")),
  });
  if (!read) return [webSearch as Tool];
  const readResearch = defineTool({
    ...readResearchForm(),
    output: z.unknown(),
    execute: (input, { signal }) => read(input, signal),
    render: (value) => JSON.stringify(value),
  });
  return [webSearch as Tool, readResearch as Tool];
}

/** The tools as the model is given them: Anthropic's search, and ours with the limits of their input. */
export function describedTools(tools: readonly Tool[], webSearch: ToolSet[string]): ToolSet {
  const ours = tools.map((tool) => {
    const { name, description } = tool;
    return [name, { description, inputSchema: jsonSchema(inputSchemaOf(tool)) }] as const;
  });
  return { ...Object.fromEntries(ours), web_search: webSearch };
}

/** Runs calls of `read_research`, side by side. What goes wrong is a result that the model can read. */
export function researchRunner(tools: readonly Tool[], read: Read | undefined): StepRunner {
  const tool = tools.find(({ name }) => name === "read_research");
  async function run(name: string, input: unknown, signal: AbortSignal) {
    if (!tool || !read || name !== tool.name)
      throw new Failure("UNKNOWN_TOOL", `There is no tool named ${JSON.stringify(name)} to call.`);
    const parsed = readResearchForm().input.parse(parseInput(tool, input));
    return withDeadline(tool, signal, (inTime) => untilAborted(read(parsed, inTime), inTime));
  }
  return {
    step: (calls, { signal = new AbortController().signal } = {}) =>
      Promise.all(
        calls.map(async ({ id = newId("c"), tool: name, input }): Promise<StepOutcome> => {
          const result = await run(name, input, signal).then(ok, failureOf);
          const text = result.ok
            ? JSON.stringify(result.value)
            : `${result.error.code}: ${result.error.message}`;
          return { id, result, text, images: [], details: { changes: [], reach: { paths: [] } } };
        }),
      ),
  };
}
