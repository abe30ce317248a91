import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { splitLines } from "../../text/lines.ts";
import { skipped } from "../../tool/skipped-names.ts";
import type { Rendering, ToolContext } from "../../tool/tool.ts";
import { readTextFile } from "../../workspace/text-file.ts";
import type { Code } from "./code-answers.ts";
import { listLimits } from "./list-limits.ts";
import type { SearchRequest } from "./match-collector.ts";
import { readMatchCursor, writeMatchCursor } from "./match-cursor.ts";
import { otherFiles } from "./other-matches.ts";
import { headingsOf, placeList, sectionOf } from "./place-list.ts";
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
  /** Matching lines that come after this page, or were left out of files with very many. */
  left: number;
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
  const left = found.total - found.before - found.matches.length;
  return {
    matches: around > 0 ? await withContext(matches, around, context) : matches,
    files: [...found.perFile].map(([file, count]) => ({ file, count })),
    total: found.total,
    left,
    ...(left > 0 && last && { nextCursor: writeMatchCursor(last) }),
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
    const text = await readTextFile(workspace, file).then(
      (read) => read.text,
      () => "",
    );
    texts.set(file, splitLines(text));
  }
  return matches.map((match) => {
    const lines = texts.get(match.file) ?? [];
    return {
      ...match,
      before: lines.slice(Math.max(0, match.line - 1 - around), match.line - 1),
      after: lines.slice(match.line, match.line + around),
    };
  });
}

/** How many there are, of files too. */
export function matchCount(total: number, files: number): string {
  return `${total} ${total === 1 ? "match" : "matches"} in ${files} ${files === 1 ? "file" : "files"}`;
}

interface MatchPage {
  matches: readonly TextMatch[];
  files: readonly { file: string; count: number }[];
  total: number;
  totalFiles: number;
  left: number;
  nextCursor?: string | undefined;
  /** Of each file, the matches closest to what the caller is after: there is no next page. */
  chosen?: boolean | undefined;
}

/** A page of matches; `only` is the parameter of the same call that names one file. */
export function matchList(
  { matches, files, total, totalFiles, left, nextCursor, chosen }: MatchPage,
  { cursor, only, odd }: { cursor: string | undefined; only: string; odd: readonly string[] },
): Rendering {
  const isFirst = cursor === undefined;
  const counts = new Map(isFirst ? files.map(({ file, count }) => [file, count]) : []);
  const places = matches.map((match) => ({ ...match, section: sectionOf(match.file) }));
  const counted: readonly { file: string; count?: number }[] = isFirst ? files : matches;
  const headings = headingsOf(counted.map((one) => ({ ...one, section: sectionOf(one.file) })));
  const endOf = (shown: number) =>
    shown === matches.length && nextCursor !== undefined ? nextCursor : cursorBehind(matches[shown - 1]);
  return placeList({
    places,
    head: [matchCount(total, totalFiles)],
    headings,
    behind: (file, shown, isLast) => {
      const more = (counts.get(file) ?? 0) - shown.length;
      if (more <= 0 || (isLast && !chosen)) return [];
      const from = chosen ? "" : ` and cursor ${JSON.stringify(cursorBehind(shown.at(-1)))}`;
      return [`  … ${more} more of this file: same call with ${only} ${JSON.stringify(file)}${from}`];
    },
    rest: (shown) => {
      const seen = new Set(matches.slice(0, shown).map(({ file }) => file));
      const hidden = isFirst ? files.filter(({ file }) => !seen.has(file)) : [];
      const others = otherFiles(hidden, listLimits.namedFiles);
      const more = left + matches.length - shown;
      const end = endOf(shown);
      return [
        ...(more > 0 && !chosen
          ? [`...and ${more} more${end ? `: same call with cursor ${JSON.stringify(end)}` : ""}`]
          : []),
        ...(others ? [`also in: ${others}${chosen ? `; ${only} narrows` : ""}`] : []),
        ...odd,
      ];
    },
  });
}

const cursorBehind = (match: TextMatch | undefined) => match && writeMatchCursor(match);
