import type { Question } from "./questions.ts";

export interface Score {
  /** Shares of the gold files and symbols that the answer names. */
  files: number;
  symbols: number;
  /** Of structural questions: shares of the gold places named, and of the named places that are gold. */
  recall?: number;
  precision?: number;
}

export function scoreOf(answer: string, question: Question): Score {
  const share = (all: readonly string[], isNamed: (one: string) => boolean) =>
    all.length === 0 ? 1 : all.filter(isNamed).length / all.length;
  const files = share(question.gold_files, (file) => answer.includes(file) || answer.includes(baseOf(file)));
  const symbols = share(question.gold_symbols, (symbol) =>
    new RegExp(`(?<![\\w$])${RegExp.escape(symbol.split(/\.|::|#/).at(-1) ?? symbol)}(?![\\w$])`).test(
      answer,
    ),
  );
  const { gold_places: gold } = question;
  if (!gold) return { files, symbols };
  const named = placesIn(answer);
  const isGold = (place: Place) => gold.some((one) => fits(place, one));
  return {
    files,
    symbols,
    recall: share(gold, (one) => named.some((place) => fits(place, one))),
    precision: named.length === 0 ? 0 : named.filter(isGold).length / named.length,
  };
}

const baseOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

interface Place {
  file: string;
  first: number;
  last: number;
}

/** `a.ts:12`, `a.ts:12-20`, and further lines after a comma: `a.ts:12, 40, 51`. Each once. */
function placesIn(answer: string): Place[] {
  const found = new Map<string, Place>();
  for (const [, file = "", list = ""] of answer.matchAll(
    /([\w@./+-]+\.[A-Za-z]\w*)[`*]*:\s?L?(\d+(?:[-–]L?\d+)?(?:\s*(?:,|and|&|\/)\s*:?L?\d+(?:[-–]L?\d+)?(?![\w.]*[./]))*)/g,
  )) {
    for (const [, first, last] of list.matchAll(/(\d+)(?:[-–]L?(\d+))?/g)) {
      const place = { file, first: Number(first), last: Number(last ?? first) };
      found.set(`${baseOf(file)}:${place.first}`, place);
    }
  }
  return [...found.values()];
}

/** A place a line off is the same one; a path may be written from some directory on. */
function fits({ file, first, last }: Place, gold: string): boolean {
  const at = gold.lastIndexOf(":");
  const [path, line] = [gold.slice(0, at), Number(gold.slice(at + 1))];
  const isSameFile = path === file || path.endsWith(`/${file}`) || file.endsWith(`/${path}`);
  return isSameFile && line >= first - 1 && line <= last + 1;
}
