import { z } from "zod";
import { visibleLine } from "../text/visible.ts";
import { shortened } from "../workspace/non-utf8-names.ts";

const maxNamed = 5;

/** For results that list files: existing names that no tool can open. */
export const notText = z
  .object({ count: z.number(), names: z.array(z.string()) })
  .optional()
  .describe(
    "What no tool can open, as its name is not UTF-8 or its path too long; the first of them escaped",
  );

export function skipped(names: readonly string[]): { notText?: { count: number; names: string[] } } {
  return names.length === 0
    ? {}
    : { notText: { count: names.length, names: names.slice(0, maxNamed).map(shortened) } };
}

/** One line for a model, or none. */
export function skippedLine(odd: z.infer<typeof notText>): string[] {
  if (!odd) return [];
  const { count, names } = odd;
  const named = `${names.map(visibleLine).join(", ")}${count > names.length ? ", …" : ""}`;
  return [
    `Skipped, as no tool can open ${count === 1 ? "it" : "them"} (not UTF-8, or a path that is too long): ${named} (${count})`,
  ];
}
