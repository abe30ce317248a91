import { z } from "zod";
import { visibleLine } from "../text/visible.ts";

const maxNamed = 5;

/** For results that list files: existing names that no tool can open. */
export const notText = z
  .object({ count: z.number(), names: z.array(z.string()) })
  .optional()
  .describe("Names that are not UTF-8, the first of them escaped");

export function skipped(names: readonly string[]): { notText?: { count: number; names: string[] } } {
  return names.length === 0 ? {} : { notText: { count: names.length, names: names.slice(0, maxNamed) } };
}

/** One line for a model, or none. */
export function skippedLine(odd: z.infer<typeof notText>): string[] {
  if (!odd) return [];
  const { count, names } = odd;
  const named = `${names.map(visibleLine).join(", ")}${count > names.length ? ", …" : ""}`;
  return [
    `Skipped, as ${count === 1 ? "its name is" : "their names are"} not UTF-8 and no tool can open ${count === 1 ? "it" : "them"}: ${named} (${count})`,
  ];
}
