import { likeness, wordTable } from "./word-table.ts";
import { wordsOf } from "./words.ts";

/** A kind of value in a request: "on March 9th" suggests a tool that takes a date. */
export interface ValueKind {
  pattern: RegExp;
  /** Stems in the names of arguments that take such a value, the usual one first. */
  takers: readonly string[];
}

/** An argument also takes the values of a near synonym: "town" takes what "city" takes. */
const nearlyTheSame = 0.7;

export function valuesIn(query: string): ValueKind[] {
  return kinds().filter(({ pattern }) => pattern.test(query));
}

/** What an argument with this stem in its name takes. */
export function kindsTakenBy(name: string): ValueKind[] {
  return kinds().filter(({ takers }) => takers.some((taker) => isLike(name, taker)));
}

function isLike(name: string, taker: string): boolean {
  if (name === taker) return true;
  const [a, b] = [wordTable().vectorOf(name), wordTable().vectorOf(taker)];
  return a !== undefined && b !== undefined && likeness(a, b) >= nearlyTheSame;
}

/** Stems that occur only in quotation marks: these are values too. */
export function quotedIn(query: string): Set<string> {
  const quotes = query.match(quotation) ?? [];
  if (quotes.length === 0) return new Set();
  const stemsOf = (text: string) => wordsOf(text).map(({ stem }) => stem);
  const outside = new Set(stemsOf(query.replace(quotation, " ")));
  return new Set(quotes.flatMap(stemsOf).filter((stem) => !outside.has(stem)));
}

let known: readonly ValueKind[] | undefined;

/** Computed for the first search: stemming all names takes longer than many calls. */
function kinds(): readonly ValueKind[] {
  known ??= allKinds();
  return known;
}

const quotation = /(?<!\w)(?:'[^'\n]{2,200}'|"[^"\n]{2,200}"|“[^”\n]{2,200}”|‘[^’\n]{2,200}’)(?!\w)/gu;
const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const date = new RegExp(
  `\\b${month}\\.?\\s+\\d{1,2}|\\b\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month}\\b|\\b\\d{4}-\\d{1,2}-\\d{1,2}\\b|\\b\\d{1,2}/\\d{1,2}/\\d{2,4}\\b|\\b(?:tomorrow|yesterday|tonight|${weekday})\\b`,
  "i",
);
const few = String.raw`\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\s+`;

const allKinds = (): ValueKind[] => [
  kind(date, "date day"),
  kind(/\b(?:1[5-9]|20)\d\d\b(?![-./]\d)/, "year date"),
  kind(/\b\d{1,2}(?::\d{2}|\s?[ap]\.?m\b)/i, "time hour"),
  kind(/\p{Lu}\p{Ll}+, (?:\p{Lu}{2}\b|\p{Lu}\p{Ll}+)/u, "city location country address destination"),
  kind(
    /\b(?:by|with|named|called|is|of|for)\s+\p{Lu}\p{Ll}+\s\p{Lu}[\p{Ll}'’]+/u,
    "name person artist actor author",
  ),
  kind(/[$€£]\s?\d|\d\s?(?:dollars|usd|euros?)\b/i, "amount price cost budget"),
  kind(/https?:\/\/|\bwww\./i, "url link"),
  kind(/[\w.]{1,64}@[\w-]{1,64}\.\w/, "email"),
  kind(/-?\d{1,3}\.\d{3,}\b/, "latitude longitude coordinates"),
  kind(new RegExp(`${few}(?:minute|hour|day|night|week|month|year)s?\\b`, "i"), "duration period hours days"),
  kind(
    new RegExp(`${few}(?:people|persons?|adults?|guests?|passengers?|friends|seats?|tickets?|of us)\\b`, "i"),
    "number people guests passengers",
  ),
];

function kind(pattern: RegExp, names: string): ValueKind {
  return { pattern, takers: wordsOf(names).map(({ stem }) => stem) };
}
