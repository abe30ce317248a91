/**
 * Removes English word endings by Porter's algorithm (1980), so "searching", "searches" and "searched" have one stem.
 * Words in other scripts are returned unchanged.
 */
export function stem(word: string): string {
  const known = memory.get(word);
  if (known !== undefined) return known;
  const made = word.length > 2 && /^[a-z]+$/.test(word) ? reduce(word) : word;
  if (memory.size >= maxRemembered) memory.clear();
  memory.set(word, made);
  return made;
}

const memory = new Map<string, string>();
const maxRemembered = 50_000;

type Rule = readonly [ending: string, replacement: string];

const step2: readonly Rule[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"],
];
const step3: readonly Rule[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const step4 = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou"
  .split(" ")
  .map((ending): Rule => [ending, ""]);

function reduce(word: string): string {
  let w = pluralOff(word);
  w = pastOff(w);
  if (w.endsWith("y") && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  w = replaceEnding(w, step2, (base) => measure(base) > 0);
  w = replaceEnding(w, step3, (base) => measure(base) > 0);
  w = replaceEnding(
    w,
    step4,
    (base, ending) => measure(base) > 1 && (ending !== "ion" || /[st]$/.test(base)),
  );
  return tidy(w);
}

function pluralOff(w: string): string {
  if (w.endsWith("sses") || w.endsWith("ies")) return w.slice(0, -2);
  return w.endsWith("s") && !w.endsWith("ss") ? w.slice(0, -1) : w;
}

function pastOff(w: string): string {
  if (w.endsWith("eed")) return measure(w.slice(0, -3)) > 0 ? w.slice(0, -1) : w;
  const ending = w.endsWith("ed") ? 2 : w.endsWith("ing") ? 3 : 0;
  const base = w.slice(0, w.length - ending);
  if (ending === 0 || !hasVowel(base)) return w;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && isShort(base) ? `${base}e` : base;
}

function tidy(w: string): string {
  let out = w;
  if (out.endsWith("e")) {
    const base = out.slice(0, -1);
    const m = measure(base);
    if (m > 1 || (m === 1 && !isShort(base))) out = base;
  }
  return out.endsWith("ll") && measure(out) > 1 ? out.slice(0, -1) : out;
}

/** Only the longest ending that fits is looked at, as the rules demand. */
function replaceEnding(
  w: string,
  rules: readonly Rule[],
  allowed: (base: string, ending: string) => boolean,
): string {
  for (const [ending, replacement] of rules) {
    if (!w.endsWith(ending)) continue;
    const base = w.slice(0, w.length - ending.length);
    return allowed(base, ending) ? base + replacement : w;
  }
  return w;
}

/** How often a vowel is followed by a consonant; y is a vowel after a consonant. */
function measure(w: string): number {
  let count = 0;
  let afterVowel = false;
  for (let i = 0; i < w.length; i++) {
    const vowel = isVowel(w, i);
    if (afterVowel && !vowel) count++;
    afterVowel = vowel;
  }
  return count;
}

function hasVowel(w: string): boolean {
  for (let i = 0; i < w.length; i++) if (isVowel(w, i)) return true;
  return false;
}

function isVowel(w: string, at: number): boolean {
  const letter = w[at] ?? "";
  if (letter === "y") return at > 0 && !isVowel(w, at - 1);
  return "aeiou".includes(letter);
}

/** Ends consonant, vowel, consonant, the last not w, x or y: "hop", "fil". */
function isShort(w: string): boolean {
  const n = w.length;
  return n > 2 && !isVowel(w, n - 3) && isVowel(w, n - 2) && !isVowel(w, n - 1) && !/[wxy]$/.test(w);
}
