import { TextDecoder } from "node:util";

/** Text of a response: by byte order mark, else the header, else what the document says of itself, else UTF-8. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const label =
    byteOrderMark(bytes) ??
    /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ??
    declaredInside(bytes.subarray(0, 2048).toString("latin1"));
  const named = label === undefined ? undefined : decoder(label);
  if (named) return named.decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function declaredInside(start: string): string | undefined {
  return (
    /<meta[^>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1]
  );
}

/** Undefined for an unknown name, which is the author's mistake and no reason to fail. */
function decoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
