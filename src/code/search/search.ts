import type { PastCommit } from "../files/files.ts";
import type { PathKind } from "../files/path-kind.ts";
import type { Project } from "../project/project.ts";
import type { Declaration } from "../syntax/syntax.ts";
import type { WordHolders } from "../word-index/live-segments.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import { subTokens } from "../word-index/sub-tokens.ts";
import type { Vocabulary } from "../word-index/vocabulary.ts";
import { kindsAskedFor } from "./asked-kinds.ts";
import { coverage } from "./coverage.ts";
import { bestFiles, type RankedFile } from "./file-ranking.ts";
import { combinedScores, type FileSignals } from "./file-signals.ts";
import { PastChanges } from "./past-changes.ts";
import { bestPlaces, type FoundPlace, type ScoredChunk } from "./places.ts";
import { type PreparedChunk, PreparedChunks, type PreparedFile } from "./prepared-chunks.ts";
import { type Question, readQuestion } from "./question.ts";
import { weights, worth } from "./search-weights.ts";
import { filesOfFrames } from "./stack-frames.ts";

/** Files whose chunks are looked at; the ranking of files decides which. */
const filesRead = 40;
/** A chunk's usual length in sub-tokens. */
const usualLength = 250;

/** Tests that stand beside what they test, in a module of their own. */
function isInTests(all: readonly Declaration[], { name, kind, parent }: Declaration): boolean {
  if (kind === "module" && /^tests?$/.test(name)) return true;
  const around = all[parent];
  return around !== undefined && isInTests(all, around);
}

const printsHelp = /(?:help|help_?text)$|^(?:print|show)_?usage/i;

/**
 * The places that fit a question in words or names, best first. Places are judged by BM25 over the words inside
 * identifiers, more where they declare what the question names; files by their best places and by what else is known of
 * them. The best place of a file stands as high as the file does.
 */
export async function searchCode(
  project: Project,
  query: string,
  {
    under = ".",
    limit = 20,
    mayRead = () => true,
  }: { under?: string; limit?: number; mayRead?: ((path: string) => boolean) | undefined } = {},
): Promise<FoundPlace[]> {
  const ranking = new Ranking(project, query, pastChangesOf(await project.history.commits()));
  const opened = await openedFiles(project, ranking, under, mayRead);
  const chunks = scoredChunks(opened, (chunk) => ranking.worthOfHelp(chunk));
  chunks.sort(
    (x, y) => y.score - x.score || (x.file < y.file ? -1 : 1) || x.chunk.startLine - y.chunk.startLine,
  );
  return bestPlaces(
    chunks,
    limit,
    (line) => ranking.weightOfLine(line),
    (text) => ranking.shareOf(text),
  );
}

/** What speaks for each file that a search opens: for whoever learns what that counts. */
export async function signalsOfFiles(
  project: Project,
  query: string,
): Promise<{ path: string; worth: number; signals: FileSignals }[]> {
  const ranking = new Ranking(project, query, pastChangesOf(await project.history.commits()));
  const opened = await openedFiles(project, ranking, ".", () => true);
  return opened.map(({ file, worth, signals }) => ({ path: file.path, worth, signals }));
}

interface OpenedFile extends RankedFile {
  content: PreparedFile;
  /** How well each of its chunks fits. */
  fits: number[];
  signals: FileSignals;
}

async function openedFiles(
  project: Project,
  ranking: Ranking,
  under: string,
  mayRead: (path: string) => boolean,
): Promise<OpenedFile[]> {
  const prepared = preparedFor(project);
  return prepared.during(async (vocabulary) => {
    const judge = ranking.chunkJudge(vocabulary);
    const opened: OpenedFile[] = [];
    for (const ranked of ranking.files(under, mayRead)) {
      const content = await prepared.of(project, ranked.file);
      if (!content) continue;
      const { fits, bestName } = judge(content);
      const [bestPlace = 0, secondPlace = 0] = [...fits].sort((x, y) => y - x);
      opened.push({
        ...ranked,
        ...{ content, fits },
        signals: { ...ranked.signals, bestPlace, secondPlace, bestName },
      });
    }
    return opened;
  });
}

function scoredChunks(
  opened: readonly OpenedFile[],
  worthOfHelp: (chunk: PreparedChunk) => number,
): ScoredChunk[] {
  const scores = combinedScores(opened);
  return opened.flatMap(({ file, content, fits }, i) => {
    const best = fits.reduce((x, y) => Math.max(x, y), 0);
    return content.chunks.flatMap((chunk, place) => {
      const fit = fits[place] ?? 0;
      if (fit === 0) return [];
      const within = 1 - weights.withinFile * (1 - fit / best);
      return [{ file: file.path, content, chunk, score: (scores[i] ?? 0) * within * worthOfHelp(chunk) }];
    });
  });
}

/** How much a text speaks of what a question asks for: its words, each once, by how rare they are. */
export function relevanceTo(project: Project, question: string): (text: string) => number {
  const ranking = new Ranking(project, question);
  return (text) => ranking.weightOfLine(text);
}

/** The words of a question that stand in a text, in their basic form. */
export function wordsAskedFor(project: Project, question: string): (text: string) => string[] {
  const ranking = new Ranking(project, question);
  return (text) => ranking.termsIn(text);
}

/** Projects that share an index share these, too. */
const preparedBy = new WeakMap<object, PreparedChunks>();

function preparedFor(project: Project): PreparedChunks {
  const key = project.sharedIndex ?? project;
  const prepared = preparedBy.get(key) ?? new PreparedChunks();
  preparedBy.set(key, prepared);
  return prepared;
}

const changesOf = new WeakMap<readonly PastCommit[], PastChanges>();

function pastChangesOf(commits: readonly PastCommit[]): PastChanges {
  const changes = changesOf.get(commits) ?? new PastChanges(commits);
  changesOf.set(commits, changes);
  return changes;
}

class Ranking {
  readonly #project: Project;
  readonly #pastChanges: PastChanges | undefined;
  readonly #question: Question;
  /** Sub-token → weight: how rare it is, and how much the question is about it. */
  readonly #terms = new Map<string, number>();
  readonly #holders = new Map<string, WordHolders>();
  readonly #asked: ReadonlySet<PathKind>;
  readonly #isAboutHelp: boolean;
  /** The weight of words that no file has. */
  #unknown = 0;
  readonly #names = new Map<string, { weight: number; files: IndexedFile[] }>();
  /** Files that hold names of the question → how much that tells. */
  readonly #mentioning = new Map<IndexedFile, number>();

  constructor(project: Project, query: string, pastChanges?: PastChanges) {
    this.#project = project;
    this.#pastChanges = pastChanges;
    this.#asked = kindsAskedFor(query);
    this.#isAboutHelp = /\bhelp|\busage/i.test(query);
    const question = readQuestion(query);
    this.#question = question;
    const total = project.words.size;
    const rarity = (holders: number) => Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
    for (const [term, importance] of question.terms) {
      const holders = project.words.withSubToken(term);
      if (holders.numbers.length === 0) {
        if (importance > weights.joined) this.#unknown += rarity(0) ** weights.rarity * importance;
        continue;
      }
      this.#holders.set(term, holders);
      this.#terms.set(term, rarity(holders.numbers.length) ** weights.rarity * importance);
    }
    this.#limitBody();
    for (const [name, importance] of question.names) {
      const holders = project.words.withWord(name);
      const telling = importance * (rarity(holders.length) / rarity(1));
      for (const { file } of holders) this.#mentioning.set(file, (this.#mentioning.get(file) ?? 0) + telling);
      const files = holders.flatMap(({ file, declared }) => (declared ? [file] : []));
      if (files.length === 0) continue;
      const rare = (rarity(files.length) / rarity(1)) ** weights.namedRarity;
      this.#names.set(name, { weight: importance * rare, files });
    }
  }

  /** However long the rest is, what it is about is said first. */
  #limitBody(): void {
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

  /** The files to open. */
  files(under: string, mayRead: (path: string) => boolean): RankedFile[] {
    const declaring = new Map<IndexedFile, number>();
    for (const { weight, files } of this.#names.values()) {
      for (const file of files) declaring.set(file, (declaring.get(file) ?? 0) + weight);
    }
    const evidence = {
      question: this.#question,
      terms: this.#terms,
      holders: this.#holders,
      declaring,
      frames: filesOfFrames(this.#question.frames, (path) => this.#project.words.has(path)),
      changed: this.#pastChanges?.fit(this.#importance()) ?? new Map(),
      mentioning: this.#mentioning,
      changedWith: (others: ReadonlyMap<string, number>) =>
        this.#pastChanges?.changedWith(others) ?? new Map(),
      worth: (kind: PathKind, language: string) => this.#worth(kind, language),
    };
    return bestFiles(this.#project.words, evidence, { under, mayRead, most: filesRead });
  }

  /** Sub-token → how much the question is about it; the text below the first line says little about past changes. */
  #importance(): Map<string, number> {
    const { terms, title, issues } = this.#question;
    return new Map([
      ...[...terms.keys()].map((term): [string, number] => [
        term,
        title.has(term) ? 1 : weights.bodyOfChange,
      ]),
      ...[...issues].map((issue): [string, number] => [issue, 1]),
    ]);
  }

  /** The share of the question's first line that a text speaks of; words that no file has count, too. */
  shareOf(text: string): number {
    let all = this.#unknown;
    for (const [term, weight] of this.#terms) if (this.#question.title.has(term)) all += weight;
    return all === 0 ? 1 : Math.min(1, this.weightOfLine(text) / all);
  }

  /** How much of the question a line speaks of. */
  weightOfLine(line: string): number {
    return this.termsIn(line).reduce((sum, term) => sum + (this.#terms.get(term) ?? 0), 0);
  }

  termsIn(line: string): string[] {
    const terms = new Set<string>();
    for (const [word] of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu))
      for (const term of subTokens(word)) if (this.#terms.has(term)) terms.add(term);
    return [...terms];
  }

  /** Tells how well the chunks of a file fit, one file after the other. */
  chunkJudge(vocabulary: Vocabulary) {
    const terms = new Map<number, number>();
    for (const [term, weight] of this.#terms) terms.set(vocabulary.numberOf(term), weight);
    // Numbers that come later are of no term.
    const termWeights = new Float64Array(Math.max(0, ...terms.keys()) + 1);
    for (const [number, weight] of terms) termWeights[number] = weight;
    return (content: PreparedFile) => {
      let first = 0;
      let bestName = 0;
      const fits = content.chunks.map((chunk) => {
        const { score, named } = this.#symbolScore(chunk, termWeights);
        const fit = textScore(content, chunk, first, termWeights) + score;
        first = chunk.last;
        bestName = Math.max(bestName, named);
        return fit * this.#worthOfSymbol(content, chunk);
      });
      return { fits, bestName };
    };
  }

  #worthOfSymbol({ declarations }: PreparedFile, { symbol }: PreparedChunk): number {
    if (!symbol) return weights.undeclared;
    return !this.#asked.has("test") && isInTests(declarations, symbol) ? worth.test : 1;
  }

  /** What prints help does not stand higher because its file fits. */
  worthOfHelp({ symbol }: PreparedChunk): number {
    return symbol && !this.#isAboutHelp && printsHelp.test(symbol.name) ? weights.help : 1;
  }

  /** The question names what is declared here, or its words are the words of the name. */
  #symbolScore({ declares }: PreparedChunk, termWeights: Float64Array) {
    const best = { score: 0, named: 0 };
    for (const { name, owner, tokens, isHere } of declares) {
      const written = this.#names.get(name)?.weight ?? 0;
      const ofWritten = owner === undefined ? 0 : (this.#names.get(owner)?.weight ?? 0);
      const near = isHere ? 1 : weights.around;
      const ownNamed = (weights.chunkNamed + (ofWritten > 0 ? weights.ownerNamed : 0)) * written;
      const named = near * (ownNamed + weights.inNamed * ofWritten);
      const words = near * weights.symbolWords * coverage(tokens, (token) => termWeights[token] ?? 0);
      best.score = Math.max(best.score, named + words);
      best.named = Math.max(best.named, named);
    }
    return best;
  }

  /** How much a file of this kind is asked for. */
  #worth(kind: PathKind, language: string): number {
    if (this.#asked.has(kind)) return 1;
    return worth[kind] * (language || kind !== "source" ? 1 : weights.unparsed);
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
