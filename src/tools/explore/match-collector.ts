import { type PathKind, pathKind } from "../../code/files/path-kind.ts";
import type { Exclude } from "./excluded-files.ts";

export interface Match {
  file: string;
  line: number;
  text: string;
}

/** Most matches are only counted: their text is not looked at. */
export type LazyMatch = Omit<Match, "text"> & { text: () => string };

export interface SearchRequest {
  pattern: string;
  path: string;
  filePattern?: string | undefined;
  exclude?: Exclude;
  /** Only these files, which were found to match before. */
  files?: readonly string[] | undefined;
  /** Only matches behind this one, in the order of results. */
  after?: { file: string; line: number } | undefined;
  limit: number;
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
  /** Files that match, with names that are not UTF-8, and paths that are too long: counted nowhere else. */
  notText?: readonly string[];
}

/** Keeps the first `limit` matches in the order of results. The matches of one file come in order of their lines. */
export class Collector {
  readonly #request: SearchRequest;
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
    this.#most = request.limit;
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
    const { perFile: most = Number.POSITIVE_INFINITY, after } = this.#request;
    let file = "";
    let count = 0;
    this.#kept = this.#kept.filter((match) => {
      count = match.file === file ? count + 1 : 1;
      file = match.file;
      // Who reads on in a file is shown all of it.
      return count <= most || match.file === after?.file;
    });
  }
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
export function fileOrder(): (a: string, b: string) => number {
  const known = new Map<string, number>();
  const orderOf = (file: string) => {
    const order = known.get(file) ?? kindOrder[pathKind(file)];
    known.set(file, order);
    return order;
  };
  return (a, b) => (a === b ? 0 : orderOf(a) - orderOf(b) || (a < b ? -1 : 1));
}
