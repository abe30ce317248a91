const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What bytes are: UTF-8 text, text in another encoding that its byte order mark gives away, or no text. */
export function textKind(bytes: Uint8Array): "text" | "utf-16" | "binary" {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return "utf-16";
  return isText(bytes) ? "text" : "binary";
}

/** Valid UTF-8 without NUL. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Lines without their endings: `\n`, `\r\n` and a lone `\r`. A final ending starts no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
