/**
 * Values in a request hint at arguments: who writes "on March 9th" wants a tool that takes a date. Each kind of value adds
 * the names that such arguments usually have.
 */
export function hintsIn(query: string): string[] {
  return kinds.flatMap(({ pattern, names }) => (pattern.test(query) ? names : []));
}

const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const kinds: readonly { pattern: RegExp; names: string[] }[] = [
  {
    pattern: new RegExp(
      `\\b${month}\\.?\\s+\\d{1,2}|\\b\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month}\\b|\\b\\d{4}-\\d{1,2}-\\d{1,2}\\b|\\b\\d{1,2}/\\d{1,2}/\\d{2,4}\\b|\\b(?:tomorrow|yesterday|tonight|${weekday})\\b`,
      "i",
    ),
    names: ["date"],
  },
  { pattern: /\b\d{1,2}(?::\d{2}|\s?[ap]\.?m\b)/i, names: ["time"] },
  { pattern: /https?:\/\/|\bwww\./i, names: ["url"] },
  { pattern: /[\w.]+@[\w-]+\.\w+/, names: ["email"] },
  { pattern: /\p{Lu}\p{Ll}+, (?:\p{Lu}{2}\b|\p{Lu}\p{Ll}+)/u, names: ["location", "city"] },
  { pattern: /[$€£]\s?\d|\d\s?(?:dollars|usd|euros?)\b/i, names: ["amount", "price"] },
  { pattern: /-?\d{1,3}\.\d{3,}\b/, names: ["latitude", "longitude"] },
];
