import { Failure } from "../failure/failure.ts";
import { type DecodedText, readText } from "../text/encoding.ts";
import { encodingNamed, encodingWords } from "../text/encoding-names.ts";
import { imageType } from "../text/image-type.ts";
import { encodingSetting } from "./encoding-settings.ts";
import type { FileContent, Workspace } from "./workspace.ts";

/** A file as text, with the bytes that it is made of. Without its byte order mark, which stays where it is. */
export interface TextFile extends DecodedText {
  bytes: Buffer;
}

type Reader = Pick<Workspace, "read">;

/** Reads a file as text, in whatever encoding: every tool that shows or changes text reads it here. */
export async function readTextFile(
  workspace: Reader,
  path: string,
  options?: { maxBytes?: number },
): Promise<TextFile & FileContent> {
  const content = await workspace.read(path, options);
  return { ...content, ...(await textOfFile(workspace, path, content.bytes)) };
}

/** The text of bytes that stand at a path. `NOT_TEXT` where they are binary. */
export async function textOfFile(workspace: Reader, path: string, bytes: Buffer): Promise<TextFile> {
  const decoded = await readText(bytes, () => encodingSetting(workspace, path));
  if (decoded) return { bytes, ...decoded };
  throw new Failure(
    "NOT_TEXT",
    `${path} is not text (${imageType(bytes) ?? "binary"}). Read it with encoding "base64" if you need its bytes.`,
  );
}

/** The encoding in which text is added to a file that is ASCII so far is named by the project's settings. */
export async function withSetting<T extends TextFile>(workspace: Reader, path: string, file: T): Promise<T> {
  const { by, name, marked } = file.encoding;
  if (by !== "bytes" || name !== "utf-8" || marked || /[^\0-\x7f]/.test(file.text)) return file;
  const setting = await encodingSetting(workspace, path);
  if (setting === undefined || setting === "utf-8" || setting.startsWith("utf-16")) return file;
  return { ...file, encoding: { ...file.encoding, name: setting, by: "settings" } };
}

/** The bytes of a new file's text: as the project's settings say, else UTF-8. */
export async function bytesOfNewFile(workspace: Reader, path: string, text: string): Promise<Buffer> {
  if (/^[\0-\x7f]*$/.test(text)) return Buffer.from(text);
  const name = encodingNamed((await encodingSetting(workspace, path)) ?? "utf-8");
  const plain = Buffer.from(text);
  if (name === "utf-8") return plain;
  const { encode, isKnown } = await import("../text/legacy-encoding.ts");
  if (!isKnown(name)) return plain;
  return encode(text, { name, marked: false, by: "settings", others: [] });
}

/** For people and models; undefined where there is nothing to say. */
export function encodingNote({ encoding }: DecodedText): string | undefined {
  const isUsual = encoding.name === "utf-8" && encoding.others.length === 0 && encoding.by !== "content";
  return isUsual ? undefined : encodingWords(encoding);
}
