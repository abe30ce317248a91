import { subTokens } from "../word-index/sub-tokens.ts";
import { tellingShare } from "./common-words.ts";
import { lineKinds } from "./issue-lines.ts";
import { weights } from "./search-weights.ts";
import { framesIn } from "./stack-frames.ts";

/** What a question in words, names, an error message or an issue text asks for. */
export interface Question {
  /** Sub-token → how much the question is about it. */
  terms: Map<string, number>;
  /** Sub-tokens of its first line. */
  title: Set<string>;
  /** Names that are written as such → how much. */
  names: Map<string, number>;
  /** Files that it names and how much, the last one first: a traceback ends where it happened. */
  paths: [path: string, weight: number][];
  /** Modules or members of modules that it names, as paths → how much. */
  modules: Map<string, number>;
  /** Files of its stack traces, where it happened first. */
  frames: string[];
  /** Issues or changes that it names by number: `#1234`. */
  issues: Set<string>;
}

const mostTerms = 120;

export function readQuestion(text: string): Question {
  const terms = new Map<string, number>();
  const names = new Map<string, number>();
  const paths = new Map<string, number>();
  let title = new Set<string>();
  const add = (term: string, weight: number) => {
    const before = terms.get(term);
    if (before !== undefined)
      terms.set(term, Math.max(weight, before) + weights.repeated * Math.min(weight, 1));
    else if (terms.size < mostTerms) terms.set(term, weight);
  };
  const lines = text.split("\n");
  const kinds = lineKinds(lines);
  for (const [index, line] of lines.entries()) {
    const ofLine = index === 0 && lines.length > 1 ? weights.title : 1;
    const kind = kinds[index] ?? "prose";
    const isText = kind === "title" || kind === "prose";
    let before = "";
    for (const { 0: word, index: at } of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      const likeness = nameLikeness(line, word, at);
      const isStop = stopWords.has(word.toLowerCase());
      if (likeness === 1 || (likeness > 0 && !isStop))
        names.set(word, Math.max(names.get(word) ?? 0, likeness * ofLine));
      if (!isStop) {
        const weight = weights.lines[kind] * (isText && isQuoted(line, at) ? weights.quoted : 1);
        for (const [term, share] of termsOf(word)) add(term, weight * share);
        if (before && likeness < 1 && index === 0)
          for (const term of subTokens((before + word).toLowerCase())) add(term, weights.joined);
      }
      before = isStop || likeness === 1 ? "" : word;
    }
    if (index === 0) title = new Set(terms.keys());
    for (const path of pathsIn(line)) paths.set(path, Math.max(paths.get(path) ?? 0, ofLine));
  }
  for (const [term, weight] of terms) terms.set(term, weight * tellingShare(term));
  return {
    ...{ terms, title, names, paths: [...paths].reverse() },
    modules: modulesIn(text),
    frames: framesIn(text),
    issues: new Set([...text.matchAll(issueNumber)].map(([, number]) => `#${number}`)),
  };
}

/** The sub-tokens of a word; those that tell less count less. */
function termsOf(word: string): [term: string, share: number][] {
  const parts = subTokens(word);
  return parts.map((term, i) => [
    term,
    (term.length <= 2 ? weights.short : 1) * (i > 0 && i === parts.length - 1 ? weights.whole : 1),
  ]);
}

/** Whether a word stands between backticks. */
function isQuoted(line: string, at: number): boolean {
  let quotes = 0;
  for (let i = line.indexOf("`"); i >= 0 && i < at; i = line.indexOf("`", i + 1)) quotes++;
  return quotes % 2 === 1;
}

/**
 * 1 for what is written as a name: with an underscore, a capital inside, a dot before it, a parenthesis behind, quoted,
 * in a traceback, or as the whole question.
 */
function nameLikeness(line: string, word: string, at: number): number {
  const before = line[at - 1] ?? "";
  const isName =
    /_|[a-z\d][A-Z]|^[A-Z][a-z]+[A-Z]/.test(word.replace(/^_+|_+$/g, "")) ||
    line[at + word.length] === "(" ||
    before === "`" ||
    (before === "." && /[\w)\]]/.test(line[at - 2] ?? "")) ||
    line.trim() === word ||
    /line \d+, in $/.test(line.slice(Math.max(0, at - 24), at));
  if (isName) return 1;
  const isInside = /[\p{Ll}\p{N},(]\s?$/u.test(line.slice(Math.max(0, at - 2), at));
  return isInside && /^\p{Lu}\p{Ll}/u.test(word) ? weights.capitalised : 0;
}

function pathsIn(line: string): string[] {
  return [...line.matchAll(/[\w./\\-]*\w\.\w{1,5}\b/g)].map(([path]) =>
    path.replaceAll("\\", "/").replace(/^.*site-packages\/|^\.*\//, ""),
  );
}

/** Dotted names, as paths: `a.b.c` is `a/b/c`. In the first line they are meant; below it, examples import many. */
function modulesIn(text: string): Map<string, number> {
  const modules = new Map<string, number>();
  const end = text.indexOf("\n");
  for (const { 0: name, index } of text.matchAll(dottedName)) {
    const module = name.replaceAll(/\.|::/g, "/");
    if (!modules.has(module)) modules.set(module, end < 0 || index < end ? weights.titleModule : 1);
  }
  return modules;
}

const issueNumber = /(?:(?<!\w)#|\/(?:issues|pull|ticket)\/)(\d{2,7})\b/g;

const dottedName = /(?<![\w./])[\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::)[\p{L}_][\p{L}\p{N}_]*)+/gu;

const stopWords = new Set(
  "a an and are as at be by can do does for from has have how i if in into is it its me my not of on or our should so that the their them then there these they this to was we were what when where which who why will with would you your".split(
    " ",
  ),
);
