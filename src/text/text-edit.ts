import { Failure } from "../events/failure.ts";

export interface TextEdit {
  oldText: string;
  newText: string;
  expectedCount?: number;
}

/** Applies edits in order; bytes outside them stay as they are. */
export function replaceInBytes(path: string, bytes: Buffer, edits: readonly TextEdit[]): Buffer {
  return edits.reduce((content, { oldText, newText, expectedCount = 1 }) => {
    const parts = splitBuffer(content, Buffer.from(oldText));
    if (parts.length - 1 !== expectedCount) {
      throw new Failure(
        "INVALID_INPUT",
        `oldText occurs ${parts.length - 1} times in ${path}, not ${expectedCount}.`,
      );
    }
    return joinBuffers(parts, Buffer.from(newText));
  }, bytes);
}

function splitBuffer(content: Buffer, separator: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (let next = content.indexOf(separator); next >= 0; next = content.indexOf(separator, at)) {
    parts.push(content.subarray(at, next));
    at = next + separator.length;
  }
  return [...parts, content.subarray(at)];
}

function joinBuffers(parts: readonly Buffer[], separator: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part])));
}
