import { type PathKind, pathKind } from "./path-kind.ts";
import { type PreparedChunk, PreparedChunks } from "./prepared-chunks.ts";
import type { Project } from "./project.ts";
import type { IndexedFile } from "./segment.ts";
import { queryTerms, subTokens } from "./sub-tokens.ts";
import { qualifiedName } from "./syntax.ts";

export interface FoundChunk {
  file: string;
  startLine: number;
  endLine: number;
  symbol?: string;
  kind?: string;
  signature?: string;
  score: number;
  text: string;
}

const k1 = 1.2;
const b = 0.6;
/** Files whose chunks are looked at; the ranking of files decides which. */
const filesRead = 40;
/** A chunk's usual length in sub-tokens. */
const usualLength = 250;
/** A path's words count like this many words of text. */
const pathWeight = 3;

/** A long question is mostly detail: its first line says what it is about. */
const titleWeight = 1.5;
const mostTerms = 120;
/** A chunk of a file that fits as a whole is more likely meant. */
const fileShare = 0.6;
/** For declaring a name that the question writes. */
const namedWeight = 12;

/** What is asked for less, unless the question says so. */
const worth: Record<PathKind, number> = {
  source: 1,
  test: 0.4,
  example: 0.45,
  docs: 0.4,
  generated: 0.35,
  vendored: 0.4,
};
const asksFor: Partial<Record<PathKind, RegExp>> = {
  test: /\btests?\b|\bspecs?\b|\bfixtures?\b|\bmocks?\b/i,
  docs: /\bdocs\b|\bdocumentation\b|\breadme\b|\bchangelog\b/i,
  example: /\bexamples?\b|\bsamples?\b|\bbenchmarks?\b/i,
};

/**
 * The chunks that fit a question in words or names, best first: BM25 over the words inside identifiers, raised where the
 * chunk declares what the question names and where its path speaks of it.
 */
export async function searchCode(
  project: Project,
  query: string,
  { under = ".", limit = 20 }: { under?: string; limit?: number } = {},
): Promise<FoundChunk[]> {
  const question = new Question(project, query);
  const files = question.rankFiles(under).slice(0, filesRead);
  const found: FoundChunk[] = [];
  const prepared = preparedFor(project);
  for (const { file, score } of files)
    found.push(...question.rankChunks(file, score, await prepared.of(file)));
  found.sort((x, y) => y.score - x.score || (x.file < y.file ? -1 : 1) || x.startLine - y.startLine);
  return spread(withoutCopies(found), limit);
}

const preparedBy = new WeakMap<Project, PreparedChunks>();

function preparedFor(project: Project): PreparedChunks {
  const prepared = preparedBy.get(project) ?? new PreparedChunks(project);
  preparedBy.set(project, prepared);
  return prepared;
}

class Question {
  readonly #project: Project;
  readonly #query: string;
  /** Sub-token → weight: how rare it is. */
  readonly #weights = new Map<string, number>();
  readonly #holders = new Map<string, Map<IndexedFile, number>>();
  /** Files that the question names, as a traceback does. */
  readonly #paths: string[];
  /** Names that are written as such in the question: with an underscore, a dot, a capital inside, or back quotes. */
  readonly #names: Set<string>;

  constructor(project: Project, query: string) {
    this.#project = project;
    this.#query = query;
    this.#names = namesIn(query);
    this.#paths = [...query.matchAll(/[\w./-]*\w\.\w{1,5}\b/g)].map(([path]) =>
      path.replace(/^.*site-packages\/|^\.*\//, ""),
    );
    const total = project.words.size;
    const title = new Set(query.includes("\n") ? queryTerms(query.slice(0, query.indexOf("\n"))) : []);
    for (const term of [...title, ...queryTerms(query)].slice(0, mostTerms)) {
      const holders = project.words.withSubToken(term);
      if (holders.size === 0) continue;
      this.#holders.set(term, holders);
      const rarity = Math.log(1 + (total - holders.size + 0.5) / (holders.size + 0.5));
      this.#weights.set(term, rarity * (title.has(term) ? titleWeight : 1));
    }
  }

  rankFiles(under: string): { file: IndexedFile; score: number }[] {
    const { words } = this.#project;
    const average = words.averageLength();
    const scores = new Map<IndexedFile, number>();
    for (const [term, holders] of this.#holders) {
      const weight = this.#weights.get(term) ?? 0;
      for (const [file, count] of holders) {
        const norm = k1 * (1 - b + (b * words.lengthOf(file.path)) / average);
        scores.set(file, (scores.get(file) ?? 0) + (weight * count * (k1 + 1)) / (count + norm));
      }
    }
    for (const name of this.#names) {
      for (const { file, declared } of words.withWord(name)) {
        if (declared) scores.set(file, (scores.get(file) ?? 0) + 6);
      }
    }
    for (const file of scores.keys()) {
      scores.set(file, ((scores.get(file) ?? 0) + this.#pathScore(file.path)) * this.#worth(file));
    }
    return [...scores]
      .filter(([{ path }]) => under === "." || path === under || path.startsWith(`${under}/`))
      .map(([file, score]) => ({ file, score }))
      .sort((x, y) => y.score - x.score);
  }

  rankChunks(file: IndexedFile, fileScore: number, chunks: readonly PreparedChunk[]): FoundChunk[] {
    const found: FoundChunk[] = [];
    const worthOfFile = this.#worth(file);
    for (const chunk of chunks) {
      const own = this.#textScore(chunk) + this.#symbolScore(chunk);
      if (own === 0) continue;
      const { startLine, endLine, symbol, text } = chunk;
      found.push({
        file: file.path,
        startLine,
        endLine,
        ...(symbol && { symbol: qualifiedName(symbol), kind: symbol.kind, signature: symbol.signature }),
        score: own * worthOfFile + fileShare * fileScore,
        text,
      });
    }
    return found;
  }

  #textScore({ counts, length }: PreparedChunk): number {
    let score = 0;
    const norm = k1 * (1 - b + (b * length) / usualLength);
    for (const [token, weight] of this.#weights) {
      const count = counts.get(token);
      if (count) score += (weight * count * (k1 + 1)) / (count + norm);
    }
    return score;
  }

  /** The question names what is declared here, or its words are the words of the name. */
  #symbolScore({ declares }: PreparedChunk): number {
    let best = 0;
    for (const { name, tokens, isHere } of declares) {
      const named = this.#names.has(name) ? namedWeight : 0;
      best = Math.max(best, (isHere ? 1 : 0.5) * (named + this.#coverage(tokens)));
    }
    return best;
  }

  #pathScore(path: string): number {
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
    const folders = path.slice(0, path.length - name.length).split(/[^\p{L}\p{N}]+/u);
    const folderScore = folders
      .flatMap(subTokens)
      .reduce((sum, token) => sum + (this.#weights.get(token) ?? 0), 0);
    const named = this.#paths.some((written) => path === written || path.endsWith(`/${written}`)) ? 8 : 0;
    return named + pathWeight * 0.5 * this.#coverage(subTokens(name)) + 0.3 * folderScore;
  }

  /** The weight of the words that a name shares with the question, less when it has others. */
  #coverage(tokens: readonly string[]): number {
    const shared = tokens.filter((token) => this.#weights.has(token));
    if (shared.length === 0) return 0;
    const weight = shared.reduce((sum, token) => sum + (this.#weights.get(token) ?? 0), 0);
    return weight * (shared.length / tokens.length);
  }

  #worth({ path, language }: IndexedFile): number {
    const kind = pathKind(path);
    const asked = this.#query.length < 200 && asksFor[kind]?.test(this.#query);
    return asked ? 1 : worth[kind] * (language || kind !== "source" ? 1 : 0.6);
  }
}

function namesIn(query: string): Set<string> {
  const names = new Set<string>();
  for (const word of query.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []) {
    if (
      /_|[a-z\d][A-Z]|^[A-Z][a-z]+[A-Z]/.test(word.replace(/^_+|_+$/g, "")) ||
      query.includes(`\`${word}`) ||
      query.trim() === word
    )
      names.add(word);
  }
  for (const [, word] of query.matchAll(/[\w)]\.([\p{L}_$][\p{L}\p{N}_$]*)|([\p{L}_$][\p{L}\p{N}_$]*)\(/gu))
    if (word) names.add(word);
  return names;
}

/** The same text twice (copied files, generated variants) is shown once. */
function withoutCopies(found: FoundChunk[]): FoundChunk[] {
  const seen = new Set<string>();
  return found.filter(({ text }) => {
    const key = text.replace(/[\s\d]+/g, "").slice(0, 4_000);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** At most two chunks of a file before other files had theirs. */
function spread(found: FoundChunk[], limit: number): FoundChunk[] {
  const perFile = new Map<string, number>();
  const first: FoundChunk[] = [];
  const later: FoundChunk[] = [];
  for (const chunk of found) {
    const count = perFile.get(chunk.file) ?? 0;
    perFile.set(chunk.file, count + 1);
    (count < 2 ? first : later).push(chunk);
  }
  return [...first, ...later].slice(0, limit);
}
