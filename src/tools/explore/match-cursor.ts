import { z } from "zod";
import { Failure } from "../../failure/failure.ts";

const wrongCursor = "This cursor was not given by an earlier page. Leave it out to start at the first page.";

/** The last place of the page before. */
export const placeCursor = z
  .string()
  .regex(/^.+:\d+$/s, wrongCursor)
  .optional();
/** How many the pages before have shown. */
export const countCursor = z
  .string()
  .regex(/^\d{1,9}$/, wrongCursor)
  .optional();

/** Where a page of matches ended. */
export function writeMatchCursor({ file, line }: { file: string; line: number }): string {
  return `${file}:${line}`;
}

export function readMatchCursor(cursor: string): { file: string; line: number } {
  const [, file, line] = /^(.+):(\d+)$/s.exec(cursor) ?? [];
  if (line === undefined || file === undefined) throw new Failure("INVALID_INPUT", wrongCursor);
  return { file, line: Number(line) };
}
