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
