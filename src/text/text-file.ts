import { Failure } from "../failure/failure.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file's bytes, byte order mark included; undefined when they are not UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

export function requireText(path: string, bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  const kind =
    imageType(bytes) ?? (isUtf16(bytes) ? "UTF-16 text" : "binary, or text in another encoding than UTF-8");
  throw new Failure(
    "NOT_TEXT",
    `${path} is not text (${kind}). Read it with encoding "base64" if you need its bytes.`,
  );
}

/** By its first bytes, never by its name. */
export function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "image/webp";
  return undefined;
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
