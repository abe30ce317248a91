import { type PathKind, pathKind } from "../files/path-kind.ts";
import type { LiveSegments, NumberedFiles, WordHolders } from "../word-index/live-segments.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import { subTokens } from "../word-index/sub-tokens.ts";
import { coverage } from "./coverage.ts";
import type { FileSignals } from "./file-signals.ts";
import type { Question } from "./question.ts";
import { weights } from "./search-weights.ts";

export interface RankedFile {
  file: IndexedFile;
  /** How much a file of its kind is asked for. */
  worth: number;
  /** What is known of it before it is opened. */
  signals: Omit<FileSignals, "bestPlace" | "secondPlace">;
}

interface Candidate {
  file: IndexedFile;
  number: number;
  score: number;
}

/** What past changes of a file say is looked at from here on. */
const littleChanged = 0.02;

/** What is known of a question's words before any file is opened. */
export interface FileEvidence {
  question: Question;
  /** Sub-token → weight, and who holds it. */
  terms: ReadonlyMap<string, number>;
  holders: ReadonlyMap<string, WordHolders>;
  /** Files that declare a name of the question → how much that counts. */
  declaring: ReadonlyMap<IndexedFile, number>;
  /** Files that declare a member of the question and what it belongs to → how much that tells, at most 1. */
  members: ReadonlyMap<IndexedFile, number>;
  /** Paths of the question's stack traces → how near to where it happened, at most 1. */
  frames: ReadonlyMap<string, number>;
  /** Paths whose past changes fit the question → how well, at most 1. */
  changed: ReadonlyMap<string, number>;
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
  const facts = keptFacts(numbered);
  for (let number = 0; number < scores.length; number++) {
    const text = scores[number] as number;
    const file = text > 0 ? numbered.files[number] : undefined;
    if (!file) continue;
    const { path } = file;
    if (under !== "." && path !== under && !path.startsWith(`${under}/`)) continue;
    const ofPath = facts[number] ?? factsOf(path);
    facts[number] = ofPath;
    const declared = weights.fileNamed * (evidence.declaring.get(file) ?? 0);
    const own = text + declared + pathScore(path, ofPath);
    const score = own * evidence.worth(ofPath.kind, file.language);
    const isAmongBest = best.length < most || score > (best.at(-1)?.score ?? 0);
    const isChanged = (evidence.changed.get(path) ?? 0) > littleChanged;
    if (!(isAmongBest || isChanged) || !mayRead(path)) continue;
    const ranked = { file, number, score };
    if (isChanged) changed.push(ranked);
    if (!isAmongBest) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at--;
    best.splice(at, 0, ranked);
    if (best.length > most) best.pop();
  }
  const candidates = comparedWithBest([...new Set([...best, ...changed])], evidence).slice(0, most);
  const signalsOf = signalReader(numbered, evidence);
  return candidates.map(({ file, number }) => ({
    file,
    worth: evidence.worth(factsOf(file.path).kind, file.language),
    signals: signalsOf(file, number),
  }));
}

/** Reads what speaks for a file from all that is known of the question's words. */
function signalReader(numbered: NumberedFiles, evidence: FileEvidence) {
  const { question, terms, holders } = evidence;
  const weightOf = tokenWeights(terms);
  const titleTerms = [...holders].flatMap(([term, held]) =>
    question.title.has(term)
      ? [{ weight: terms.get(term) ?? 0, token: pathTokens.get(term) ?? -1, ...held }]
      : [],
  );
  const titleWeight = titleTerms.reduce((sum, { weight }) => sum + weight, 0);
  return (file: IndexedFile, number: number): RankedFile["signals"] => {
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
      declares: evidence.declaring.get(file) ?? 0,
      members: evidence.members.get(file) ?? 0,
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

/** The weight of a path's token in a question. */
function tokenWeights(terms: ReadonlyMap<string, number>): (token: number) => number {
  const byToken = new Float64Array(pathTokens.size);
  for (const [term, weight] of terms) {
    const token = pathTokens.get(term);
    if (token !== undefined) byToken[token] = weight;
  }
  // A token that is met for the first time now is looked up when the next question comes.
  return (token) => byToken[token] ?? terms.get(tokenTexts[token] ?? "") ?? 0;
}

/** How much the question writes this path. */
function writtenPath({ paths }: Question, path: string): number {
  let most = 0;
  for (const [place, [written, importance]] of paths.entries()) {
    if (path !== written && !path.endsWith(`/${written}`) && !written.endsWith(`/${path}`)) continue;
    most = Math.max(most, importance * weights.earlierPath ** place);
  }
  return most;
}

/** Whether the question writes a module that a path is, or members of it. */
function writtenModule({ modules }: Question, path: string): number {
  const file = path.replace(/\.\w+$/, "");
  const module = file.replace(/\/(?:__init__|index|mod|lib)$/, "");
  let most = 0;
  for (const [written, importance] of modules) {
    if (written === module || module.endsWith(`/${written}`)) most = Math.max(most, importance);
    else if (written.startsWith(`${module}/`) && module.includes("/")) {
      const rest = written.slice(module.length + 1).split("/").length;
      most = Math.max(most, importance / rest);
    }
  }
  // What is imported from a package is seldom defined in the file that stands for it.
  return module === file ? most : most * weights.packageFile;
}

interface PathFacts {
  kind: PathKind;
  /** The words of its folders and of its name, by number. */
  folders: number[];
  name: number[];
}

const known = new Map<string, PathFacts>();
const pathTokens = new Map<string, number>();
const tokenTexts: string[] = [];
const mostKnown = 200_000;

const factsByNumber = new WeakMap<NumberedFiles, (PathFacts | undefined)[]>();

function keptFacts(numbered: NumberedFiles): (PathFacts | undefined)[] {
  const kept = factsByNumber.get(numbered) ?? new Array<PathFacts | undefined>(numbered.files.length);
  factsByNumber.set(numbered, kept);
  return kept;
}

/** Paths come again with every question: what they say is kept. */
export function factsOf(path: string): PathFacts {
  let facts = known.get(path);
  if (!facts) {
    const slash = path.lastIndexOf("/") + 1;
    const folders = path
      .slice(0, slash)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);
    const name = path.slice(slash).replace(/\.\w+$/, "");
    // A file that speaks for its folder has that one's name.
    const telling = /^(?:__init__|index|mod|lib|main)$/.test(name) ? (folders.at(-1) ?? name) : name;
    facts = { kind: pathKind(path), folders: folders.flatMap(numbersOf), name: numbersOf(telling) };
    if (known.size >= mostKnown) known.clear();
    known.set(path, facts);
  }
  return facts;
}

function numbersOf(name: string): number[] {
  return subTokens(name).map((token) => {
    let number = pathTokens.get(token);
    if (number === undefined) {
      number = tokenTexts.push(token) - 1;
      pathTokens.set(token, number);
    }
    return number;
  });
}
