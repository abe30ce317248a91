/** The words inside an identifier, in lower case: `parseHTTPHeader_v2` is parse, http, header, v2, and the whole. */
export function subTokens(identifier: string): string[] {
  const { length } = identifier;
  const parts: string[] = [];
  let start = 0;
  let before = between;
  let here = kindAt(identifier, 0);
  for (let i = 0; i < length; i++) {
    const after = i + 1 < length ? kindAt(identifier, i + 1) : between;
    const begins =
      here === upper && (before === lower || before === digit || (before === upper && after === lower));
    if (begins || here === between) {
      addPart(parts, identifier.slice(start, i));
      start = begins ? i : i + 1;
    }
    before = here;
    here = after;
  }
  addPart(parts, identifier.slice(start));
  if (parts.length < 2) return parts;
  const whole = identifier.replace(/^[_$]+|[_$]+$/g, "").toLowerCase();
  if (whole.length <= 60) parts.push(whole);
  return parts.filter((part, i) => parts.indexOf(part) === i);
}

function addPart(parts: string[], text: string): void {
  if (text === "") return;
  const part = stem(text.toLowerCase());
  if (part.length > 1 && part.length <= 40) parts.push(part);
}

const between = 0;
const lower = 1;
const digit = 2;
const upper = 3;
const other = 4;

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 48 && code <= 57) return digit;
  if (code === 95 || code === 36 || code === 45 || code <= 32) return between;
  return code > 127 && /\s/.test(text.charAt(at)) ? between : other;
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
