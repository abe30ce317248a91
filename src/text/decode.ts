/**
 * A file's bytes as text, the way ripgrep reads them: by the byte order mark where there is one, else as UTF-8.
 * Undefined for what is binary: it holds a NUL character.
 */
export function decodeText(bytes: Buffer): string | undefined {
  const [first, second, third] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const text = new TextDecoder(first === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
    return text.includes("\0") ? undefined : text;
  }
  if (bytes.includes(0)) return undefined;
  return bytes.toString("utf8", first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0);
}
