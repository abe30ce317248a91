import { subTokens } from "./sub-tokens.ts";

/** What a question in words, names, an error message or an issue text asks for. */
export interface Question {
  text: string;
  /** Sub-token → how much the question is about it. */
  terms: Map<string, number>;
  /** Sub-tokens of its first line. */
  title: Set<string>;
  /** Names that are written as such → how much. */
  names: Map<string, number>;
  /** Files that it names and how much, the last one first: a traceback ends where it happened. */
  paths: [path: string, weight: number][];
  /** Modules or members of modules that it names, as paths. */
  modules: string[];
}

export const questionWeights = {
  /** What stands in the first line says what the rest is about. */
  title: 4,
  /** For each time a word comes again. */
  repeated: 0.15,
  /** Words that are not written as names. */
  prose: 1,
  /** Lines of code or output. */
  inCode: 0.7,
  /** Two words that may be one: "time zone". */
  joined: 0.5,
  /** Capitalised words inside a sentence; and any other word: it may happen to be a name. */
  capitalised: 0.5,
  plainName: 0,
};

const mostTerms = 120;

export function readQuestion(text: string): Question {
  const terms = new Map<string, number>();
  const names = new Map<string, number>();
  const paths = new Map<string, number>();
  let title = new Set<string>();
  const add = (term: string, weight: number) => {
    const before = terms.get(term);
    if (before !== undefined)
      terms.set(term, Math.max(weight, before) + questionWeights.repeated * Math.min(weight, 1));
    else if (terms.size < mostTerms) terms.set(term, weight);
  };
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const isCode = looksLikeCode(line);
    const inLine =
      index === 0 && lines.length > 1 ? questionWeights.title : isCode ? questionWeights.inCode : 1;
    let before = "";
    for (const match of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      const [word] = match;
      const shape = shapeOf(line, word, match.index);
      const isStop = stopWords.has(word.toLowerCase());
      if (shape === 1 || (shape > 0 && !isStop))
        names.set(word, Math.max(names.get(word) ?? 0, shape * inLine));
      if (isStop) {
        before = "";
        continue;
      }
      for (const term of subTokens(word)) add(term, inLine * (shape === 1 ? 1 : questionWeights.prose));
      if (questionWeights.joined > 0 && before && shape < 1 && !isCode)
        for (const term of subTokens((before + word).toLowerCase()))
          add(term, inLine * questionWeights.joined);
      before = shape < 1 ? word : "";
    }
    if (index === 0) title = new Set(terms.keys());
    for (const path of pathsIn(line)) paths.set(path, Math.max(paths.get(path) ?? 0, inLine));
  }
  return { text, terms, title, names, paths: [...paths].reverse(), modules: modulesIn(text) };
}

const looksLikeCode = (line: string) =>
  /^(?:\s{4}|\t{2}|>>>|\.\.\.|\$ |#|\s*(?:import|from|def|class|return|raise|print|File|at|in)\b.*[(:;"]|.*[;{}]\s*$)|\w\s*=\s*\S|\)\s*:?$/.test(
    line,
  );

/** 1 for what is written as a name: with an underscore, a capital inside, a dot before it, a parenthesis behind, or quoted. */
function shapeOf(text: string, word: string, at: number): number {
  const before = text[at - 1] ?? "";
  const after = text[at + word.length] ?? "";
  if (
    /_|[a-z\d][A-Z]|^[A-Z][a-z]+[A-Z]/.test(word.replace(/^_+|_+$/g, "")) ||
    after === "(" ||
    before === "`" ||
    (before === "." && /[\w)\]]/.test(text[at - 2] ?? "")) ||
    text.trim() === word ||
    /line \d+, in $/.test(text.slice(Math.max(0, at - 24), at))
  )
    return 1;
  if (/^\p{Lu}\p{Ll}/u.test(word) && /[\p{Ll}\p{N},(]\s?$/u.test(text.slice(Math.max(0, at - 2), at)))
    return questionWeights.capitalised;
  return questionWeights.plainName;
}

function pathsIn(text: string): string[] {
  return [...text.matchAll(/[\w./\\-]*\w\.\w{1,5}\b/g)].map(([path]) =>
    path.replaceAll("\\", "/").replace(/^.*site-packages\/|^\.*\//, ""),
  );
}

/** Dotted names, as paths: `a.b.c` is `a/b/c`. */
function modulesIn(text: string): string[] {
  const written = text.match(/(?<![\w./])[\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::)[\p{L}_][\p{L}\p{N}_]*)+/gu) ?? [];
  return [...new Set(written)].map((name) => name.replaceAll(/\.|::/g, "/"));
}

const stopWords = new Set(
  "a an and are as at be by can do does for from has have how i if in into is it its me my not of on or our should so that the their them then there these they this to was we were what when where which who why will with would you your".split(
    " ",
  ),
);
