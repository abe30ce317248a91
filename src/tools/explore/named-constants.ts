import { z } from "zod";
import { familyOfLanguage, languageOf } from "../../code/languages/languages.ts";
import { Failure } from "../../failure/failure.ts";
import { codeLine, leftOut } from "../../text/code-lines.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { mainOf } from "./declaration-body.ts";
import { isShownIn, type Lines, linesOf } from "./line-window.ts";

export const constantOutput = z.object({
  file: z.string(),
  line: z.number(),
  endLine: z.number(),
  text: z.string().describe("The line that declares it"),
});
export type Constant = z.infer<typeof constantOutput>;

const mostConstants = 6;
const mostNamesAsked = 12;
const widest = 150;
/** A longer line was written by a program; patterns take long with it. */
const longLine = 300;

/** A constant that the lines name, and whether they compare it or calculate with it. */
interface Named {
  constant: Constant;
  decides: boolean;
}

/**
 * The constants that the shown code names and does not show: their values decide what the code does. Those first that it
 * compares or calculates with; where it is known what the caller is after, others only if they are numbers or speak of that.
 */
export async function constantsNamed(
  code: Code,
  shown: readonly Lines[],
  context: ToolContext,
): Promise<Constant[]> {
  const lines = shown.flatMap((one) => one.lines);
  const own = await ownConstants(code, shown);
  const found = new Map<string, Named>();
  for (const [name, constant] of own) found.set(name, { constant, decides: decides(lines, name) });
  for (const [name, constant] of await otherConstants(code, shown, new Set(own.keys()), context))
    found.set(name, { constant, decides: decides(lines, name) });
  const relevance = context.topic
    ? await (await code()).relevanceTo(context.topic, codeOptions(context))
    : undefined;
  const isTelling = ({ constant: { text } }: Named) =>
    relevance === undefined || /=.*\d/.test(text) || relevance(text) > 0;
  const all = [...found.values()];
  return [...all.filter((one) => one.decides), ...all.filter((one) => !one.decides && isTelling(one))]
    .slice(0, mostConstants)
    .map(({ constant }) => constant);
}

/** Whether a line compares the constant, calculates with it, or branches on it. */
function decides(lines: readonly string[], name: string): boolean {
  const word = `(?:[\\w$]+(?:\\.|::))*${RegExp.escape(name)}(?![\\w$])`;
  const pattern = new RegExp(
    `(?:[<>+*/%-]|[=!<>]=)\\s*${word}|(?<![\\w$])${word}\\)?\\s*(?:[<>+*/%]|-(?!>)|[=!]=)|^\\s*(?:\\}?\\s*else\\s+)?(?:if|elif|while|case|when|return|assert)\\b.*(?<![\\w$])${word}`,
  );
  return lines.some((line) => line.length <= longLine && line.includes(name) && pattern.test(line));
}

/** Constants of other files, by names in capitals. */
async function otherConstants(
  code: Code,
  shown: readonly Lines[],
  known: ReadonlySet<string>,
  context: ToolContext,
): Promise<Map<string, Constant>> {
  const found = new Map<string, Constant>();
  const named = shown.flatMap(({ file, lines }) =>
    (lines.join("\n").match(/(?<![\w.:$])[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? []).map((name) => ({
      name,
      file,
    })),
  );
  const byName = Map.groupBy(named, ({ name }) => name);
  const asked = [...byName].filter(([name]) => !known.has(name)).slice(0, mostNamesAsked);
  for (const [name, places] of asked) {
    const main = await definitionOf(code, name, context);
    if (!main || isShownIn(shown, { file: main.file, line: main.declaration.line })) continue;
    // A name in capitals means another thing in another language.
    if (!places.some(({ file }) => familyOf(file) === familyOf(main.file))) continue;
    const { line, endLine, kind } = main.declaration;
    if (kind !== "const" && kind !== "var" && kind !== "field") continue;
    const window = { file: main.file, start_line: line, num_lines: 1 };
    const { lines } = await linesOf(context.workspace, window);
    found.set(name, { file: main.file, line, endLine, text: lines[0] ?? "" });
  }
  return found;
}

/** Constants of the very files, whatever their names look like; what is computed by a call is more than a value. */
async function ownConstants(code: Code, shown: readonly Lines[]): Promise<Map<string, Constant>> {
  const found = new Map<string, Constant>();
  for (const [file, parts] of Map.groupBy(shown, (one) => one.file)) {
    const { syntax, source = "" } = (await (await code()).outline(file).catch(() => undefined)) ?? {};
    const written = source.split("\n");
    const words = new Set(
      parts.flatMap(({ lines }) => lines.join("\n").match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
    );
    for (const { name, kind, owner, line, endLine, signature } of syntax?.declarations ?? []) {
      const isValue =
        kind === "const" && owner === undefined && line === endLine && /=[^(]+$/.test(signature);
      if (isValue && words.has(name) && !isShownIn(shown, { file, line }))
        found.set(name, { file, line, endLine, text: written[line - 1] ?? "" });
    }
  }
  return found;
}

/** `file:line⇥the line`, and how many lines of the value follow. */
export const constantsText = (constants: readonly Constant[]): string[] =>
  constants.length === 0
    ? []
    : [
        "== constants named above",
        ...constants.flatMap(({ file, line, endLine, text }) => [
          `${file}:${codeLine({ number: line, line: text }, widest)}`,
          ...(endLine > line ? [leftOut(endLine - line)] : []),
        ]),
      ];

function familyOf(file: string): string | undefined {
  const language = languageOf(file);
  return language && familyOfLanguage(language.name);
}

async function definitionOf(code: Code, name: string, context: ToolContext) {
  try {
    const { found } = await (await code()).definitions(name, undefined, codeOptions(context));
    return mainOf(found.filter(({ distance }) => distance === 0));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
