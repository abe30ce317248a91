import { extname } from "node:path";
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
  texts: z
    .object({ total: z.number(), first: z.array(z.string()) })
    .optional()
    .describe("Texts that are just the name, in languages that reach members by text"),
  noCodeTotal: z.number().optional().describe("How many those are, where not all are listed"),
});
export type SortedValue = z.infer<typeof sortedOutput>;

const maxOthers = 20;
const maxFiles = 20;
const maxTexts = 3;

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
    ...(found.texts.length > 0 && {
      texts: {
        total: found.texts.length,
        first: found.texts.slice(0, maxTexts).map(({ file, line }) => `${file}:${line}`),
      },
    }),
    ...(found.noCode.length > maxFiles && { noCodeTotal: found.noCode.length }),
  };
}

/** `12 sure, 5 possible (unknown receiver), 19 belong to Session.close`. */
export function sortedText(sorted: SortedValue): string {
  const { other, others } = sorted;
  const [first] = others;
  const belong =
    others.length === 1
      ? `${other} belong to ${first?.symbol}`
      : `${other} belong to others (${othersText(sorted)})`;
  return [sureText(sorted), ...(other > 0 ? [belong] : [])].join(", ");
}

/** `12 sure, 5 possible (unknown receiver)`. */
export function sureText({ sure, possible, why }: SortedValue): string {
  const reasons = Object.entries(why).sort((a, b) => b[1] - a[1]);
  const because =
    reasons.length === 1
      ? reasons[0]?.[0]
      : reasons
          .map(([reason, count]) => `${count} ${reason}`)
          .slice(0, 4)
          .join(", ");
  return [`${sure} sure`, ...(possible > 0 ? [`${possible} possible (${because})`] : [])].join(", ");
}

/** `Session.close 12, Store.close 3, and 4 elsewhere`: what the other places belong to. */
export function othersText({ other, others }: SortedValue): string {
  const named = others.slice(0, 4).map(({ symbol, count }) => `${symbol} ${count}`);
  const shown = others.slice(0, 4).reduce((sum, { count }) => sum + count, 0);
  return [...named, ...(other > shown ? [`and ${other - shown} elsewhere`] : [])].join(", ");
}

/** How much of a very common name was not looked at, and what to do about it. */
export function leftText({ left }: SortedValue): string[] {
  return left
    ? [`${left} more files hold the name and were not looked at: narrow with path or a qualified name.`]
    : [];
}

/** What else the answer could not look into. */
export function gaps({ unparsed, texts, noCode, noCodeTotal }: SortedValue): string[] {
  return [
    ...(unparsed ? [`Not parsed, every occurrence counted as possible: ${unparsed.join(", ")}`] : []),
    ...(texts
      ? [
          `Not counted: ${texts.total} ${texts.total === 1 ? "text that is" : "texts that are"} just this name (${texts.first.join(", ")}${texts.total > texts.first.length ? ", …" : ""}).`,
        ]
      : []),
    ...(noCode ? [noCodeText(noCode, noCodeTotal ?? noCode.length)] : []),
  ];
}

/** `The name is also in 9 files that are not code (5 .md, 3 .yml, …)`. */
function noCodeText(files: readonly string[], total: number): string {
  const kinds = [...Map.groupBy(files, extname)].sort(([, a], [, b]) => b.length - a.length);
  const named = kinds.slice(0, 3).map(([kind, all]) => `${all.length} ${kind || "without extension"}`);
  const more = kinds.length > 3 || total > files.length ? ", …" : "";
  return `The name is also in ${total} ${total === 1 ? "file that is" : "files that are"} not code (${named.join(", ")}${more}).`;
}
