import { isUtf8 } from "node:buffer";
import { type PathKind, pathKind } from "../../code/files/path-kind.ts";
import { Failure } from "../../failure/failure.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { escapedName } from "../../workspace/non-utf8-names.ts";
import { checkedMatches } from "./checked-matches.ts";

export interface Match {
  file: string;
  line: number;
  text: string;
}

/** Most matches are only counted: their text is not looked at. */
type LazyMatch = Omit<Match, "text"> & { text: () => string };

export interface SearchRequest {
  pattern: string;
  path: string;
  filePattern?: string | undefined;
  /** A glob of files to leave out. */
  exclude?: string | undefined;
  /** Only matches behind this one, in the order of results. */
  after?: { file: string; line: number } | undefined;
  limit: number;
  /** So many more than `limit` where they are the last ones: asking for them would cost a call. */
  spare?: number | undefined;
  /** If not all matches fit: the most matches of one file. */
  perFile?: number | undefined;
}

export interface SearchResult {
  /** The first `limit` matches behind `after`: sources before tests and generated files, then by path and line. */
  matches: Match[];
  total: number;
  /** Matches up to and including `after`. */
  before: number;
  /** How many matches each file has. */
  perFile: ReadonlyMap<string, number>;
  /** Files that match, with names that are not UTF-8: counted nowhere else. */
  notText?: readonly string[];
}

/** The longest line worth showing; ripgrep cuts the rest itself. */
export const maxColumns = 500;

/**
 * The lines of a tree, in two passes: the first only counts, file by file, and the second reads the few files that the
 * first matches are in. A broad pattern has many thousands of lines that nobody would look at.
 */
export async function searchTree(request: SearchRequest, context: ToolContext): Promise<SearchResult> {
  const { after } = request;
  const limit = request.limit + (request.spare ?? 0);
  const { perFile, notText } = await countMatches(request, context);
  const compareFiles = fileOrder();
  const sorted = [...perFile.keys()].sort(compareFiles);
  const total = perFile.values().reduce((sum, count) => sum + count, 0);
  const most = total > limit ? (request.perFile ?? limit) : limit;
  const files: string[] = [];
  let before = 0;
  let ahead = 0;
  for (const file of sorted) {
    const count = perFile.get(file) ?? 0;
    if (after && compareFiles(file, after.file) < 0) before += count;
    else if (ahead < limit) {
      files.push(file);
      if (file !== after?.file) ahead += Math.min(count, most);
    }
  }
  const collector = new Collector(request, total - before);
  const found = await searchFiles(files, request, context, collector);
  return { ...found, total, before: before + found.before, perFile, notText };
}

/** `path NUL count`, and a line end. Binary files are not counted. */
async function countMatches(
  request: SearchRequest,
  context: ToolContext,
): Promise<{ perFile: Map<string, number>; notText: string[] }> {
  const isIgnored = await ignoredBesides(request, context);
  const glob = globsOf(request);
  const output: Buffer[] = [];
  const found = await runRipgrep(
    ["--count", ...glob, "-e", request.pattern, "--", request.path],
    context,
    (chunk) => {
      output.push(chunk);
    },
  );
  const perFile = new Map<string, number>();
  const notText: string[] = [];
  for (const [, path = "", count] of Buffer.concat(output)
    .toString("latin1")
    .matchAll(/([^\0]*)\0(\d+)\r?\n/g)) {
    const raw = Buffer.from(path, "latin1");
    const file = plainPath(isUtf8(raw) ? raw.toString() : escapedName(raw));
    if (!isUtf8(raw)) notText.push(file);
    else if (context.mayRead(file) && !isIgnored(file)) perFile.set(file, Number(count));
  }
  if (perFile.size === 0) found.require();
  return { perFile, notText };
}

/** The lines of these files, added to what was collected already. */
export async function searchFiles(
  files: readonly string[],
  request: SearchRequest,
  context: ToolContext,
  collector = new Collector(request),
): Promise<SearchResult> {
  if (files.length === 0) return collector.result();
  const parser = new OutputParser({
    match: (match) => collector.add(match),
    binary: (file) => collector.drop(file),
  });
  const found = await runRipgrep(["-e", request.pattern, "--", ...files], context, (chunk) =>
    parser.push(chunk),
  );
  parser.end();
  if (collector.total === 0) found.require();
  const result = collector.result();
  return { ...result, matches: await checkedMatches(result.matches, context.workspace) };
}

async function runRipgrep(
  args: readonly string[],
  context: ToolContext,
  onStdout: (chunk: Buffer) => undefined,
): Promise<{ require(): void }> {
  const { rgPath } = await import("@vscode/ripgrep");
  const outcome = await context.run({
    file: rgPath,
    args: [...options, ...args],
    cwd: context.workspace.root,
    env: { LANG: "C.UTF-8" },
    maxBytes: Number.POSITIVE_INFINITY,
    onStdout,
  });
  return {
    // 1 means no match; 2 is an error, but also an unreadable directory beside good matches.
    require: () => {
      const { exitCode, stderr } = outcome;
      // What lies so deep that no path leads to it is left out, here as in every listing.
      const isTooDeep = /File ?name too long \(os error \d+\)\s*$/.test(stderr.text);
      if (exitCode !== 0 && exitCode !== 1 && !isTooDeep) throw complaint(stderr.text);
    },
  };
}

/**
 * What we leave out and ripgrep does not: it knows no .wieldignore; below a folder it forgets the rules above; and a glob
 * lets it find what is ignored.
 */
function ignoredBesides({ path, filePattern }: SearchRequest, { workspace }: ToolContext) {
  return workspace.ignoring(path, path === "." && !filePattern ? [".wieldignore"] : undefined);
}

const options = [
  "--no-config",
  "--no-heading",
  "--line-number",
  "--with-filename",
  "--null",
  "--color=never",
  "--crlf",
  "--hidden",
  "--glob=!.git",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--engine=auto",
  `--max-columns=${maxColumns}`,
  "--max-columns-preview",
];

/** Keeps the first `limit` matches in the order of results. The matches of one file come in order of their lines. */
export class Collector {
  readonly #request: SearchRequest;
  /** The limit, and the spare ones. */
  readonly #most: number;
  #kept: Match[] = [];
  /** Once there are enough, what comes behind this one is only counted. */
  #last: Match | undefined;
  readonly #perFile = new Map<string, number>();
  readonly #compareFiles = fileOrder();
  /** How many there are from the first file on, where that was counted before. */
  readonly #expected: number;
  #before = 0;
  /** Of the file that comes now: all matches, those up to `after`, and those kept. */
  #now = { file: "", count: 0, before: 0, kept: 0 };
  total = 0;

  constructor(request: SearchRequest, expected = 0) {
    this.#request = request;
    this.#most = request.limit + (request.spare ?? 0);
    this.#expected = expected;
  }

  #compare(a: { file: string; line: number }, b: { file: string; line: number }): number {
    return this.#compareFiles(a.file, b.file) || a.line - b.line;
  }

  add(match: Match | LazyMatch): void {
    const { after } = this.#request;
    if (match.file !== this.#now.file) this.#begin(match.file);
    const now = this.#now;
    this.total++;
    now.count++;
    if (after && this.#compare(match, after) <= 0) {
      this.#before++;
      now.before++;
    } else if (now.kept < this.#most && !(this.#last && this.#compare(match, this.#last) > 0)) {
      const { file, line, text } = match;
      this.#kept.push({ file, line, text: typeof text === "string" ? text : text() });
      now.kept++;
    }
  }

  /** The file that came last has proved to be binary: what matched in it is no text. */
  drop(file: string): void {
    if (file !== this.#now.file) return;
    this.total -= this.#now.count;
    this.#before -= this.#now.before;
    this.#kept = this.#kept.filter((match) => match.file !== file);
    this.#now = { file: "", count: 0, before: 0, kept: 0 };
  }

  result(): SearchResult {
    this.#begin("");
    this.#trim();
    if (this.#ahead() > this.#most) this.#kept.length = Math.min(this.#kept.length, this.#request.limit);
    return { matches: this.#kept, total: this.total, before: this.#before, perFile: this.#perFile };
  }

  #begin(file: string): void {
    if (this.#now.count > 0) this.#perFile.set(this.#now.file, this.#now.count);
    this.#now = { file, count: 0, before: 0, kept: 0 };
    if (this.#kept.length >= this.#most * 4) this.#trim();
  }

  #trim(): void {
    this.#kept.sort((a, b) => this.#compare(a, b));
    if (this.#ahead() > this.#most) this.#capFiles();
    this.#kept.length = Math.min(this.#kept.length, this.#most);
    if (this.#kept.length === this.#most) this.#last = this.#kept.at(-1);
  }

  /** How many there are behind `after`, as far as is known. */
  #ahead(): number {
    return Math.max(this.total, this.#expected) - this.#before;
  }

  /** No file takes the whole page. */
  #capFiles(): void {
    const most = this.#request.perFile ?? Number.POSITIVE_INFINITY;
    let file = "";
    let count = 0;
    this.#kept = this.#kept.filter((match) => {
      count = match.file === file ? count + 1 : 1;
      file = match.file;
      return count <= most;
    });
  }
}

interface Listener {
  match(match: LazyMatch): void;
  binary(file: string): void;
}

/** `path NUL line : text LF`, and remarks about binary files without NUL. A path may hold a newline. */
class OutputParser {
  readonly #on: Listener;
  #rest = Buffer.alloc(0);
  #file = { bytes: Buffer.alloc(0), path: "" };

  constructor(on: Listener) {
    this.#on = on;
  }

  push(chunk: Buffer): undefined {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (;;) {
      const isSame = this.#isSameFile(data, at);
      const nul = isSame ? at + this.#file.bytes.length : data.indexOf(0, at);
      const end = nul < 0 ? -1 : data.indexOf(10, nul);
      if (end < 0) break;
      const file = isSame ? this.#file.path : this.#fileAt(data, at, nul);
      let line = 0;
      let colon = nul + 1;
      for (; data[colon] !== 58; colon++) line = line * 10 + (data[colon] ?? 48) - 48;
      this.#on.match({ file, line, text: () => shownText(data.subarray(colon + 1, end)) });
      at = end + 1;
    }
    this.#rest = Buffer.from(data.subarray(at));
  }

  /** Most matches are in the file of the one before. */
  #isSameFile(data: Buffer, at: number): boolean {
    const { bytes } = this.#file;
    if (bytes.length === 0 || data[at + bytes.length] !== 0) return false;
    for (let i = 0; i < bytes.length; i++) if (data[at + i] !== bytes[i]) return false;
    return true;
  }

  #fileAt(data: Buffer, start: number, end: number): string {
    const path = plainPath(this.#remarksTaken(data.toString("utf8", start, end)));
    this.#file = { bytes: Buffer.from(data.subarray(start, end)), path };
    return path;
  }

  end(): void {
    this.#remarksTaken(this.#rest.toString());
  }

  /** What is left of a text when the remarks it begins with are taken. */
  #remarksTaken(text: string): string {
    let rest = text;
    for (let found = remark.exec(rest); found; found = remark.exec(rest)) {
      this.#on.binary(plainPath(found[1] ?? ""));
      rest = rest.slice(found[0].length);
    }
    return rest;
  }
}

const remark = /^([^\0]+?): (?:WARNING: stopped searching binary file|binary file matches) .*\n/;
const plainPath = (path: string) => path.replace(/^\.\//, "");

/** Without the carriage return, and without what ripgrep says where it cut a long line. */
function shownText(line: Buffer): string {
  const text = line.toString().replace(/\r$/, "");
  const cut = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;
  return line.length > maxColumns ? text.replace(cut, "") : text;
}

/** What was asked for and what was to be left out, as ripgrep takes it: the last one that fits decides. */
function globsOf({ filePattern, exclude }: SearchRequest): string[] {
  return [
    ...(filePattern ? ["--glob", filePattern] : []),
    ...(exclude ? ["--glob", `!${exclude.replace(/^!/, "")}`] : []),
  ];
}

const kindOrder: Record<PathKind, number> = {
  source: 0,
  example: 1,
  docs: 1,
  test: 2,
  generated: 3,
  vendored: 4,
};

/** Sources first, then examples and texts, then tests, then generated files; each by path. */
function fileOrder(): (a: string, b: string) => number {
  const known = new Map<string, number>();
  const orderOf = (file: string) => {
    const order = known.get(file) ?? kindOrder[pathKind(file)];
    known.set(file, order);
    return order;
  };
  return (a, b) => (a === b ? 0 : orderOf(a) - orderOf(b) || (a < b ? -1 : 1));
}

function complaint(stderr: string): Failure {
  const message = stderr.replaceAll(/^rg: /gm, "").trim();
  if (/regex|pattern|glob/i.test(message)) {
    return new Failure(
      "INVALID_INPUT",
      `The pattern cannot be used: ${message}\nEscape special characters with a backslash to search for them literally.`,
    );
  }
  return new Failure("EXECUTION_ERROR", `The search failed: ${message || "ripgrep gave no reason"}`);
}
