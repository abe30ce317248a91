import { requiredLiterals } from "../../code/word-index/regex-literals.ts";
import { Failure } from "../../failure/failure.ts";
import { isPlainText, plainText } from "../../text/encoding.ts";
import { isBoundedGlob } from "../../text/glob.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { textOfFile } from "../../workspace/text-file.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { excludes, globFilter, isPlainGlob } from "./excluded-files.ts";
import { Collector, type Match, type SearchRequest, type SearchResult } from "./match-collector.ts";
import { searchFiles, searchTree } from "./ripgrep.ts";
import { maxColumns } from "./ripgrep-output.ts";

/** More files than this are searched faster by ripgrep, which uses all processors. */
const fewFiles = 200;
/** A longer line could make a backtracking engine slow. */
const longLine = 5_000;

/**
 * Lines that match a regular expression. With a warm index the few files that can match are read here; otherwise, and for
 * patterns or texts that this engine reads differently, ripgrep searches. Both give the same answer.
 */
export async function searchText(
  code: Code,
  request: SearchRequest,
  context: ToolContext,
): Promise<SearchResult> {
  const { pattern, path, filePattern, exclude, files } = request;
  if (files) return searchFiles(files, request, context);
  requirePlainGlob(filePattern);
  const expression = isBoundedGlob(filePattern ?? "") ? sharedSyntax(pattern) : undefined;
  const fits = filePattern ? globFilter(filePattern) : () => true;
  const isLeftOut = excludes(exclude);
  const isWanted = (file: string) =>
    (file === path || (fits(file) && !isLeftOut(file))) && context.mayRead(file);
  const within = { path, isWanted, most: fewFiles };
  const few = expression && (await (await code()).filesThatMayMatch(pattern, within, codeOptions(context)));
  if (!expression || !few) return searchAll(request, context);
  const literals = (requiredLiterals(pattern) ?? [[]]).map((all) => all.map((text) => Buffer.from(text)));
  const sought = { pattern, expression, literals };
  const collector = new Collector(request);
  const odd: string[] = [];
  for (const file of few) {
    const found = await matchesIn(file, sought, context);
    if (found === "odd") odd.push(file);
    else for (const match of found) collector.add(match);
  }
  return searchFiles(odd, request, context, collector);
}

async function searchAll(request: SearchRequest, context: ToolContext): Promise<SearchResult> {
  const { type } = await context.workspace.stat(request.path);
  return type === "directory" ? searchTree(request, context) : searchFiles([request.path], request, context);
}

interface Sought {
  pattern: string;
  expression: RegExp;
  /** Of one of these, all must be in a text. */
  literals: Buffer[][];
}

/** `odd` when only ripgrep can judge the file's text rightly. */
async function matchesIn(
  file: string,
  { pattern, expression, literals }: Sought,
  { workspace }: ToolContext,
): Promise<Match[] | "odd"> {
  let bytes: Buffer;
  try {
    ({ bytes } = await workspace.read(file));
  } catch (error) {
    // Too much for us, or a name that no tool takes (a line break): ripgrep still reads it.
    const isOdd = error instanceof Failure && (error.code === "TOO_LARGE" || error.code === "INVALID_PATH");
    return isOdd ? "odd" : [];
  }
  // The index says what may match; most often a look at the bytes says that it does not.
  const isPlain = isPlainText(bytes);
  if (isPlain && !literals.some((all) => all.every((literal) => bytes.includes(literal)))) return [];
  const read = isPlain ? undefined : await textOfFile(workspace, file, bytes).catch(notText);
  const text = isPlain ? plainText(bytes) : read?.text;
  if (text === undefined) return [];
  // ripgrep would search the bytes of other encodings.
  const isUnicode = read === undefined || read.encoding.name.startsWith("utf-");
  if (isUnicode && (/\r(?!\n)/.test(text) || isReadOtherwise(pattern, text))) return "odd";
  const found: Match[] = [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [index, raw] of lines.entries()) {
    if (isUnicode && raw.length > longLine) return "odd";
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (!expression.test(line)) continue;
    // Where a long line is cut is counted in letters as people see them.
    if (isUnicode && line.length > maxColumns && !isAscii.test(line)) return "odd";
    found.push({ file, line: index + 1, text: line.slice(0, maxColumns) });
  }
  return found;
}

function notText(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}

const isAscii = /^[\x00-\x7F]*$/;

/** Outside ASCII, \w and \b mean different things to the two engines, and so does what is no valid text or a rare line end. */
function isReadOtherwise(pattern: string, text: string): boolean {
  if (/[\ufffd\u2028\u2029]/.test(text) && /[\\.[\ufffd]/.test(pattern)) return true;
  return /\\[a-zA-Z]/.test(pattern) && !isAscii.test(text);
}

/**
 * The pattern as a JavaScript expression, where both engines read it the same way and neither can run away: plain
 * characters, classes, the common escapes, groups without a quantifier, at most two open repetitions.
 */
function sharedSyntax(pattern: string): RegExp | undefined {
  const isPlain =
    /^(?:\\[wdsbWDSB.*+?^$()[\]{}|/\\"'`=:;,<>@#%&!~-]|\[(?:\\[wds\]\\.-]|[^\\[\]&~-]|(?<=\w)-(?=\w))+\]|\((?:\?:)?|[^\\[\](){}]|\))*$/;
  const repetitions = pattern.replace(/\\./g, "").match(/[*+]/g)?.length ?? 0;
  if (!isPlain.test(pattern) || repetitions > 2 || /\)[*+?]/.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

function requirePlainGlob(glob: string | undefined): void {
  if (isPlainGlob(glob ?? "")) return;
  const message = `${JSON.stringify(glob)} is no glob that is understood here: there are *, **, ?, [abc], {a,b}, and ! in front of the whole.`;
  throw new Failure("INVALID_INPUT", message);
}
