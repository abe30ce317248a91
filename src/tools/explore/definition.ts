import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import {
  type Code,
  codeOptions,
  definitionOutput,
  definitionValue,
  kindInput,
  notice,
  placeOf,
  symbolInput,
} from "./code-answers.ts";

const maxResults = 10;

export const definition = (code: Code) =>
  defineTool({
    name: "definition",
    title: "Find definition",
    description:
      "Find where a symbol is defined: file, line and declaration, without its usages. Use it instead of grep when you know a name but not its place. Finds exact names first, then names that contain it in any case (IssueStore finds issueStore and MockIssueStore).",
    category: "Explore",
    input: z.object({
      symbol: symbolInput,
      kind: kindInput.describe("Only this kind of declaration; type covers classes, interfaces and enums"),
    }),
    output: z.object({
      matches: z.array(definitionOutput.extend({ implements: z.string().optional() })),
      total: z.number(),
      notice: z.string().optional(),
    }),
    can: ["read"],
    idempotent: true,
    effects: () => [{ kind: "read", path: "." }],
    execute: async ({ symbol, kind }, context) => {
      const { found, implementing, coverage } = await (await code()).definitions(
        symbol,
        kind,
        codeOptions(context),
      );
      const note = notice(coverage);
      return {
        matches: found.slice(0, maxResults).map((one) => {
          const mark = implementing.get(one);
          return { ...definitionValue(one), ...(mark && { implements: mark }) };
        }),
        total: found.length,
        ...(note && { notice: note }),
      };
    },
    render: ({ matches, total, notice: note }, { symbol, kind }) => {
      const notes = note ? [note] : [];
      const [first] = matches;
      if (!first) {
        const other = kind ? `, or leave out kind (${kind})` : "";
        return [
          `No definition of "${symbol}" found. Try a part of the name, search_code with words that describe it${other}.`,
          ...notes,
        ].join("\n");
      }
      const head = (match: (typeof matches)[number]) =>
        `${titled(match)}${match.implements ? ` (implements ${match.implements})` : ""}`;
      if (total === 1) return [head(first), `Location: ${placeOf(first)}`, ...notes].join("\n");
      const more =
        total > matches.length
          ? [
              `${matches.length} of ${total} shown. Narrow with kind${kind ? "" : ` (${[...new Set(matches.map((m) => m.kind))].join(", ")})`} or a qualified name.`,
            ]
          : [];
      return [
        [
          `Found ${total} definitions for "${symbol}":`,
          ...matches.flatMap((m, i) => [`${i + 1}. ${head(m)}`, `   Location: ${placeOf(m)}`]),
          ...more,
          ...notes,
        ].join("\n"),
        () =>
          [
            `Found ${total} definitions for "${symbol}":`,
            ...matches.map((m) => `${m.name} ${placeOf(m)}`),
            ...more,
            ...notes,
          ].join("\n"),
      ];
    },
    examples: [
      { title: "Where a type is defined", input: { symbol: "IssueStore" } },
      { title: "A method of one type", input: { symbol: "Planner.Plan", kind: "method" } },
    ],
  });

/** The declaration; with the type it belongs to where the text does not say it. */
function titled({ name, signature }: { name: string; signature: string }): string {
  const owner = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const last = owner.slice(owner.lastIndexOf(".") + 1);
  return owner === "" || signature.includes(last) ? signature : `${owner}: ${signature}`;
}
