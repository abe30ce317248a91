import type { PathKind } from "../files/path-kind.ts";
import type { LiveSegments, NumberedFiles, WordHolders } from "../word-index/live-segments.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import { coverage } from "./coverage.ts";
import type { FileSignals, PlaceSignals } from "./file-signals.ts";
import {
  factsOf,
  keptFacts,
  type PathFacts,
  pathTokenOf,
  tokenWeights,
  writtenModule,
  writtenPath,
} from "./path-words.ts";
import type { Question } from "./question.ts";
import { weights } from "./search-weights.ts";

export interface RankedFile {
  file: IndexedFile;
  /** How much a file of its kind is asked for. */
  worth: number;
  /** What is known of it before it is opened. */
  signals: Omit<FileSignals, keyof PlaceSignals>;
}

interface Candidate {
  file: IndexedFile;
  number: number;
  score: number;
}

/** What past changes of a file say is looked at from here on. */
const littleChanged = 0.02;
/** Tests that are asked which files were changed with them, the best ones; one that fits half as well counts an eighth. */
const mostTests = 12;
const sharpness = 3;

/** What is known of a question's words before any file is opened. */
export interface FileEvidence {
  question: Question;
  /** Sub-token → weight, and who holds it. */
  terms: ReadonlyMap<string, number>;
  holders: ReadonlyMap<string, WordHolders>;
  /** Files that declare a name of the question → how much that counts. */
  declaring: ReadonlyMap<IndexedFile, number>;
  /** Paths of the question's stack traces → how near to where it happened, at most 1. */
  frames: ReadonlyMap<string, number>;
  /** Paths whose past changes fit the question → how well, at most 1. */
  changed: ReadonlyMap<string, number>;
  /** Files that hold names of the question → how much that tells. */
  mentioning: ReadonlyMap<IndexedFile, number>;
  /** Paths that were changed together with others → how often. */
  changedWith(others: ReadonlyMap<string, number>): ReadonlyMap<string, number>;
  worth(kind: PathKind, language: string): number;
}

/** The files to open, of all that hold anything of the question. One pass over numbers: there may be a hundred thousand. */
export function bestFiles(
  words: LiveSegments,
  evidence: FileEvidence,
  { under, mayRead, most }: { under: string; mayRead: (path: string) => boolean; most: number },
): RankedFile[] {
  const numbered = words.numbered();
  const scores = textScores(numbered, evidence);
  const pathScore = pathScorer(evidence);
  const best: Candidate[] = [];
  const changed: Candidate[] = [];
  const tests: Candidate[] = [];
  const facts = keptFacts(numbered);
  for (let number = 0; number < scores.length; number++) {
    const text = scores[number] as number;
    const file = text > 0 ? numbered.files[number] : undefined;
    if (!file) continue;
    const { path } = file;
    if (under !== "." && path !== under && !path.startsWith(`${under}/`)) continue;
    const ofPath = facts[number] ?? factsOf(path);
    facts[number] = ofPath;
    if (ofPath.kind === "test" && isAmong(tests, text, mostTests) && mayRead(path))
      keepBest(tests, { file, number, score: text }, mostTests);
    const declared = weights.fileNamed * (evidence.declaring.get(file) ?? 0);
    const own = text + declared + pathScore(path, ofPath);
    const score = own * evidence.worth(ofPath.kind, file.language);
    const isAmongBest = isAmong(best, score, most);
    const isChanged = (evidence.changed.get(path) ?? 0) > littleChanged;
    if (!(isAmongBest || isChanged) || !mayRead(path)) continue;
    const ranked = { file, number, score };
    if (isChanged) changed.push(ranked);
    if (isAmongBest) keepBest(best, ranked, most);
  }
  const candidates = comparedWithBest([...new Set([...best, ...changed])], evidence).slice(0, most);
  const signalsOf = signalReader(numbered, evidence);
  const changedWithTests = evidence.changedWith(sharpened(tests));
  return candidates.map(({ file, number }) => ({
    file,
    worth: evidence.worth(factsOf(file.path).kind, file.language),
    signals: {
      ...signalsOf(file, number),
      changedWithTests: changedWithTests.get(file.path) ?? 0,
    },
  }));
}

function isAmong(best: readonly Candidate[], score: number, most: number): boolean {
  return best.length < most || score > (best.at(-1)?.score ?? 0);
}

/** Puts a candidate in its place among the best ones. */
function keepBest(best: Candidate[], candidate: Candidate, most: number): void {
  let at = best.length;
  while (at > 0 && (best[at - 1]?.score ?? 0) < candidate.score) at--;
  best.splice(at, 0, candidate);
  if (best.length > most) best.pop();
}

/** Paths → how well they fit compared with the best one. */
function sharpened(files: readonly Candidate[]): Map<string, number> {
  const best = files[0]?.score ?? 1;
  return new Map(files.map(({ file, score }) => [file.path, (score / best) ** sharpness]));
}

/** Reads what speaks for a file from all that is known of the question's words. */
function signalReader(numbered: NumberedFiles, evidence: FileEvidence) {
  const { question, terms, holders } = evidence;
  const weightOf = tokenWeights(terms);
  const titleTerms = [...holders].flatMap(([term, held]) =>
    question.title.has(term) ? [{ weight: terms.get(term) ?? 0, token: pathTokenOf(term), ...held }] : [],
  );
  const titleWeight = titleTerms.reduce((sum, { weight }) => sum + weight, 0);
  return (file: IndexedFile, number: number): Omit<RankedFile["signals"], "changedWithTests"> => {
    const { name, folders } = factsOf(file.path);
    const norm = lengthNorm(numbered, number);
    let title = 0;
    let covered = 0;
    for (const { weight, token, numbers, counts } of titleTerms) {
      const count = counts[placeIn(numbers, number)] ?? 0;
      if (count > 0) title += (weight * count) / (count + norm);
      if (count > 0 || name.includes(token)) covered += weight;
    }
    return {
      title,
      titleCoverage: titleWeight > 0 ? covered / titleWeight : 0,
      pastChanges: evidence.changed.get(file.path) ?? 0,
      mentions: evidence.mentioning.get(file) ?? 0,
      path: writtenPath(question, file.path),
      module: writtenModule(question, file.path),
      frame: evidence.frames.get(file.path) ?? 0,
      fileName: coverage(name, weightOf),
      folders: folders.reduce((sum, token) => sum + weightOf(token), 0),
    };
  };
}

/** Where a number stands in a sorted list; -1 when it does not. */
function placeIn(numbers: readonly number[], wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? low : -1;
}

/**
 * The file whose past changes fit best, and the file whose name fits best, rise by a share of the best score; others by as
 * much less as they fit less. However many words a question has, these two then count the same.
 */
function comparedWithBest(files: readonly Candidate[], evidence: FileEvidence): Candidate[] {
  const best = largest(files.map(({ score }) => score));
  const facts = files.map(({ file }) => factsOf(file.path));
  const weightOf = tokenWeights(evidence.terms);
  const worth = files.map(({ file }, i) => evidence.worth(facts[i]?.kind ?? "source", file.language));
  const share = (fit: number[]) => {
    const counted = fit.map((one, i) => one * (worth[i] ?? 0));
    const most = largest(counted);
    return (i: number) => (most > 0 ? (counted[i] ?? 0) / most : 0);
  };
  const changed = share(files.map(({ file }) => evidence.changed.get(file.path) ?? 0));
  const named = share(facts.map(({ name }) => coverage(name, weightOf)));
  return files
    .map((candidate, i) => {
      const shares = weights.pastChanges * changed(i) + weights.bestFileName * named(i);
      return { ...candidate, score: candidate.score + best * shares };
    })
    .sort((a, b) => b.score - a.score);
}

function textScores(numbered: NumberedFiles, { terms, holders }: FileEvidence): Float64Array {
  const scores = new Float64Array(numbered.lengths.length);
  for (const [term, { numbers, counts }] of holders) {
    const weight = (terms.get(term) ?? 0) * (weights.k1 + 1);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] as number;
      const count = counts[i] as number;
      (scores[number] as number) += (weight * count) / (count + lengthNorm(numbered, number));
    }
  }
  return scores;
}

/** BM25: how much the length of a file counts against it. */
function lengthNorm({ lengths, average }: NumberedFiles, number: number): number {
  const { k1, b } = weights;
  return k1 * (1 - b + (b * (lengths[number] as number)) / average);
}

function pathScorer({ question, terms }: FileEvidence): (path: string, facts: PathFacts) => number {
  const weightOf = tokenWeights(terms);
  const namesFiles = question.paths.length + question.modules.size > 0;
  return (path, { folders, name }) => {
    let inFolders = 0;
    for (const token of folders) inFolders += weightOf(token);
    const written = namesFiles
      ? Math.max(weights.path * writtenPath(question, path), weights.module * writtenModule(question, path))
      : 0;
    return written + weights.fileName * coverage(name, weightOf) + weights.folders * inFolders;
  };
}

/** There may be more numbers than a call takes arguments. */
const largest = (numbers: readonly number[]) => numbers.reduce((most, number) => Math.max(most, number), 0);
