/** The words inside an identifier, in lower case: `parseHTTPHeader_v2` is parse, http, header, v2, and the whole. */
export function subTokens(identifier: string): string[] {
  if (/^[a-z]{2,40}$/.test(identifier)) return [stem(identifier)];
  const parts = identifier
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_$-]+/)
    .map((part) => stem(part.toLowerCase()))
    .filter((part) => part.length > 1 && part.length <= 40);
  if (parts.length > 1) {
    const whole = identifier.replace(/^[_$]+|[_$]+$/g, "").toLowerCase();
    if (whole.length <= 60) parts.push(whole);
  }
  return [...new Set(parts)];
}

/** Plurals and the commonest endings, so that "parsing headers" meets `parseHeader`. Never shorter than three letters. */
export function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return stem(word.slice(0, -1));
  if (word.length > 5 && word.endsWith("ing")) return undouble(word.slice(0, -3));
  if (word.length > 4 && word.endsWith("ed")) return undouble(word.slice(0, -2));
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

const undouble = (word: string) =>
  /([bdfgklmnprt])\1$/.test(word) ? word.slice(0, -1) : word.replace(/e$/, "");
