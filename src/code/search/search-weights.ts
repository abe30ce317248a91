import type { PathKind } from "../files/path-kind.ts";
import type { LineKind } from "./issue-lines.ts";

/** What counts how much. Set on issues of real projects and the files that their fixes changed. */
export const weights = {
  /** What names and paths in the first line of a question count, compared with those below it. */
  title: 1.4,
  /** What words count, by the line of the question that they stand in. */
  lines: { title: 0.95, prose: 1, code: 0.5, trace: 0.25, form: 0.25 } satisfies Record<LineKind, number>,
  /** Words between backticks; of one or two letters; a name as a whole, beside its parts. */
  quoted: 1.5,
  short: 0.45,
  whole: 0.75,
  /** For each time a word comes again. */
  repeated: 0.15,
  /** Words that stand in most questions, and in many: what they are about is told by the others. */
  mostQuestions: 0.2,
  manyQuestions: 0.5,
  /** Two words of the first line that may be one: "time zone". */
  joined: 0.25,
  /** A capitalised word inside a sentence may be a name. */
  capitalised: 0.5,
  /** BM25: how soon repetition stops to count, and how much length counts against. */
  k1: 1.2,
  b: 0.6,
  /** How much rarity of a word matters; of a name. */
  rarity: 1.15,
  namedRarity: 2,
  /** All that follows the first line counts at most so much as that one. */
  bodyShare: 2.5,
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
  path: 25,
  earlierPath: 0.9,
  module: 6,
  /** A module in the first line, compared with one below it. */
  titleModule: 6,
  /** A module whose file stands for a whole folder. */
  packageFile: 0.3,
  /** Shares of the best score, for the file whose past changes fit best and for the one whose name does. */
  pastChanges: 0.5,
  bestFileName: 0.3,
  /** What words below the first line of a question count in past changes. */
  bodyOfChange: 0.3,
  /** How much places of one file differ by how well each of them fits. */
  withinFile: 0.6,
  /** What only prints help: it mentions everything and does nothing of it. */
  help: 0.5,
  /** A stretch of a file that declares nothing. */
  undeclared: 0.8,
  /** Files in no language that is parsed: data, texts. */
  unparsed: 0.6,
};

/**
 * What speaks how much for a file that was opened. Learned from issues and the files that their fixes changed, so that the
 * order of other projects' files came out best.
 */
export const signalWeights = {
  /** How well its best place fits, and its second one; how well one of its declarations has a name of the question. */
  bestPlace: 33,
  secondPlace: 10,
  bestName: 4,
  /** What past commits that changed it said; how often tests that speak of the question were changed together with it. */
  pastChanges: 21,
  changedWithTests: 11,
  /** Words of the question's first line: how often they stand in it, and which share of them stands in it or in its name. */
  title: 9,
  titleCoverage: 8,
  /** Names of the question that stand in it, declared or used. */
  mentions: 7,
  /** The question writes its path, or the module that it is; a stack trace of the question goes through it. */
  path: 25,
  module: 9,
  frame: 10,
  /** Words of the folders around it, and of its name. */
  folders: 7,
  fileName: 9,
};

/** What is asked for less, unless the question says so. */
export const worth: Record<PathKind, number> = {
  source: 1,
  test: 0.3,
  example: 0.45,
  docs: 0.3,
  generated: 0.35,
  vendored: 0.4,
};
