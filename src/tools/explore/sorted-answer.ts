import { z } from "zod";
import type { FoundReferences } from "../../code/resolve/references.ts";

/** How every occurrence of a name in code was sorted. */
export const sortedOutput = z.object({
  sure: z.number().describe("Scope, import or type prove it; imports not counted"),
  possible: z.number().describe("Nothing proves or excludes it"),
  other: z.number().describe("The name means something else"),
  why: z.record(z.string(), z.number()).describe("Possible ones by reason"),
  others: z
    .array(z.object({ symbol: z.string(), count: z.number() }))
    .describe("What the other ones belong to"),
  unparsed: z.array(z.string()).optional().describe("Files that hold the name and could not be parsed"),
  left: z.number().optional().describe("Files that hold the name and were not looked at"),
  noCode: z.array(z.string()).optional().describe("Files in no known language that hold the name"),
});
export type SortedValue = z.infer<typeof sortedOutput>;

const maxOthers = 20;
const maxFiles = 20;

export function sortedValue(found: FoundReferences): SortedValue {
  const doubtful = found.references.filter((r) => !r.certain);
  const others = [...found.others].sort((a, b) => b[1] - a[1]);
  return {
    sure: found.references.filter((r) => r.certain && r.kind !== "import").length,
    possible: doubtful.length,
    other: others.reduce((sum, [, count]) => sum + count, 0),
    why: Object.fromEntries(
      [...Map.groupBy(doubtful, (r) => r.why ?? "only the name agrees")].map(([why, all]) => [
        why,
        all.length,
      ]),
    ),
    others: others.slice(0, maxOthers).map(([symbol, count]) => ({ symbol, count })),
    ...(found.unparsed.length > 0 && { unparsed: found.unparsed.slice(0, maxFiles) }),
    ...(found.left.length > 0 && { left: found.left.length }),
    ...(found.noCode.length > 0 && { noCode: found.noCode.slice(0, maxFiles) }),
  };
}

/** `12 sure, 5 possible (unknown receiver), 19 belong to Session.close`. */
export function sortedText({ sure, possible, other, why, others }: SortedValue): string {
  const reasons = Object.entries(why).sort((a, b) => b[1] - a[1]);
  const because =
    reasons.length === 1
      ? reasons[0]?.[0]
      : reasons
          .map(([reason, count]) => `${count} ${reason}`)
          .slice(0, 4)
          .join(", ");
  const [first] = others;
  const named = others.slice(0, 4).map(({ symbol, count }) => `${symbol} ${count}`);
  const shown = others.slice(0, 4).reduce((sum, { count }) => sum + count, 0);
  const more = other > shown ? `, and ${other - shown} elsewhere` : "";
  return [
    `${sure} sure`,
    ...(possible > 0 ? [`${possible} possible (${because})`] : []),
    ...(other > 0 && others.length === 1 ? [`${other} belong to ${first?.symbol}`] : []),
    ...(other > 0 && others.length > 1 ? [`${other} belong to others (${named.join(", ")}${more})`] : []),
  ].join(", ");
}

/** How much of a very common name was not looked at, and what to do about it. */
export function leftText({ left }: SortedValue): string[] {
  return left
    ? [`${left} more files hold the name and were not looked at: narrow with path or a qualified name.`]
    : [];
}

/** What else the answer could not look into. */
export function gaps({ unparsed, noCode }: SortedValue): string[] {
  return [
    ...(unparsed ? [`Not parsed, every occurrence counted as possible: ${unparsed.join(", ")}`] : []),
    ...(noCode
      ? [
          `The name also occurs in files that are not code: ${noCode.slice(0, 5).join(", ")}${noCode.length > 5 ? ", …" : ""}`,
        ]
      : []),
  ];
}
