import { Failure } from "../../failure/failure.ts";
import { isPlainText } from "../../text/encoding.ts";
import { encodingNote, textOfFile } from "../../workspace/text-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { orNearestPath } from "./nearest-path.ts";

/** A part of a larger file is still read; the whole of it is not. */
const largestWhole = 10 * 1024 * 1024;
const largestInPart = 256 * 1024 * 1024;

export interface LineWindow {
  /** As it is written, line endings included. */
  content: string;
  startLine: number;
  endLine: number;
  totalLines: number;
  /** Bytes of the whole file. */
  size: number;
  modified: string;
  /** In words, where it is not plainly UTF-8. */
  encoding: string | undefined;
}

/**
 * The lines of a text file from `startLine` on, at most `count`: what every reading tool is built on. A wrong path fails
 * with the right one.
 */
export async function readWindow(
  workspace: Workspace,
  { path, startLine, count, isPart }: { path: string; startLine: number; count: number; isPart: boolean },
): Promise<LineWindow> {
  const maxBytes = isPart ? largestInPart : largestWhole;
  const { bytes, size, modified } = await orNearestPath(workspace, path, () =>
    workspace.read(path, { maxBytes }),
  );
  // Only the wanted lines are decoded: a file may be large.
  const file = isPlainText(bytes) ? undefined : await textOfFile(workspace, path, bytes);
  const { slice, totalLines, endLine } = file
    ? windowOfText(file.text, startLine, count)
    : windowOfBytes(bytes, startLine, count);
  const encoding = file && encodingNote(file);
  if (startLine > Math.max(1, totalLines)) {
    throw new Failure(
      "INVALID_INPUT",
      `${path} has ${totalLines} lines; line ${startLine} is past its end.`,
      { totalLines },
    );
  }
  return { content: slice, startLine, endLine, totalLines, size, modified, encoding };
}

function windowOfBytes(bytes: Buffer, startLine: number, count: number) {
  let line = 1;
  const marked = bytes.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark.length : 0;
  let [from, to] = [startLine === 1 ? marked : bytes.length, bytes.length];
  let at = 0;
  while (at < bytes.length) {
    at = lineEnd(bytes, at);
    if (at >= bytes.length) break;
    line++;
    if (line === startLine) from = at;
    if (line === startLine + count) to = at;
  }
  const totalLines = bytes.length === marked ? 0 : line;
  return {
    slice: bytes.toString("utf8", from, to),
    totalLines,
    endLine: Math.min(totalLines, startLine + count - 1),
  };
}

const byteOrderMark = Buffer.from("\ufeff");
const lineFeed = 10;
const carriageReturn = 13;

/** Behind the line ending: \n, \r\n or a lone \r. */
function lineEnd(bytes: Buffer, from: number): number {
  const feed = bytes.indexOf(lineFeed, from);
  const end = feed < 0 ? bytes.length : feed;
  const lone = bytes.subarray(from, end).indexOf(carriageReturn);
  if (lone >= 0 && from + lone + 1 !== feed) return from + lone + 1;
  return feed < 0 ? bytes.length : feed + 1;
}

/** A part of a text by lines. */
export function windowOfText(text: string, startLine: number, count: number) {
  const starts = text === "" ? [] : [0];
  for (const ending of text.matchAll(/\r\n|\n|\r/g)) starts.push(ending.index + ending[0].length);
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();
  const totalLines = starts.length;
  const endLine = Math.min(totalLines, startLine + count - 1);
  return {
    slice: text.slice(starts[startLine - 1] ?? text.length, starts[endLine] ?? text.length),
    totalLines,
    endLine,
  };
}
