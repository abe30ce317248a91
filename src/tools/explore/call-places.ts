import { z } from "zod";
import { isComment } from "../../code/search/shown-lines.ts";
import { isClosing } from "../../code/search/unfolded-lines.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions, nameAround } from "./code-answers.ts";
import { isShownIn, linesOf, type Window } from "./line-window.ts";
import type { Callers } from "./named-callers.ts";
import { printed, readingLines } from "./reading-text.ts";

export const callPlaceOutput = z.object({
  name: z.string().describe("What is called"),
  within: z.string(),
  file: z.string(),
  startLine: z.number(),
  lines: z.array(z.string()),
  heads: z
    .array(z.tuple([z.number(), z.string()]))
    .describe("Lines before them that the call is inside of: conditions and loops"),
});
export type CallPlace = z.infer<typeof callPlaceOutput>;

/** A function with more callers than this is not explained by one of them. */
const fewCallers = 2;
/** Places that are shown, and the lines around each call. */
const mostPlaces = 3;
const around = { before: 6, after: 12 };
/** Conditions and loops around the call are looked for within so many lines before it. */
const farthestHead = 300;
/** A place that speaks less of what the caller is after than this share of the best is left out. */
const wellBelow = 0.5;

/** The lines around the few calls of what was read, where it is known what the caller is after: they say when it happens. */
export async function callPlaces(
  code: Code,
  callers: readonly Callers[],
  windows: readonly Window[],
  context: ToolContext,
): Promise<CallPlace[]> {
  if (!context.topic) return [];
  const relevance = await (await code()).relevanceTo(context.topic, codeOptions(context));
  const found: (CallPlace & { weight: number })[] = [];
  for (const { name, callers: calls, more } of callers) {
    if (calls.length + more > fewCallers) continue;
    for (const { file, line, within, possible } of calls) {
      if (possible || within === undefined || found.some((one) => isIn(one, file, line))) continue;
      const place = await placeAround(code, { name, file, line, within }, windows, context);
      const words = [...place.heads.map(([, text]) => text), ...place.lines];
      found.push({ ...place, weight: relevance(words.join("\n")) });
    }
  }
  const best = Math.max(0, ...found.map(({ weight }) => weight));
  return found
    .filter(({ weight }) => weight > 0 && weight >= best * wellBelow)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostPlaces)
    .map(({ weight: _, ...place }) => place);
}

const isIn = ({ file, startLine, lines }: CallPlace, path: string, line: number) =>
  file === path && line >= startLine && line < startLine + lines.length;

/** The callers but those whose call is shown. */
export const callersNotIn = (places: readonly CallPlace[], all: readonly Callers[]): Callers[] =>
  all
    .map((one) => ({
      ...one,
      callers: one.callers.filter(({ file, line }) => !places.some((place) => isIn(place, file, line))),
    }))
    .filter(({ callers, more }) => callers.length + more > 0);

/** Some lines before and after the call, none outside of the function around it and none that are shown anyway. */
async function placeAround(
  code: Code,
  call: { name: string; file: string; line: number; within: string },
  windows: readonly Window[],
  context: ToolContext,
): Promise<CallPlace> {
  const { name, file, line, within } = call;
  const { syntax } = (await (await code()).outline(file).catch(() => undefined)) ?? {};
  const functions = (syntax?.declarations ?? []).filter(
    (one) => /^(?:func|method)$/.test(one.kind) && one.startLine <= line && one.endLine >= line,
  );
  const inner = functions.at(-1);
  const isShown = (one: number) => isShownIn(windows, { file, line: one });
  let [first, last] = [line, line];
  const start = Math.max(inner?.startLine ?? 1, line - around.before);
  const end = Math.min(inner?.endLine ?? line + around.after, line + around.after);
  while (first > start && !isShown(first - 1)) first--;
  while (last < end && !isShown(last + 1)) last++;
  const from = Math.max(inner?.startLine ?? first, first - farthestHead);
  const window = { file, start_line: from, num_lines: last - from + 1 };
  const { lines } = await linesOf(context.workspace, window, farthestHead + last - first + 1);
  const before = lines.slice(0, first - from);
  const shown = lines.slice(first - from);
  const heads = headsOf(before, shown).map(({ index, text }): [number, string] => [from + index, text]);
  return { name, within, file, startLine: first, lines: shown, heads };
}

/** The lines that what follows is indented below, outermost first. */
function headsOf(before: readonly string[], shown: readonly string[]): { index: number; text: string }[] {
  const indent = (line: string) => line.length - line.trimStart().length;
  const isCode = (line: string) => line.trim() !== "" && !isClosing(line);
  let least = Math.min(...shown.filter(isCode).map(indent));
  const heads: { index: number; text: string }[] = [];
  for (const [index, text] of [...before.entries()].reverse()) {
    if (!isCode(text) || isComment(text) || indent(text) >= least) continue;
    least = indent(text);
    heads.unshift({ index, text: text.trim() });
  }
  return heads;
}

export function callPlacesText(places: readonly CallPlace[]): string[] {
  return places.flatMap(({ name, within, file, startLine, lines, heads }) => [
    visibleText(`== ${file} [${nameAround(within)}] calls ${name}`),
    ...heads.map(([line, text]) => `${line}\t${visibleText(text)} …`),
    ...printed(readingLines(lines, startLine)).map(({ text }) => visibleText(text)),
  ]);
}
