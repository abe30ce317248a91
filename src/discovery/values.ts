import { wordsOf } from "./words.ts";

/** A kind of value that people write into a request: who writes "on March 9th" wants a tool that takes a date. */
export interface ValueKind {
  pattern: RegExp;
  /** Stems in the names of arguments that take such a value, the usual one first. */
  taken: readonly string[];
}

export function valuesIn(query: string): ValueKind[] {
  return kinds.filter(({ pattern }) => pattern.test(query));
}

/** Stems that stand in quotation marks and nowhere else: values too, whatever they are about. */
export function quotedIn(query: string): Set<string> {
  const quotes = query.match(quotation) ?? [];
  if (quotes.length === 0) return new Set();
  const stemsOf = (text: string) => wordsOf(text).map(({ stem }) => stem);
  const outside = new Set(stemsOf(query.replace(quotation, " ")));
  return new Set(quotes.flatMap(stemsOf).filter((stem) => !outside.has(stem)));
}

const quotation = /(?<!\w)(?:'[^'\n]{2,200}'|"[^"\n]{2,200}"|“[^”\n]{2,200}”|‘[^’\n]{2,200}’)(?!\w)/gu;
const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const date = new RegExp(
  `\\b${month}\\.?\\s+\\d{1,2}|\\b\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month}\\b|\\b\\d{4}-\\d{1,2}-\\d{1,2}\\b|\\b\\d{1,2}/\\d{1,2}/\\d{2,4}\\b|\\b(?:tomorrow|yesterday|tonight|${weekday})\\b`,
  "i",
);
const name = String.raw`\p{Lu}\p{Ll}+\s\p{Lu}[\p{Ll}'’]+`;
const beforePersons =
  "(?:by|with|named|called|is|starring|stars|featuring|features|of|for|actor|actress|director|singer|artist|author)";
const few = String.raw`\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\s+`;

const kinds: readonly ValueKind[] = [
  kind(date, "date day"),
  kind(/\b(?:1[5-9]|20)\d\d\b(?![-./]\d)/, "year date"),
  kind(/\b\d{1,2}(?::\d{2}|\s?[ap]\.?m\b)/i, "time hour"),
  kind(
    /\p{Lu}\p{Ll}+, (?:\p{Lu}{2}\b|\p{Lu}\p{Ll}+)/u,
    "city location country state address place destination origin area region",
  ),
  kind(
    new RegExp(`\\b${beforePersons}\\s+${name}`, "u"),
    "name person artist performer actor cast starring director directed author player",
  ),
  kind(/[$€£]\s?\d|\d\s?(?:dollars|usd|euros?)\b/i, "amount price cost budget currency"),
  kind(/https?:\/\/|\bwww\./i, "url link"),
  kind(/[\w.]{1,64}@[\w-]{1,64}\.\w/, "email"),
  kind(/-?\d{1,3}\.\d{3,}\b/, "latitude longitude lat lon coordinates"),
  kind(
    new RegExp(`${few}(?:minute|hour|day|night|week|month|year)s?\\b`, "i"),
    "duration period time minutes hours days nights months years",
  ),
  kind(
    new RegExp(`${few}(?:people|persons?|adults?|guests?|passengers?|friends|seats?|tickets?|of us)\\b`, "i"),
    "number people adults guests passengers party seats tickets",
  ),
];

function kind(pattern: RegExp, names: string): ValueKind {
  return { pattern, taken: wordsOf(names).map(({ stem }) => stem) };
}
