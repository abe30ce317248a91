import { z } from "zod";

/** A path in the workspace. That it is relative to the root is stated once, in the introduction to the tools. */
export function pathInput(what: string): z.ZodString {
  return z.string().describe(what);
}

export const cursorInput = z.string().optional().describe("nextCursor of the previous page");
