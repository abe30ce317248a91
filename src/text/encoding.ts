import { isAscii, isUtf8 } from "node:buffer";
import { encodingNamed, type TextEncoding, unmarked } from "./encoding-names.ts";

export interface DecodedText {
  text: string;
  encoding: TextEncoding;
}

/** What settings of the project say about a file's encoding. */
export type SettingOfFile = () => Promise<string | undefined>;

const nul = 0;

/**
 * The text of a file's bytes: by its mark, by what it declares, as UTF-8, by the project's settings, or by its content.
 * Undefined for what is binary. What is not UTF-8 loads the tables of the other encodings.
 */
export async function readText(bytes: Buffer, setting?: SettingOfFile): Promise<DecodedText | undefined> {
  const wide = wideEncoding(bytes);
  if (wide) return wideText(bytes, wide);
  if (bytes.includes(nul)) {
    const name = await setting?.();
    return name?.startsWith("utf-16") ? wideText(bytes, { ...unmarked(name), by: "settings" }) : undefined;
  }
  const marked = isMarked(bytes);
  if (marked)
    return { text: bytes.toString("utf8", 3), encoding: { ...unmarked("utf-8"), marked, by: "mark" } };
  const declared = declaredIn(bytes);
  if (isAscii(bytes)) return { text: bytes.toString("latin1"), encoding: declared ?? unmarked("utf-8") };
  const isValid = isUtf8(bytes);
  const named = declared ?? (isValid ? undefined : await settingOf(setting));
  if (named && named.name !== "utf-8") {
    const legacy = await import("./legacy-encoding.ts");
    if (legacy.fits(bytes, named.name)) {
      // A declaration in a file that has been saved as UTF-8 is most often a forgotten one.
      if (!isValid || !legacy.isSingleByte(named.name))
        return { text: legacy.decode(bytes, named.name), encoding: named };
      return { text: bytes.toString(), encoding: { ...unmarked("utf-8"), others: [named.name] } };
    }
  }
  if (isValid) return { text: bytes.toString(), encoding: unmarked("utf-8") };
  if (isBinary(bytes)) return undefined;
  if (isNearlyUtf8(bytes))
    return { text: bytes.toString(), encoding: { ...unmarked("utf-8"), by: "content" } };
  const [legacy, { detect }] = await Promise.all([
    import("./legacy-encoding.ts"),
    import("./detect-encoding.ts"),
  ]);
  const encoding = detect(bytes);
  return { text: legacy.decode(bytes, encoding.name), encoding };
}

/** The same for both sides of a change: the new side is read as the old one is, where it fits. */
export async function readBothTexts(
  before: Buffer | null,
  after: Buffer | null,
): Promise<[before: string | null | undefined, after: string | null | undefined]> {
  const old = before ? await readText(before) : null;
  const now = after ? await readText(after, async () => old?.encoding.name) : null;
  const textOf = (side: DecodedText | null | undefined) => (side === null ? null : side?.text);
  return [textOf(old), textOf(now)];
}

/** Whether it is valid UTF-8 and says nothing else of itself: then no table is needed to read it. */
export function isPlainText(bytes: Buffer): boolean {
  if (bytes.includes(nul) || !isUtf8(bytes)) return false;
  return isAscii(bytes) || isMarked(bytes) || (declaredIn(bytes)?.name ?? "utf-8") === "utf-8";
}

/** Plain text without its mark; undefined where `readText` must look closer. */
export function plainText(bytes: Buffer): string | undefined {
  return isPlainText(bytes) ? bytes.toString("utf8", isMarked(bytes) ? 3 : 0) : undefined;
}

/** The text by which code is parsed and its places are counted: a mark of UTF-8 is its first character. */
export async function sourceText(bytes: Buffer): Promise<string> {
  return isUtf8(bytes) ? bytes.toString() : ((await readText(bytes))?.text ?? bytes.toString());
}

const isMarked = (bytes: Uint8Array) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

async function settingOf(setting: SettingOfFile | undefined): Promise<TextEncoding | undefined> {
  const name = await setting?.();
  return name === undefined ? undefined : { ...unmarked(encodingNamed(name)), by: "settings" };
}

/** Python and Emacs in the first two lines, HTML, XML and CSS at the beginning. */
function declaredIn(bytes: Buffer): TextEncoding | undefined {
  const start = bytes.toString("latin1", 0, 1024);
  const [first = "", second = ""] = start.split(/\r\n|\n|\r/, 2);
  const comment = [first, second].map(
    (line) => /^[ \t\f]*(?:#|;|\/\/|\/\*|--|%|").*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1],
  );
  const web = /<meta[^>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1];
  const label =
    comment[0] ??
    comment[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1] ??
    /^@charset "([\w:.-]+)";/i.exec(start)?.[1] ??
    web;
  if (label === undefined) return undefined;
  const name = encodingNamed(label);
  // Browsers read Latin-1 as its superset.
  const asRead = web && name === "iso-8859-1" ? "windows-1252" : name;
  return asRead.startsWith("utf-16") ? undefined : { ...unmarked(asRead), by: "declaration" };
}

function wideText(bytes: Buffer, encoding: TextEncoding): DecodedText | undefined {
  const decoder = new TextDecoder(encoding.name, { ignoreBOM: true });
  const text = decoder.decode(bytes.subarray(encoding.marked ? 2 : 0));
  return text.includes("\0") ? undefined : { text, encoding };
}

/** By its mark; without one, ASCII has a zero in every other byte. */
function wideEncoding(bytes: Buffer): TextEncoding | undefined {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfffe) return { ...unmarked("utf-16le"), marked: true, by: "mark" };
  if (mark === 0xfeff) return { ...unmarked("utf-16be"), marked: true, by: "mark" };
  const start = bytes.subarray(0, 512);
  if (start.length < 4 || !start.includes(nul)) return undefined;
  const zeros = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) (zeros[index % 2] as number)++;
  });
  const [even = 0, odd = 0] = zeros;
  if (even === 0 && odd > start.length / 4) return { ...unmarked("utf-16le"), by: "content" };
  return odd === 0 && even > start.length / 4 ? { ...unmarked("utf-16be"), by: "content" } : undefined;
}

function isBinary(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 8_000);
  const controls = start.filter((byte) => byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27).length;
  return controls * 100 > start.length;
}

/** A text in UTF-8 with some damaged bytes: in other encodings, hardly any letters happen to be valid. */
function isNearlyUtf8(bytes: Buffer): boolean {
  const beyond = bytes.toString().match(/[^\0-\x7f]/gu) ?? [];
  const damaged = beyond.filter((letter) => letter === "\ufffd").length;
  return beyond.length >= 5 * damaged;
}
