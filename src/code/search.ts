import { type PathKind, pathKind } from "./path-kind.ts";
import { type PreparedChunk, PreparedChunks, type PreparedFile } from "./prepared-chunks.ts";
import type { Project } from "./project.ts";
import { type Question, readQuestion } from "./question.ts";
import type { IndexedFile } from "./segment.ts";
import { subTokens } from "./sub-tokens.ts";
import { qualifiedName } from "./syntax.ts";
import type { Vocabulary } from "./vocabulary.ts";

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

/** What counts how much. Set on issues of real projects and the files that their fixes changed. */
export const weights = {
  /** BM25: how soon repetition stops to count, and how much length counts against. */
  k1: 1.2,
  b: 0.6,
  /** How much rarity of a word matters; of a name. */
  rarity: 0.7,
  namedRarity: 2,
  /** All that follows the first line counts at most so much as that one. */
  bodyShare: 0,
  /** A file that declares a name of the question; likewise a chunk. */
  fileNamed: 6,
  chunkNamed: 8,
  /** More when what it belongs to is named as well; and for what belongs to something named. */
  ownerNamed: 6,
  inNamed: 4,
  /** The words of a declared name. */
  symbolWords: 1,
  /** A declaration that begins in an earlier chunk. */
  around: 0.5,
  /** The words of a file's name, and of the folders around it. */
  fileName: 1.5,
  folders: 0.3,
  /** A path that the question writes, less for those before the last; a module. */
  path: 14,
  earlierPath: 0.9,
  module: 6,
  phrase: 0,
  /** A chunk of a file that fits as a whole is more likely meant. */
  fileShare: 1.2,
  /** Files in no language that is parsed: data, texts. */
  unparsed: 0.6,
};

/** Files whose chunks are looked at; the ranking of files decides which. */
const filesRead = 40;
/** A chunk's usual length in sub-tokens. */
const usualLength = 250;

/** What is asked for less, unless the question says so. */
export const worth: Record<PathKind, number> = {
  source: 1,
  test: 0.3,
  example: 0.45,
  docs: 0.3,
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
  const ranking = new Ranking(project, readQuestion(query));
  const prepared = preparedFor(project);
  const judge = ranking.chunkJudge(prepared.vocabulary());
  const found: Scored[] = [];
  for (const { file, score } of ranking.files(under).slice(0, filesRead)) {
    const content = await prepared.of(file);
    if (content) found.push(...judge(file, score, content));
  }
  if (weights.phrase > 0) favourPhrases(found, query);
  found.sort(
    (x, y) => y.score - x.score || (x.file < y.file ? -1 : 1) || x.chunk.startLine - y.chunk.startLine,
  );
  return firstOf(found, limit).map(shown);
}

const preparedBy = new WeakMap<Project, PreparedChunks>();

function preparedFor(project: Project): PreparedChunks {
  const prepared = preparedBy.get(project) ?? new PreparedChunks(project);
  preparedBy.set(project, prepared);
  return prepared;
}

interface Scored {
  file: string;
  content: PreparedFile;
  chunk: PreparedChunk;
  score: number;
}

class Ranking {
  readonly #project: Project;
  readonly #question: Question;
  /** Sub-token → weight: how rare it is, and how much the question is about it. */
  readonly #terms = new Map<string, number>();
  readonly #holders = new Map<string, Map<IndexedFile, number>>();
  readonly #names = new Map<string, { weight: number; files: IndexedFile[] }>();

  constructor(project: Project, question: Question) {
    this.#project = project;
    this.#question = question;
    const total = project.words.size;
    const rarity = (holders: number) => Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
    for (const [term, importance] of question.terms) {
      const holders = project.words.withSubToken(term);
      if (holders.size === 0) continue;
      this.#holders.set(term, holders);
      this.#terms.set(term, rarity(holders.size) ** weights.rarity * importance);
    }
    this.#limitBody();
    for (const [name, importance] of question.names) {
      const files = project.words.withWord(name).flatMap(({ file, declared }) => (declared ? [file] : []));
      if (files.length === 0) continue;
      const rare = (rarity(files.length) / rarity(1)) ** weights.namedRarity;
      this.#names.set(name, { weight: importance * rare, files });
    }
  }

  /** However long the rest is, what it is about is said first. */
  #limitBody(): void {
    if (weights.bodyShare === 0) return;
    let title = 0;
    let body = 0;
    for (const [term, weight] of this.#terms) {
      if (this.#question.title.has(term)) title += weight;
      else body += weight;
    }
    const scale = (weights.bodyShare * title) / body;
    if (title === 0 || scale >= 1) return;
    for (const [term, weight] of this.#terms) {
      if (!this.#question.title.has(term)) this.#terms.set(term, weight * scale);
    }
  }

  /** All files that hold anything of the question, best first. */
  files(under: string): { file: IndexedFile; score: number }[] {
    const { words } = this.#project;
    const { k1, b } = weights;
    const average = words.averageLength();
    const scores = new Map<IndexedFile, number>();
    const norms = new Map<IndexedFile, number>();
    for (const [term, holders] of this.#holders) {
      const weight = this.#terms.get(term) ?? 0;
      for (const [file, count] of holders) {
        let norm = norms.get(file);
        if (norm === undefined) {
          norm = k1 * (1 - b + (b * words.lengthOf(file.path)) / average);
          norms.set(file, norm);
        }
        scores.set(file, (scores.get(file) ?? 0) + (weight * count * (k1 + 1)) / (count + norm));
      }
    }
    for (const { weight, files } of this.#names.values()) {
      for (const file of files) scores.set(file, (scores.get(file) ?? 0) + weights.fileNamed * weight);
    }
    const found: { file: IndexedFile; score: number }[] = [];
    for (const [file, score] of scores) {
      const { path } = file;
      if (under !== "." && path !== under && !path.startsWith(`${under}/`)) continue;
      found.push({ file, score: (score + this.#pathScore(path)) * this.#worth(file) });
    }
    return found.sort((x, y) => y.score - x.score);
  }

  /** Scores the chunks of one file after the other. */
  chunkJudge(vocabulary: Vocabulary) {
    const terms = new Map<number, number>();
    for (const [term, weight] of this.#terms) terms.set(vocabulary.numberOf(term), weight);
    // Numbers that come later are of no term.
    const termWeights = new Float64Array(Math.max(0, ...terms.keys()) + 1);
    for (const [number, weight] of terms) termWeights[number] = weight;
    return (file: IndexedFile, fileScore: number, content: PreparedFile): Scored[] => {
      const worthOfFile = this.#worth(file);
      const found: Scored[] = [];
      let first = 0;
      for (const chunk of content.chunks) {
        const own = textScore(content, chunk, first, termWeights) + this.#symbolScore(chunk, termWeights);
        first = chunk.last;
        if (own === 0) continue;
        found.push({
          file: file.path,
          content,
          chunk,
          score: own * worthOfFile + weights.fileShare * fileScore,
        });
      }
      return found;
    };
  }

  /** The question names what is declared here, or its words are the words of the name. */
  #symbolScore({ declares }: PreparedChunk, termWeights: Float64Array): number {
    let best = 0;
    for (const { name, owner, tokens, isHere } of declares) {
      const written = this.#names.get(name)?.weight ?? 0;
      const ofWritten = owner === undefined ? 0 : (this.#names.get(owner)?.weight ?? 0);
      const named = (weights.chunkNamed + (ofWritten > 0 ? weights.ownerNamed : 0)) * written;
      const words = weights.symbolWords * coverage(tokens, (token) => termWeights[token] ?? 0);
      best = Math.max(best, (isHere ? 1 : weights.around) * (named + weights.inNamed * ofWritten + words));
    }
    return best;
  }

  #pathScore(path: string): number {
    const weightOf = (token: string) => this.#terms.get(token) ?? 0;
    const { folders, name } = factsOf(path);
    let inFolders = 0;
    for (const token of folders) inFolders += weightOf(token);
    return this.#written(path) + weights.fileName * coverage(name, weightOf) + weights.folders * inFolders;
  }

  /** Whether the question writes this path, or a module that it is. */
  #written(path: string): number {
    const { paths, modules } = this.#question;
    let asPath = 0;
    for (const [place, [written, importance]] of paths.entries()) {
      if (path !== written && !path.endsWith(`/${written}`) && !written.endsWith(`/${path}`)) continue;
      asPath = Math.max(asPath, weights.path * importance * weights.earlierPath ** place);
    }
    const module = path.replace(/(?:\/(?:__init__|index|mod|lib))?\.\w+$/, "");
    let asModule = 0;
    for (const written of modules) {
      if (written === module || module.endsWith(`/${written}`)) asModule = 1;
      else if (written.startsWith(`${module}/`) && module.includes("/")) {
        const rest = written.slice(module.length + 1).split("/").length;
        asModule = Math.max(asModule, 1 / rest);
      }
    }
    return Math.max(asPath, weights.module * asModule);
  }

  #worth({ path, language }: IndexedFile): number {
    const { kind } = factsOf(path);
    const { text } = this.#question;
    const asked = text.length < 200 && asksFor[kind]?.test(text);
    return asked ? 1 : worth[kind] * (language || kind !== "source" ? 1 : weights.unparsed);
  }
}

/** Chunks that hold three words of the question in a row: a message, a piece of code. */
function favourPhrases(found: Scored[], query: string): void {
  const wanted = new Set(triples(query));
  found.sort((x, y) => y.score - x.score);
  for (const one of found.slice(0, 80)) {
    let met = 0;
    for (const triple of triples(textOf(one))) if (wanted.has(triple)) met++;
    one.score += weights.phrase * Math.min(3, met);
  }
}

function* triples(text: string): Iterable<string> {
  const words = text.toLowerCase().match(/[a-z_]{2,}/g) ?? [];
  for (let i = 2; i < words.length; i++) {
    const triple = `${words[i - 2]} ${words[i - 1]} ${words[i]}`;
    if (triple.length > 14) yield triple;
  }
}

function textScore(
  { tokens, counts }: PreparedFile,
  { last, length }: PreparedChunk,
  first: number,
  termWeights: Float64Array,
): number {
  const { k1, b } = weights;
  const norm = k1 * (1 - b + (b * length) / usualLength);
  let score = 0;
  for (let i = first; i < last; i++) {
    const weight = termWeights[tokens[i] as number];
    if (!weight) continue;
    const count = counts[i] as number;
    score += (weight * count * (k1 + 1)) / (count + norm);
  }
  return score;
}

/** The weight of the words that a name shares with the question, less when it has others. */
function coverage<T>(tokens: readonly T[], weightOf: (token: T) => number): number {
  let shared = 0;
  let sum = 0;
  for (const token of tokens) {
    const weight = weightOf(token);
    if (weight === 0) continue;
    shared++;
    sum += weight;
  }
  return shared === 0 ? 0 : sum * (shared / tokens.length);
}

interface PathFacts {
  kind: PathKind;
  folders: string[];
  name: string[];
}

const facts = new Map<string, PathFacts>();

/** Paths come again with every question: what they say is kept. */
function factsOf(path: string): PathFacts {
  let known = facts.get(path);
  if (!known) {
    const slash = path.lastIndexOf("/") + 1;
    const folders = path
      .slice(0, slash)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);
    const name = path.slice(slash).replace(/\.\w+$/, "");
    // A file that speaks for its folder has that one's name.
    const telling = /^(?:__init__|index|mod|lib|main)$/.test(name) ? (folders.at(-1) ?? name) : name;
    known = { kind: pathKind(path), folders: folders.flatMap(subTokens), name: subTokens(telling) };
    if (facts.size > 200_000) facts.clear();
    facts.set(path, known);
  }
  return known;
}

/** The best: at most two chunks of a file before other files had theirs, and the same text (copied files, generated variants) once. */
function firstOf(found: readonly Scored[], limit: number): Scored[] {
  const seen = new Set<string>();
  const perFile = new Map<string, number>();
  const first: Scored[] = [];
  const later: Scored[] = [];
  for (const one of found) {
    if (first.length >= limit) break;
    const count = perFile.get(one.file) ?? 0;
    const list = count < 2 ? first : later;
    if (list.length >= limit) continue;
    const key = textOf(one)
      .replace(/[\s\d]+/g, "")
      .slice(0, 4_000);
    if (seen.has(key)) continue;
    seen.add(key);
    perFile.set(one.file, count + 1);
    list.push(one);
  }
  return [...first, ...later].slice(0, limit);
}

const textOf = ({ content, chunk }: Scored) =>
  content.lines.slice(chunk.startLine - 1, chunk.endLine).join("\n");

function shown(one: Scored): FoundChunk {
  const { startLine, endLine, symbol } = one.chunk;
  return {
    file: one.file,
    startLine,
    endLine,
    ...(symbol && { symbol: qualifiedName(symbol), kind: symbol.kind, signature: symbol.signature }),
    score: one.score,
    text: textOf(one),
  };
}
