import { Failure } from "../events/failure.ts";
import type { ToolContext } from "../tool/tool.ts";

export interface Match {
  file: string;
  line: number;
  text: string;
}

export interface SearchRequest {
  pattern: string;
  path: string;
  filePattern?: string | undefined;
  /** Only matches behind this one, in path order. */
  after?: { file: string; line: number } | undefined;
  limit: number;
}

export interface SearchResult {
  /** The first `limit` matches behind `after`, by path and line. */
  matches: Match[];
  total: number;
  /** Matches up to and including `after`. */
  before: number;
  /** How many matches each file has. */
  perFile: ReadonlyMap<string, number>;
}

/** The longest line worth showing; ripgrep cuts the rest itself. */
export const maxColumns = 500;

/**
 * One pass of ripgrep over the tree. It searches in parallel and in no order: matches are counted as they stream by, and
 * only those that can still be among the first are kept, so that memory stays small however broad the pattern.
 */
export async function searchWithRipgrep(request: SearchRequest, context: ToolContext): Promise<SearchResult> {
  const { rgPath } = await import("@vscode/ripgrep");
  const collector = new Collector(request);
  // All matches of a file come together: it is judged once.
  let judged = { file: "", isReadable: false };
  const parser = new OutputParser((match) => {
    if (match.file !== judged.file) judged = { file: match.file, isReadable: context.mayRead(match.file) };
    if (judged.isReadable) collector.add(match);
  });
  const outcome = await context.run({
    file: rgPath,
    args: [
      ...options,
      ...(request.filePattern ? ["--glob", request.filePattern] : []),
      "-e",
      request.pattern,
      "--",
      request.path,
    ],
    cwd: context.workspace.root,
    env: { LANG: "C.UTF-8" },
    maxBytes: Number.POSITIVE_INFINITY,
    onStdout: (chunk) => parser.push(chunk),
  });
  // 1 means no match; 2 is an error, but also an unreadable directory beside good matches.
  if (outcome.exitCode !== 0 && outcome.exitCode !== 1 && collector.total === 0)
    throw complaint(outcome.stderr.text);
  return collector.result();
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
  "--engine=auto",
  `--max-columns=${maxColumns}`,
  "--max-columns-preview",
];

/** Keeps the first `limit` matches in path order. */
export class Collector {
  readonly #request: SearchRequest;
  readonly #kept: Match[] = [];
  readonly #perFile = new Map<string, number>();
  #before = 0;
  total = 0;

  constructor(request: SearchRequest) {
    this.#request = request;
  }

  add(match: Match): void {
    this.total++;
    this.#perFile.set(match.file, (this.#perFile.get(match.file) ?? 0) + 1);
    const { after, limit } = this.#request;
    if (after && compare(match, after) <= 0) {
      this.#before++;
      return;
    }
    this.#kept.push(match);
    if (this.#kept.length >= limit * 40) this.#trim();
  }

  result(): SearchResult {
    this.#trim();
    return { matches: this.#kept, total: this.total, before: this.#before, perFile: this.#perFile };
  }

  #trim(): void {
    this.#kept.sort(compare);
    this.#kept.length = Math.min(this.#kept.length, this.#request.limit);
  }
}

/** `path NUL line : text LF`. A path may hold a newline; a remark about a binary file has no NUL and is skipped. */
class OutputParser {
  readonly #onMatch: (match: Match) => void;
  #rest = Buffer.alloc(0);

  constructor(onMatch: (match: Match) => void) {
    this.#onMatch = onMatch;
  }

  push(chunk: Buffer): undefined {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (;;) {
      const nul = data.indexOf(0, at);
      const end = nul < 0 ? -1 : data.indexOf(10, nul);
      if (end < 0) break;
      const file = data.toString("utf8", at, nul).replace(remark, "").replace(/^\.\//, "");
      const colon = data.indexOf(58, nul);
      const line = Number(data.toString("latin1", nul + 1, colon));
      this.#onMatch({ file, line, text: data.toString("utf8", colon + 1, end).replace(/\r$/, "") });
      at = end + 1;
    }
    this.#rest = Buffer.from(data.subarray(at));
  }
}

const remark = /^(?:.*: (?:WARNING: stopped searching binary file|binary file matches) .*\n)+/;

function compare(a: { file: string; line: number }, b: { file: string; line: number }): number {
  if (a.file === b.file) return a.line - b.line;
  return a.file < b.file ? -1 : 1;
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
