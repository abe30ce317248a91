import { z } from "zod";

/** The one way a path is described to models. */
export function pathInput(what: string): z.ZodString {
  return z.string().describe(`${what}, relative to the workspace root (for example src/app.ts)`);
}

export const cursorInput = z.string().optional().describe("Where the previous page ended: its nextCursor");
