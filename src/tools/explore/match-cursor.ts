import { Failure } from "../../failure/failure.ts";

/** Where a page of matches ended. */
export function writeMatchCursor({ file, line }: { file: string; line: number }): string {
  return `${file}:${line}`;
}

export function readMatchCursor(cursor: string): { file: string; line: number } {
  const [, file, line] = /^(.+):(\d+)$/s.exec(cursor) ?? [];
  if (line === undefined || file === undefined) {
    throw new Failure(
      "INVALID_INPUT",
      "This cursor was not given by an earlier page. Leave it out to start at the first page.",
    );
  }
  return { file, line: Number(line) };
}
