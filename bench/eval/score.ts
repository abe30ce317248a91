import type { Question } from "./questions.ts";

export interface Score {
  /** Of questions: shares of the gold files and symbols that the answer names. */
  files?: number;
  symbols?: number;
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
  const named = placesIn(answer, question.gold_files);
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

const fileName = String.raw`([\w@./+-]+\.[A-Za-z]\w*)`;
const lineList = String.raw`(\d+(?:[-–]L?\d+)?(?:\s*(?:,|and|&|\/)\s*:?L?\d+(?:[-–]L?\d+)?(?![\w.]*[./]))*)`;
/** A file with lines, a file alone (by the endings of the gold files), or lines alone, which belong to the file named before. */
function placePattern(endings: readonly string[]): RegExp {
  const alone = String.raw`([\w@./+-]+\.(?:${endings.map((one) => RegExp.escape(one)).join("|")}))\b`;
  return new RegExp(
    `${fileName}[\`*]*(?::\\s?L?|[:,]?\\s+lines?\\s+)${lineList}|${alone}|(?<=[\\s(]):L?${lineList}`,
    "g",
  );
}

/** `a.ts:12`, `a.ts:12-20`, `a.ts, lines 12 and 40`, further lines after a comma (`a.ts:12, 40, 51`) or under the name of their file (`:40`). Each once. */
function placesIn(answer: string, goldFiles: readonly string[]): Place[] {
  const endings = [...new Set(goldFiles.map((file) => file.slice(file.lastIndexOf(".") + 1)))];
  const found = new Map<string, Place>();
  let before = "";
  for (const [, withLines, lines, alone, further] of answer.matchAll(placePattern(endings))) {
    const file = withLines ?? alone ?? before;
    const list = lines ?? further ?? "";
    before = file;
    for (const [, first, last] of list.matchAll(/(\d+)(?:[-–]L?(\d+))?/g)) {
      const place = { file, first: Number(first), last: Number(last ?? first) };
      found.set(`${file}:${place.first}`, place);
    }
  }
  return [...found.values()];
}

/** An answer may call a long path by a letter: `M/Store.java`. */
const abbreviation = /^[A-Z]{1,3}\//;

/** A place a line off is the same one; a path may be written from some directory on. */
function fits({ file, first, last }: Place, gold: string): boolean {
  const at = gold.lastIndexOf(":");
  const [path, line] = [gold.slice(0, at), Number(gold.slice(at + 1))];
  const written = file.replace(abbreviation, "");
  const isSameFile = path === file || path.endsWith(`/${written}`) || file.endsWith(`/${path}`);
  return isSameFile && line >= first - 1 && line <= last + 1;
}
