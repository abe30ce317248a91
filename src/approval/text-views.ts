/** So deep may one form be wrapped in another: the base64 of a base64, in an address. */
const depth = 3;

/**
 * A text as it stands and as it reads once simple forms are undone: percent, escapes, base64, hex, octal, decimal and binary
 * codes, UTF-16, reversed, ROT13 (first or last).
 */
export function viewsOf(text: string): string[] {
  let newest = [text, reversed(text), rot13(text)];
  const views = new Set(newest);
  for (let round = 0; round < depth && newest.length > 0; round++) {
    const next = newest.flatMap(decodings).filter((view) => view.length >= 4 && !views.has(view));
    newest = [...new Set(next)];
    for (const view of newest) views.add(view);
  }
  return [...views, ...[...views].flatMap((view) => [reversed(view), rot13(view)])];
}

/** What the codes say is one text: a text of many codes has no more views than one of few. */
function decodings(text: string): string[] {
  const codes = [
    ...runs(text, base64Run, base64),
    ...runs(text, hexRun, hex),
    ...runs(text, octalRun, (run) => numbers(run, /[0-7]{2,3}/g, 8)),
    ...runs(text, decimalRun, (run) => numbers(run, /\d{2,3}/g, 10)),
    ...runs(text, binaryRun, (run) => numbers(run, /[01]{7,8}/g, 2)),
  ];
  return [percent(text), escapes(text), text.replaceAll("\0", ""), lines(codes)];
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
const octalRun = /(?:0?o?[0-7]{3}[\s,;:._/|\\-]*){6,}/g;
const decimalRun = /(?:\d{2,3}[\s,;:._/|-]+){5,}\d{2,3}/g;
const binaryRun = /(?:[01]{8}[\s,;:._/|-]*){6,}/g;
const hexRun = /(?:[0-9a-f][\s,;:._/|=x-]{0,2}){12,}/gi;

/** What all runs of such characters say, where they say something, one after the other, and what they say together. */
function runs(text: string, pattern: RegExp, decode: (run: string) => string): string[] {
  const found = text.match(pattern) ?? [];
  const joined = found.length > 1 ? [decode(found.join(""))] : [];
  return [lines(found.map(decode)), ...joined];
}

function lines(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

/** A run may begin with characters that do not belong to it, such as a folder of an address: each alignment is tried. */
function base64(run: string): string {
  return lines([0, 1, 2, 3].map((shift) => readable(Buffer.from(run.slice(shift), "base64"))));
}

function hex(run: string): string {
  const digits = run.replaceAll(/0x|[^0-9a-f]/gi, "");
  return lines([0, 1].map((shift) => readable(Buffer.from(digits.slice(shift), "hex"))));
}

/** Numbers of characters, one after the other. */
function numbers(run: string, each: RegExp, base: number): string {
  const bytes = (run.match(each) ?? []).map((code) => Number.parseInt(code, base));
  return readable(Buffer.from(bytes.filter((byte) => byte < 256)));
}

/**
 * Bytes as text, where they are text, or what is text among them; in UTF-16 every other byte of ordinary letters is nothing.
 */
function readable(bytes: Buffer): string {
  const text = bytes.toString("latin1").replaceAll("\0", "");
  const printable = text.replaceAll(/[^\x20-\x7e\r\n\t]/g, "");
  if (printable.length >= text.length * 0.85) return printable;
  return text.match(/[\x20-\x7e\r\n\t]{6,}/g)?.join("\n") ?? "";
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
