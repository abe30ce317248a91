import iconv from "iconv-lite";
import { Failure } from "../failure/failure.ts";
import { encodingWords, type TextEncoding } from "./encoding-names.ts";

// The tables of all encodings that are not Unicode: loaded by the first file that is written in one.

const replacement = "\ufffd";

export function decode(bytes: Buffer, name: string): string {
  if (name === "utf-8") return bytes.toString();
  if (name.startsWith("utf-16")) return new TextDecoder(name, { ignoreBOM: true }).decode(bytes);
  return iconv.decode(bytes, name, { stripBOM: false });
}

/** All bytes are characters of it, and it writes them again as they are. */
export function fits(bytes: Buffer, name: string): boolean {
  if (!iconv.encodingExists(name)) return false;
  return !decode(bytes, name).includes(replacement);
}

export const isKnown = (name: string) => iconv.encodingExists(name);

export function isSingleByte(name: string): boolean {
  return iconv.encode("é日я한", name).length <= 4 && name !== "utf-8";
}

/** Reads byte after byte: what came out so far. */
export function decoderOf(name: string): (byte: Buffer) => string {
  if (name === "utf-8" || name.startsWith("utf-16")) {
    const decoder = new TextDecoder(name, { ignoreBOM: true });
    return (byte) => decoder.decode(byte, { stream: true });
  }
  const decoder = iconv.getDecoder(name, { stripBOM: false });
  return (byte) => decoder.write(byte);
}

/** New text of a file in its encoding. A character that the encoding does not have is an error that names it. */
export function encode(
  text: string,
  encoding: TextEncoding,
  lineOf: (at: number) => number = () => 1,
): Buffer {
  const { name, others } = encoding;
  const bytes = encodeAs(text, name);
  if (decode(bytes, name) !== text) throw missing(text, encoding, lineOf);
  if (/^[\0-\x7f]*$/.test(text) || others.every((other) => encodeAs(text, other).equals(bytes))) return bytes;
  const at = text.search(/[^\0-\x7f]/);
  throw new Failure(
    "INVALID_INPUT",
    `The file was read as ${encodingWords(encoding)}, so ${named(text, at, lineOf)} cannot be written with certainty. ${waysOut}`,
  );
}

const waysOut =
  "Ways out: name the file's encoding in .editorconfig (charset = …) or .gitattributes (working-tree-encoding=…), convert the file to UTF-8, or write the text in ASCII.";

function encodeAs(text: string, name: string): Buffer {
  if (name === "utf-8") return Buffer.from(text);
  return name.startsWith("utf-16") ? encodeWide(text, name) : iconv.encode(text, name, { addBOM: false });
}

function missing(text: string, encoding: TextEncoding, lineOf: (at: number) => number): Failure {
  let at = 0;
  for (const character of text) {
    if (decode(encodeAs(character, encoding.name), encoding.name) !== character) break;
    at += character.length;
  }
  const ways =
    "Ways out: write it with characters that the encoding has (an escape, an entity, a plain spelling), or convert the file to UTF-8 first.";
  return new Failure(
    "INVALID_INPUT",
    `The file is ${encodingWords(encoding)}, which has no ${named(text, at, lineOf)}. ${ways}`,
  );
}

function named(text: string, at: number, lineOf: (at: number) => number): string {
  const point = text.codePointAt(at) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return `“${String.fromCodePoint(point)}” (${code}, line ${lineOf(at)})`;
}

function encodeWide(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return name === "utf-16be" ? bytes.swap16() : bytes;
}
