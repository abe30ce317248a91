/** So deep may one form be wrapped in another: the base64 of a base64, in an address. */
const depth = 3;
const mostViews = 400;

/**
 * A text as it stands and as it reads once simple forms are undone: percent, escapes, base64, hex, octal, decimal and binary
 * codes, UTF-16, reversed, ROT13.
 */
export function viewsOf(text: string): string[] {
  const views = new Set([text]);
  let newest = [text];
  for (let round = 0; round < depth && newest.length > 0; round++) {
    const next = newest.flatMap(decodings).filter((view) => view.length >= 4 && !views.has(view));
    newest = [...new Set(next)].slice(0, mostViews - views.size);
    for (const view of newest) views.add(view);
  }
  return [...views, ...[...views].flatMap((view) => [reversed(view), rot13(view)])];
}

function decodings(text: string): string[] {
  return [
    percent(text),
    escapes(text),
    text.replaceAll("\0", ""),
    ...runs(text, base64Run, base64),
    ...runs(text, hexRun, hex),
    ...runs(text, octalRun, (run) => codes(run, /[0-7]{2,3}/g, 8)),
    ...runs(text, decimalRun, (run) => codes(run, /\d{2,3}/g, 10)),
    ...runs(text, binaryRun, (run) => codes(run, /[01]{7,8}/g, 2)),
  ];
}

function percent(text: string): string {
  return text
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
    )
    .replaceAll("+", " ");
}

function escapes(text: string): string {
  return text
    .replaceAll(/\\u\{?([0-9a-f]{2,6})\}?/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replaceAll(/\\x([0-9a-f]{2})/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_, hexCode?: string, code?: string) =>
      character(hexCode ? Number.parseInt(hexCode, 16) : Number(code)),
    );
}

function character(code: number): string {
  return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "";
}

const base64Run = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
const octalRun = /(?:\\?0?o?[0-7]{3}[\s,;:\\-]*){6,}/g;
const decimalRun = /(?:\d{2,3}[\s,;:-]+){5,}\d{2,3}/g;
const binaryRun = /(?:[01]{8}[\s,;:-]*){6,}/g;
const hexRun = /(?:[0-9a-f]{2}[\s:,-]?){6,}/gi;

/** What each run of such characters says, where it says something, and what all of them say together. */
function runs(text: string, pattern: RegExp, decode: (run: string) => string): string[] {
  const found = text.match(pattern) ?? [];
  const joined = found.length > 1 ? [found.join("")] : [];
  return [...found.slice(0, 100), ...joined].map(decode).filter((said) => said !== "");
}

function base64(run: string): string {
  // A run may begin with characters that do not belong to it: each alignment is tried.
  const shifts = [0, 1, 2, 3].map((shift) => readable(Buffer.from(run.slice(shift), "base64")));
  return shifts.find((said) => said !== "") ?? "";
}

function hex(run: string): string {
  return readable(Buffer.from(run.replaceAll(/[^0-9a-f]/gi, ""), "hex"));
}

/** Numbers of characters, one after the other. */
function codes(run: string, each: RegExp, base: number): string {
  const numbers = (run.match(each) ?? []).map((code) => Number.parseInt(code, base));
  return readable(Buffer.from(numbers.filter((number) => number < 256)));
}

/** Bytes as text, where they are text; in UTF-16 every other byte of ordinary letters is nothing. */
function readable(bytes: Buffer): string {
  const text = bytes.toString("latin1").replaceAll("\0", "");
  if (text === "") return "";
  const printable = text.replaceAll(/[^\x20-\x7e\r\n\t]/g, "");
  return printable.length >= text.length * 0.85 ? printable : "";
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

function rot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}
