import { z } from "zod";
import { pathKind } from "../../code/files/path-kind.ts";
import type { Reference } from "../../code/resolve/reference.ts";
import { limitOf } from "../../code/syntax/parse-limit.ts";
import { type Declaration, qualifiedName } from "../../code/syntax/syntax.ts";
import { Failure } from "../../failure/failure.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions, nameAround } from "./code-answers.ts";
import { isShownIn, type Window } from "./line-window.ts";

export const callersOutput = z.object({
  name: z.string(),
  callers: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      within: z.string().optional(),
    }),
  ),
  more: z.number().describe("Calls beyond those that are listed"),
});
export type Callers = z.infer<typeof callersOutput>;

/** Limits: functions looked up per window and in total; functions reported, and calls of each. */
const mostOfWindow = 8;
const mostAsked = 20;
const mostTold = 8;
const mostCalls = 4;
/** A function that is called this often is a helper, and its callers explain nothing. */
const helper = 20;
/** The same for a name that occurs in this many files. */
const commonName = 25;
/** After so much work no further function is looked up. */
const patienceMs = 5_000;

type ReadWindow = Window & { symbol?: string | undefined };

/**
 * The callers of the functions that are shown, if the calls themselves are not shown: usually the next question. And which of
 * the functions that were asked for by name have callers that are not listed.
 */
export async function callersOf(
  code: Code,
  windows: readonly ReadWindow[],
  context: ToolContext,
): Promise<{ callers: Callers[]; unlisted: string[] }> {
  const limit = limitOf(patienceMs);
  const asked = new Map<string, { name: string; file: string; isNamed: boolean }>();
  for (const { symbol, ...window } of windows) {
    for (const declaration of await functionsIn(code, window)) {
      const name = qualifiedName(declaration);
      const isNamed = symbol?.split(/[.:#]+/).at(-1) === declaration.name;
      if (asked.size < mostAsked) asked.set(`${window.file}#${name}`, { name, file: window.file, isNamed });
    }
  }
  const told: (Callers & { file: string })[] = [];
  const unlisted: string[] = [];
  for (const { name, file, isNamed } of asked.values()) {
    const isLate = limit() !== undefined;
    const found = isLate ? "too many" : await callsOf(code, `${file}#${name}`, context);
    const calls = found === "too many" ? [] : found.filter((call) => !isInTests(call));
    const unseen = calls.filter((call) => !isShownIn(windows, call));
    const known = calls.length >= helper ? [] : unseen.filter(({ certain }) => certain);
    if (isNamed && known.length === 0 && (found === "too many" || unseen.length > 0)) unlisted.push(name);
    if (known.length === 0) continue;
    const callers = known.slice(0, known.length === mostCalls + 1 ? known.length : mostCalls).map(callerOf);
    const isTold = told.some((one) => sameCallers(one.callers, callers));
    if (!isTold) told.push({ name, file, callers, more: known.length - callers.length });
  }
  // Calls from other files are more informative: those in the same file are near what was read.
  const isFar = ({ file, callers }: { file: string; callers: Callers["callers"] }) =>
    callers.some((call) => call.file !== file);
  const callers = [...told.filter(isFar), ...told.filter((one) => !isFar(one))].slice(0, mostTold);
  return { callers: callers.map(({ file: _, ...one }) => one), unlisted };
}

/** A method and the interface that declares it have the same callers, which are named once. */
const sameCallers = (some: Callers["callers"], others: Callers["callers"]) =>
  some.length === others.length &&
  some.every(({ file, line }, at) => file === others[at]?.file && line === others[at]?.line);

const callerOf = ({ file, line, within }: Reference) => ({ file, line, ...(within && { within }) });

/** Tests are in separate files, or in a module beside the code they test. */
const isInTests = ({ file, within = "" }: Reference) =>
  pathKind(file) !== "source" || /^tests?\./.test(within);

/** What is said of functions whose callers are too many, or only possibly theirs. */
export const unlistedText = (names: readonly string[]): string =>
  `== callers not listed, many or only possible: ${visibleText(names.slice(0, mostTold).join(", "))}; references lists them`;

/** `name: a.ts:12 [caller], 40; b.ts:3 [other]` */
export function callersText({ name, callers, more }: Callers): string {
  const places = [...Map.groupBy(callers, ({ file }) => file)].map(([file, all]) => {
    const lines = [...Map.groupBy(all, ({ within }) => within)].map(
      ([within, some]) =>
        `${some.map(({ line }) => line).join(",")}${within ? ` [${nameAround(within)}]` : ""}`,
    );
    return `${file}:${lines.join(", ")}`;
  });
  return visibleText(`${name}: ${places.join("; ")}${more > 0 ? ` and ${more} more` : ""}`);
}

/** The longest functions that begin in the window and are mostly in it, in their order. */
async function functionsIn(code: Code, { file, lines, startLine }: Window): Promise<Declaration[]> {
  const parsed = await (await code()).outline(file).catch(() => undefined);
  const inside = (parsed?.syntax.declarations ?? []).filter(
    ({ kind, line, endLine }) =>
      (kind === "func" || kind === "method") &&
      line >= startLine &&
      (line + endLine) / 2 < startLine + lines.length,
  );
  const length = (one: Declaration) => one.endLine - one.line;
  const longest = [...inside].sort((a, b) => length(b) - length(a)).slice(0, mostOfWindow);
  return inside.filter((one) => longest.includes(one));
}

async function callsOf(code: Code, symbol: string, context: ToolContext): Promise<Reference[] | "too many"> {
  try {
    const { references, holders } = await (await code()).references(
      symbol,
      { mostFiles: commonName },
      codeOptions(context),
    );
    if (holders > commonName) return "too many";
    return references.filter(({ kind }) => kind !== "import");
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
