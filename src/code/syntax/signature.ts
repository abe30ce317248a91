import type { Kind } from "../languages/language.ts";

const longest = 160;

/** The head of a declaration on one line: modifiers, name, parameters, result; without body, annotations and long values. */
export function signatureOf(source: string, start: number, body: number, end: number, kind: Kind): string {
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const prefix = source.slice(lineStart, start);
  const from = /^\s*(?:[a-z_]+(?:\([a-z_]+\))?\s+)*$/.test(prefix) ? lineStart : start;
  // A name bound by destructuring says nothing alone: its whole line does.
  const alone = kind === "var" && /^[\w$]+$/.test(source.slice(start, end));
  const assigned = kind === "field" && /^(?:self|cls)\.\w+$/.test(source.slice(start, end));
  if (alone || assigned) {
    const lineEnd = source.indexOf("\n", end);
    return shortened(source.slice(alone ? lineStart : start, lineEnd < 0 ? undefined : lineEnd));
  }
  let text = source.slice(from, body >= 0 ? body : Math.min(end, start + 600));
  if (
    body < 0 &&
    (kind === "func" || kind === "method" || kind === "class" || kind === "module" || kind === "macro")
  ) {
    text = firstLineOrParameters(text);
  }
  return shortened(withoutComments(text), kind === "func" || kind === "method");
}

/** Comments in a head belong to no signature. A value may hold the same signs in a text: behind `=` nothing is taken away. */
function withoutComments(text: string): string {
  const value = text.search(/=(?![=>])\s*["'`]/);
  const head = value < 0 ? text : text.slice(0, value);
  const rest = value < 0 ? "" : text.slice(value);
  const plain = head.replace(/\/\*[\s\S]*?\*\//g, " ").replace(/(^|[\s,;({])\/\/[^\n]*/g, "$1");
  return (/^\s*(?:async\s+)?(?:def|class)\b/.test(head) ? plain.replace(/\s#\s[^\n]*/g, "") : plain) + rest;
}

/** Of a long head, the middle is left out if it ends with what a function returns: that tells types. */
function shortened(source: string, isFunction = false): string {
  const text = source
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:@(?!interface)[\w.]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))? )+/, "")
    .replace(/^(?:\[[^\]]*\] )+(?=\w)/, "")
    .replace(/\( /g, "(")
    .replace(/,? \)/g, ")")
    .replace(/(?:\s*(?:=>|[{:;=,]))+$/, "");
  if (text.length <= longest) return text;
  const result = isFunction ? resultAtEnd.exec(text)?.[0] : undefined;
  return `${text.slice(0, longest - 1 - (result?.length ?? 0)).trimEnd()}…${result ?? ""}`;
}

/** `) -> T`, `): T`, `) (T, error)`, `) T`. */
const resultAtEnd = /\)(?:\s*(?:->|:)\s*[^()]{1,60}|\s*\([^()]{1,60}\)|\s+[\w.*[\]]{1,60})$/;

/** Where the grammar names no body: the first line, or as many as the parameter list takes. */
function firstLineOrParameters(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 40 || c === 91) depth++;
    else if (c === 41 || c === 93) depth--;
    else if (depth <= 0 && (c === 10 || c === 123)) return text.slice(0, i);
  }
  return text;
}

/** Line numbers (from 1) of offsets. */
export function lineFinder(source: string): (offset: number) => number {
  const starts: number[] = [0];
  for (let i = source.indexOf("\n"); i >= 0; i = source.indexOf("\n", i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
