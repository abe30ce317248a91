import { Failure } from "../../failure/failure.ts";
import { rewritten } from "../../workspace/splice.ts";
import { type EditedFile, editFile, type TextEdit } from "../../workspace/text-edit.ts";
import {
  bytesOfNewFile,
  readTextFile,
  type TextFile,
  textOfFile,
  withSetting,
} from "../../workspace/text-file.ts";
import type { FileOperation, Workspace } from "../../workspace/workspace.ts";

export const maxEditBytes = 64 * 1024 * 1024;

/** Whoever may not read it is told by what is judged next: the write. */
const notReadable = new Set<string>(["NOT_TEXT", "TOO_LARGE", "INVALID_PATH", "APPROVAL_DENIED"]);

/** The file that is there as text; undefined where none is, or nothing that could be text. */
export async function presentText(workspace: Workspace, path: string): Promise<TextFile | undefined> {
  const there = await workspace.statIfThere(path);
  if (!there) return undefined;
  try {
    return await withSetting(
      workspace,
      path,
      await readTextFile(workspace, path, { maxBytes: maxEditBytes }),
    );
  } catch (error) {
    if (error instanceof Failure && notReadable.has(error.code)) return undefined;
    throw error;
  }
}

/** A whole new content: over a text, in its encoding, with its byte order mark and its line breaks. */
export async function wholeFile(
  workspace: Workspace,
  path: string,
  content: string,
  present: TextFile | undefined,
): Promise<TextFile> {
  try {
    if (present && present.bytes.length > 0) return await rewritten(present, content);
    return await textOfFile(workspace, path, await bytesOfNewFile(workspace, path, content)).catch(
      asUtf8(content),
    );
  } catch (error) {
    throw inFile(path, error);
  }
}

/** Text that nobody would take for text, such as a NUL character, is still written. */
const asUtf8 = (content: string) => (): TextFile => ({
  bytes: Buffer.from(content),
  text: content,
  encoding: { name: "utf-8", marked: false, by: "bytes", others: [] },
});

/** Failures name the file: in a batch the model must know which one. */
export function inFile(path: string, error: unknown): unknown {
  return error instanceof Failure
    ? new Failure(error.code, `In ${path}: ${error.message}`, error.details)
    : error;
}

/** Failures and notes name the file. */
export async function editNamed(
  path: string,
  file: TextFile,
  edits: readonly TextEdit[],
): Promise<EditedFile> {
  try {
    const edited = await editFile(file, edits);
    return {
      ...edited,
      notes: edited.notes.map((note) => (/^\d+\t|^…/.test(note) ? note : `${path}: ${note}`)),
    };
  } catch (error) {
    throw inFile(path, error);
  }
}

/** Bytes of the one file that is written. */
export function writtenSize([only]: readonly FileOperation[]): number {
  return only?.op === "write" ? only.bytes.byteLength : 0;
}
