import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { cutLine } from "../../text/code-lines.ts";
import { decodeText } from "../../text/decode.ts";
import { splitLines } from "../../text/lines.ts";
import { visibleText } from "../../text/visible.ts";
import { skipped } from "../../tool/skipped-names.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, nameAround } from "./code-answers.ts";
import type { SearchRequest } from "./match-collector.ts";
import { readMatchCursor, writeMatchCursor } from "./match-cursor.ts";
import { searchText } from "./text-search.ts";

/** What `grep` and `search_files` find alike. */
export const matchOutput = z.object({
  file: z.string(),
  line: z.number(),
  text: z.string(),
  within: z.string().optional().describe("The function or type around it"),
  before: z.array(z.string()).optional().describe("Lines before it, when context was asked for"),
  after: z.array(z.string()).optional(),
});
export type TextMatch = z.infer<typeof matchOutput>;

export interface MatchRequest extends Omit<SearchRequest, "after"> {
  cursor?: string | undefined;
  /** Lines around each match. */
  context?: number | undefined;
}

export interface FoundMatches {
  matches: TextMatch[];
  files: { file: string; count: number }[];
  total: number;
  nextCursor?: string;
  notText?: { count: number; names: string[] };
}

/** One page of matching lines with the functions around them; totals are those of all pages. */
export async function findMatches(
  code: Code,
  { cursor, context: around = 0, ...request }: MatchRequest,
  context: ToolContext,
): Promise<FoundMatches> {
  // ripgrep follows a link that it is given by name: it gets the place itself, which the jail has found to be inside.
  const { type, path } = await context.workspace.resolve(request.path);
  if (type === "other")
    throw new Failure("INVALID_PATH", `${request.path} is neither a file nor a directory.`);
  const after = cursor === undefined ? undefined : readMatchCursor(cursor);
  const found = await searchText(code, { ...request, path, after }, context);
  const names = await (await code()).enclosingNames(found.matches, context);
  const matches: TextMatch[] = found.matches.map((match, index) => {
    const within = names[index];
    return { ...match, ...(within && { within }) };
  });
  const last = found.matches.at(-1);
  const more = found.total - found.before > found.matches.length;
  return {
    matches: around > 0 ? await withContext(matches, around, context) : matches,
    files: [...found.perFile].map(([file, count]) => ({ file, count })),
    total: found.total,
    ...(more && last && { nextCursor: writeMatchCursor(last) }),
    ...skipped(found.notText ?? []),
  };
}

async function withContext(
  matches: readonly TextMatch[],
  around: number,
  { workspace }: ToolContext,
): Promise<TextMatch[]> {
  const texts = new Map<string, string[]>();
  for (const { file } of matches) {
    if (texts.has(file)) continue;
    const text = await workspace.read(file).then(
      ({ bytes }) => decodeText(bytes),
      () => undefined,
    );
    texts.set(file, text === undefined ? [] : splitLines(text));
  }
  return matches.map((match) => {
    const lines = texts.get(match.file) ?? [];
    const short = (some: string[]) => some.map((line) => line.slice(0, 300));
    return {
      ...match,
      before: short(lines.slice(Math.max(0, match.line - 1 - around), match.line - 1)),
      after: short(lines.slice(match.line, match.line + around)),
    };
  });
}

/**
 * Matches by file, each with the function or type around it; indented as in the file. `which` says how those were chosen
 * that are shown of a file with more.
 */
export function groupedMatches(
  matches: readonly TextMatch[],
  width: number,
  countOf: (file: string) => number = () => 0,
  which = "first",
): string[] {
  const linesOf = hasContext(matches)
    ? linesWithContext
    : matches.length > fewMatches
      ? joinedLines
      : eachLine;
  return [...Map.groupBy(matches, (match) => match.file)].flatMap(([file, all]) => {
    const count = countOf(file);
    const head = count > all.length ? `${file} (${which} ${all.length} of ${count})` : file;
    return [visibleText(head), ...linesOf(all, width)];
  });
}

/** Up to this many matches, each has a row of its own. */
const fewMatches = 16;
/** Among more, so many of one function have their text; of the others the numbers are told. */
const mostOfFunction = 4;

const hasContext = (matches: readonly TextMatch[]) =>
  matches.some(({ before = [], after = [] }) => before.length + after.length > 0);

const nameOf = (within: string | undefined) => (within ? ` [${nameAround(within)}]` : "");

/** `  12: [name] text`; the name only where it is not that of the line before. */
function eachLine(matches: readonly TextMatch[], width: number): string[] {
  const textOf = shallowText(matches, width);
  return matches.map(({ line, text, within }, at) => {
    const isSame = within === matches[at - 1]?.within;
    return `  ${line}:${isSame ? "" : nameOf(within)} ${textOf(text)}`;
  });
}

/** `  12, 40: [name, other] text … also 41, 44`: lines that read the same are one row, and so are further lines of a function. */
function joinedLines(matches: readonly TextMatch[], width: number): string[] {
  let last: string | undefined;
  return rowsOf(matches).map(({ same, further }) => {
    const around = [...new Set(same.map(({ within }) => within))];
    const isKnown = around.length === 1 && around[0] === last;
    last = around.length === 1 ? around[0] : undefined;
    const names = isKnown ? [] : around.filter((name) => name !== undefined).map(nameAround);
    const lines = same.map(({ line }) => line).join(", ");
    const text = cutLine(visibleText((same[0]?.text ?? "").trim()), width);
    const more = further.length > 0 ? ` … also ${further.map(({ line }) => line).join(", ")}` : "";
    return `  ${lines}:${names.length > 0 ? ` [${names.join(", ")}]` : ""} ${text}${more}`;
  });
}

interface Row {
  /** Lines with the same text. */
  same: TextMatch[];
  /** Lines of the same function with other texts. */
  further: TextMatch[];
}

function rowsOf(matches: readonly TextMatch[]): Row[] {
  const rows: Row[] = [];
  for (const match of matches) {
    const same = rows.find((row) => row.same[0]?.text.trim() === match.text.trim());
    const ofFunction = rows.filter((row) => row.same.some(({ within }) => within === match.within));
    const last = ofFunction.at(-1);
    if (same) same.same.push(match);
    else if (last && match.within !== undefined && ofFunction.length >= mostOfFunction)
      last.further.push(match);
    else rows.push({ same: [match], further: [] });
  }
  return rows;
}

/** Without the lines in between, deep indentation carries no extra information. */
function shallowText(matches: readonly TextMatch[], width: number): (text: string) => string {
  const indent = commonIndent(matches.map(({ text }) => text));
  return (text) =>
    cutLine(
      visibleText(
        text
          .slice(indent)
          .trimEnd()
          .replace(/^\s{5,}/, "    "),
      ),
      width,
    );
}

function linesWithContext(matches: readonly TextMatch[], width: number): string[] {
  const lines = new Map<number, { text: string; isMatch: boolean; within?: string | undefined }>();
  for (const { line, text, within, before = [], after = [] } of matches) {
    before.forEach((one, i) => {
      const at = line - before.length + i;
      if (!lines.has(at)) lines.set(at, { text: one, isMatch: false });
    });
    lines.set(line, { text, isMatch: true, within });
    after.forEach((one, i) => {
      if (!lines.has(line + 1 + i)) lines.set(line + 1 + i, { text: one, isMatch: false });
    });
  }
  const indent = commonIndent([...lines.values()].map(({ text }) => text));
  const told: string[] = [];
  let next = 0;
  let last: string | undefined;
  for (const [line, { text, isMatch, within }] of [...lines].sort(([a], [b]) => a - b)) {
    if (next > 0 && line > next) told.push("  …");
    next = line + 1;
    const name = isMatch && within !== last ? nameOf(within) : "";
    if (isMatch) last = within;
    const shown = cutLine(visibleText(text.slice(indent).trimEnd()), width);
    told.push(`  ${line}${isMatch ? ":" : "-"}${name} ${shown}`);
  }
  return told;
}

function commonIndent(lines: readonly string[]): number {
  const filled = lines.filter((line) => line.trim() !== "");
  const indents = filled.map((line) => line.length - line.trimStart().length);
  return indents.length === 0 ? 0 : Math.min(...indents);
}

/** How many there are, of files too. */
export function matchCount(total: number, files: number): string {
  return `${total} ${total === 1 ? "match" : "matches"} in ${files} ${files === 1 ? "file" : "files"}`;
}

/** What to add to the same call to see the next page. */
export function nextPage(rest: number, nextCursor: string | undefined): string[] {
  if (rest <= 0) return [];
  return [`...and ${rest} more${nextCursor ? `: same call with cursor ${JSON.stringify(nextCursor)}` : ""}`];
}
