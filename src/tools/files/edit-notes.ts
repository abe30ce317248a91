import { diffArrays } from "diff";
import { encodingWords } from "../../text/encoding-names.ts";
import { linesOf } from "../../workspace/line-table.ts";
import type { TextFile } from "../../workspace/text-file.ts";

/** The first line of a text that the language of its file does not understand, null if none; undefined where nobody can tell at once. */
export type SyntaxCheck = (path: string, text: string) => Promise<number | null | undefined>;

const maxCharacters = 400_000;
const maxEditLength = 500;
const maxShown = 160;

/** What the author of an edit should look at: an uncertain encoding, and what the edit seems to have broken. */
export async function editNotes(
  path: string,
  before: TextFile | undefined,
  after: TextFile,
  check: SyntaxCheck,
): Promise<string[]> {
  const { by, others } = after.encoding;
  const isAsSaid = by !== "content" && others.length === 0;
  const notes = isAsSaid ? [] : [`${path} was read and written as ${encodingWords(after.encoding)}.`];
  if (!before || Math.max(before.text.length, after.text.length) > maxCharacters) return notes;
  const lines = linesOf(after.text).map(({ text }) => text);
  const shown = (line: number) => `${line}\t${(lines[line - 1] ?? "").slice(0, maxShown)}`;
  const broken = await check(path, after.text);
  if (typeof broken === "number" && (await check(path, before.text)) === null)
    notes.push(`Look again: ${path} does not parse any more, from about line ${broken}:`, shown(broken));
  else if (broken === undefined) notes.push(...bracketNotes(path, before.text, after.text));
  const torn = tornComment(before.text, after.text);
  if (torn)
    notes.push(
      `Look again: in ${path}, line ${torn.comment} was written about line ${torn.code}, which it no longer stands above:`,
      ...[torn.comment, torn.comment + 1, torn.code].map(shown),
    );
  return notes;
}

const pairs = ["()", "[]", "{}"] as const;

/** A text whose brackets were all closed, and are not now. */
function bracketNotes(path: string, before: string, after: string): string[] {
  const open = (text: string, [opening = "", closing = ""]: string) =>
    text.split(opening).length - text.split(closing).length;
  if (pairs.some((pair) => open(before, pair) !== 0)) return [];
  return pairs.flatMap((pair) => {
    const more = open(after, pair);
    if (more === 0) return [];
    const [surplus, other] = more > 0 ? [pair[0], pair[1]] : [pair[1], pair[0]];
    return [
      `Look again: ${path} now has ${Math.abs(more)} more ${surplus} than ${other}; before, they were as many.`,
    ];
  });
}

const isComment = (line: string) =>
  /^\s*(?:\/\/|#(?!include|define|if|el|endif|pragma|region|!)|\/\*|\*|--\s|@\w)/.test(line);
const isCode = (line: string | undefined) => line !== undefined && line.trim() !== "" && !isComment(line);

/** Lines that were put between a comment, or a decorator, and the code right below it. */
function tornComment(before: string, after: string): { comment: number; code: number } | undefined {
  const [old, now] = [before, after].map((text) => linesOf(text).map((line) => line.text)) as [
    string[],
    string[],
  ];
  const parts = diffArrays(old, now, { maxEditLength }) ?? [];
  let line = 1;
  for (const [at, { added, removed, count, value }] of parts.entries()) {
    const isInserted = added && !parts[at - 1]?.removed && !parts[at + 1]?.removed;
    const above = now[line - 2] ?? "";
    if (
      isInserted &&
      isComment(above) &&
      isCode(now[line - 1 + count]) &&
      isCode(value[0]) &&
      !isComment(value.at(-1) ?? "")
    )
      return { comment: line - 1, code: line + count };
    if (!removed) line += count;
  }
  return undefined;
}
