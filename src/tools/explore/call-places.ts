import { z } from "zod";
import { isComment } from "../../code/search/shown-lines.ts";
import { isClosing } from "../../code/search/unfolded-lines.ts";
import { codeLines } from "../../text/code-lines.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions, nameAround } from "./code-answers.ts";
import { linesOf } from "./line-window.ts";
import type { Callers } from "./named-callers.ts";

export const callPlaceOutput = z.object({
  name: z.string().describe("What is called"),
  within: z.string(),
  file: z.string(),
  lines: z
    .array(z.tuple([z.number(), z.string()]))
    .describe("The nearest condition or loop around the call, and the line of the call, with their numbers"),
});
export type CallPlace = z.infer<typeof callPlaceOutput>;

/** A function with more callers than this is not explained by one of them. */
const fewCallers = 2;
const mostPlaces = 3;
const widest = 240;
/** The condition around the call is looked for within so many lines before it. */
const farthestHead = 300;

/** The few calls of what was read with the condition around each, where they speak of what the caller is after: they say when it happens. */
export async function callPlaces(
  code: Code,
  callers: readonly Callers[],
  context: ToolContext,
): Promise<CallPlace[]> {
  if (!context.topic) return [];
  const relevance = await (await code()).relevanceTo(context.topic, codeOptions(context));
  const found: (CallPlace & { weight: number })[] = [];
  for (const { name, callers: calls, more } of callers) {
    if (calls.length + more > fewCallers) continue;
    for (const { file, line, within } of calls) {
      if (within === undefined || found.some((one) => isIn(one, file, line))) continue;
      const lines = await callWithHead(code, file, line, context);
      const weight = relevance(lines.map(([, text]) => text).join("\n"));
      if (weight > 0) found.push({ name, within, file, lines, weight });
    }
  }
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostPlaces)
    .map(({ weight: _, ...place }) => place);
}

const isIn = ({ file, lines }: CallPlace, path: string, line: number) =>
  file === path && lines.some(([number]) => number === line);

/** The callers but those whose call is shown. */
export const callersNotIn = (places: readonly CallPlace[], all: readonly Callers[]): Callers[] =>
  all
    .map((one) => ({
      ...one,
      callers: one.callers.filter(({ file, line }) => !places.some((place) => isIn(place, file, line))),
    }))
    .filter(({ callers, more }) => callers.length + more > 0);

/** The line of the call, below the nearest line of the same function that it is indented below. */
async function callWithHead(
  code: Code,
  file: string,
  line: number,
  context: ToolContext,
): Promise<[number, string][]> {
  const { syntax } = (await (await code()).outline(file).catch(() => undefined)) ?? {};
  const inner = (syntax?.declarations ?? []).findLast(
    (one) => /^(?:func|method)$/.test(one.kind) && one.startLine <= line && one.endLine >= line,
  );
  const from = Math.min(line, Math.max((inner?.line ?? line) + 1, line - farthestHead));
  const window = { file, start_line: from, num_lines: line - from + 1 };
  const { lines } = await linesOf(context.workspace, window, farthestHead + 1);
  const depth = (text: string) => text.length - text.trimStart().length;
  const call = lines.at(-1) ?? "";
  const isHead = (text: string) =>
    text.trim() !== "" && !isClosing(text) && !isComment(text) && depth(text) < depth(call);
  const head = lines.slice(0, -1).findLastIndex(isHead);
  return [...(head < 0 ? [] : [[from + head, lines[head] ?? ""] as [number, string]]), [line, call]];
}

export const callPlacesText = (places: readonly CallPlace[]): string[] =>
  places.flatMap(({ name, within, file, lines }) => [
    visibleText(`== ${file} [${nameAround(within)}] calls ${name}`),
    ...codeLines(
      lines.map(([number, line]) => ({ number, line })),
      { widest },
    ).map(({ text }) => text),
  ]);
