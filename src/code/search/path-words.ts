import { type PathKind, pathKind } from "../files/path-kind.ts";
import type { NumberedFiles } from "../word-index/live-segments.ts";
import { subTokens } from "../word-index/sub-tokens.ts";
import type { Question } from "./question.ts";
import { weights } from "./search-weights.ts";

/** The weight of a path's token in a question. */
export function tokenWeights(terms: ReadonlyMap<string, number>): (token: number) => number {
  const byToken = new Float64Array(pathTokens.size);
  for (const [term, weight] of terms) {
    const token = pathTokens.get(term);
    if (token !== undefined) byToken[token] = weight;
  }
  // A token that is met for the first time now is looked up when the next question comes.
  return (token) => byToken[token] ?? terms.get(tokenTexts[token] ?? "") ?? 0;
}

/** How much the question writes this path. */
export function writtenPath({ paths }: Question, path: string): number {
  let most = 0;
  for (const [place, [written, importance]] of paths.entries()) {
    if (path !== written && !path.endsWith(`/${written}`) && !written.endsWith(`/${path}`)) continue;
    most = Math.max(most, importance * weights.earlierPath ** place);
  }
  return most;
}

/** Whether the question writes a module that a path is, or members of it. */
export function writtenModule({ modules }: Question, path: string): number {
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

export interface PathFacts {
  kind: PathKind;
  /** The words of its folders and of its name, by number. */
  folders: number[];
  name: number[];
}

const known = new Map<string, PathFacts>();
const pathTokens = new Map<string, number>();
const tokenTexts: string[] = [];
const mostKnown = 200_000;

/** The number of a sub-token that some path has; -1 when none has it. */
export function pathTokenOf(term: string): number {
  return pathTokens.get(term) ?? -1;
}

const factsByNumber = new WeakMap<NumberedFiles, (PathFacts | undefined)[]>();

export function keptFacts(numbered: NumberedFiles): (PathFacts | undefined)[] {
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
