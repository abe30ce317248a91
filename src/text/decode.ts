import { isUtf8 } from "node:buffer";

/**
 * A file's bytes as text, the way ripgrep reads them: by the byte order mark where there is one, else as UTF-8.
 * Undefined for what is binary: it holds a NUL character.
 */
export function decodeText(bytes: Buffer): string | undefined {
  if (isUtf16(bytes)) {
    const text = new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
    return text.includes("\0") ? undefined : text;
  }
  if (bytes.includes(0)) return undefined;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString("utf8", isMarked ? 3 : 0);
}

export function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

export type TextEncodingName = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * A file's bytes as text for a reader: UTF-8, UTF-16 with or without a byte order mark, or the Latin-1 superset that old
 * files are written in. Undefined for what is binary. What is edited must be UTF-8: see `requireText`.
 */
export function readableText(bytes: Uint8Array): { text: string; encoding: TextEncodingName } | undefined {
  const encoding = readableEncoding(bytes);
  return encoding && { text: decodeAs(bytes, encoding), encoding };
}

/** By the whole of the bytes: a file that is UTF-8 but for one byte is not UTF-8. */
export function readableEncoding(bytes: Uint8Array): TextEncodingName | undefined {
  const wide = wideEncoding(bytes);
  if (wide) return decodeAs(bytes, wide).includes("\0") ? undefined : wide;
  if (bytes.includes(0)) return undefined;
  if (isUtf8(bytes)) return "utf-8";
  const start = bytes.subarray(0, 8_000);
  const controls = start.filter((byte) => byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27).length;
  return controls * 100 <= start.length ? "windows-1252" : undefined;
}

/** Without a byte order mark, except in UTF-8, where editors keep it. */
export function decodeAs(bytes: Uint8Array, encoding: TextEncodingName): string {
  return new TextDecoder(encoding, { ignoreBOM: encoding === "utf-8" }).decode(bytes);
}

function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (isUtf16(bytes)) return bytes[0] === 0xff ? "utf-16le" : "utf-16be";
  const start = bytes.subarray(0, 512);
  if (start.length < 4 || !start.includes(0)) return undefined;
  const zeros = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) (zeros[index % 2] as number)++;
  });
  const [even = 0, odd = 0] = zeros;
  if (even === 0 && odd > start.length / 4) return "utf-16le";
  return odd === 0 && even > start.length / 4 ? "utf-16be" : undefined;
}
