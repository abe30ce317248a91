import { z } from "zod";
import { estimateTokens } from "../../text/tokens.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import {
  type Code,
  codeOptions,
  definitionOutput,
  definitionValue,
  firstOf,
  kindInput,
  placeOf,
  plainSymbol,
  titled,
} from "./code-answers.ts";
import { bodyOf, mainOf } from "./declaration-body.ts";
import { foldOf } from "./folded-parts.ts";

const maxResults = 10;
const maxOthers = 30;

const one = z.object({
  symbol: z.string(),
  matches: z.array(
    definitionOutput.extend({
      implements: z.string().optional(),
      body: z.string().optional().describe("Its numbered lines, where one definition is meant"),
    }),
  ),
  others: z.array(z.string()).describe("Further ones of the very name, by place"),
  total: z.number(),
  isSimilar: z
    .boolean()
    .optional()
    .describe("Nothing has the very name: it is part of these, or in another case"),
  near: z.array(z.string()).describe("Similar names, when there is none of this name"),
  holders: z.number().optional().describe("Files of code that hold the name at all"),
  notice: z.string().optional(),
});
type One = z.infer<typeof one>;

const output = one.extend({
  more: z.array(one).optional().describe("The answers for the other names in symbols"),
});

export const definition = (code: Code) =>
  defineTool({
    name: "definition",
    title: "Show a definition",
    description: "Definitions by name (Type.method, part of a name), with code when one is meant.",
    brief: {
      description: "Definitions by name (Type.method, part of a name), with code when one is meant.",
      input: z.object({ symbols: z.array(z.string()) }),
    },
    category: "Explore",
    input: z
      .object({
        symbol: plainSymbol.optional(),
        symbols: z.array(plainSymbol).min(1).max(8).optional(),
        kind: kindInput,
      })
      .refine(({ symbol, symbols }) => symbol !== undefined || symbols !== undefined, "Give a symbol."),
    output,
    can: ["read"],
    idempotent: true,
    effects: () => [{ kind: "read", path: "." }],
    execute: async ({ symbol, symbols = [], kind }, context) => {
      const names = [...new Set([...(symbol === undefined ? [] : [symbol]), ...symbols])];
      const answers: One[] = [];
      for (const name of names) answers.push(await definitionsOf(code, name, kind, context));
      const [first = emptyAnswer(names[0] ?? ""), ...more] = answers;
      return { ...first, ...(more.length > 0 && { more }) };
    },
    render: (value, { kind }) => {
      const answers = [value, ...(value.more ?? [])];
      return [
        answers.map((answer) => textOf(answer, kind, "code")).join("\n\n"),
        (budget) => {
          // The first ones with their code, as long as it fits.
          let left =
            budget -
            answers.reduce((sum, answer) => sum + estimateTokens(textOf(answer, kind, "signature")), 0);
          return answers
            .map((answer) => {
              const long = textOf(answer, kind, "code");
              const cost = estimateTokens(long) - estimateTokens(textOf(answer, kind, "signature")) + 2;
              if (cost > left) return textOf(answer, kind, "signature");
              left -= cost;
              return long;
            })
            .join("\n\n");
        },
        () => answers.map((answer) => textOf(answer, kind, "place")).join("\n"),
      ];
    },
    examples: [
      { title: "Where a type is defined", input: { symbol: "IssueStore" } },
      { title: "Several at once", input: { symbols: ["Planner.Plan", "parseConfig"] } },
    ],
  });

const emptyAnswer = (symbol: string): One => ({ symbol, matches: [], others: [], total: 0, near: [] });

async function definitionsOf(
  code: Code,
  symbol: string,
  kind: z.infer<typeof kindInput>,
  context: ToolContext,
): Promise<One> {
  const { found, implementing, near, holders, unparsed, notUnderstood } = await (await code()).definitions(
    symbol,
    kind,
    codeOptions(context),
  );
  const main = mainOf(found);
  const body = main ? await bodyOf(main, context.workspace, await foldOf(code, context)) : undefined;
  return {
    symbol,
    matches: found.slice(0, maxResults).map((definition) => {
      const mark = implementing.get(definition);
      return {
        ...definitionValue(definition),
        ...(mark && { implements: mark }),
        ...(definition === main && body !== undefined && { body }),
      };
    }),
    others: found
      .slice(maxResults, maxResults + maxOthers)
      .filter(({ distance }) => distance < 2)
      .map((definition) => definitionValue(definition))
      .map(({ name, file, line }) => `${name} ${file}:${line}`),
    total: found.length,
    ...(found[0] && found[0].distance > 0 && { isSimilar: true }),
    near,
    holders,
    ...noticeOf(unparsed, notUnderstood),
  };
}

/** What the answer does not cover. */
function noticeOf(
  unparsed: { files: number; of: number },
  notUnderstood: readonly string[],
): { notice?: string } {
  const notes = [
    ...(unparsed.files > 0
      ? [
          `Not all files are parsed yet (${unparsed.files} of ${unparsed.of} that could declare it are not): there may be more definitions.`,
        ]
      : []),
    ...(notUnderstood.length > 0
      ? [
          `The name occurs in files that could not be parsed (${notUnderstood.length}): ${firstOf(notUnderstood, 10)}.`,
        ]
      : []),
  ];
  return notes.length > 0 ? { notice: notes.join(" ") } : {};
}

function textOf(answer: One, kind: string | undefined, detail: "code" | "signature" | "place"): string {
  const { symbol, matches, others, total, notice } = answer;
  const notes = notice ? [notice] : [];
  const [first] = matches;
  if (!first) {
    const near = answer.near.length > 0 ? ` Did you mean ${answer.near.map(visibleLine).join(", ")}?` : "";
    const other = kind ? ` Leave out kind (${kind}), or try` : " Try";
    const used = answer.holders
      ? ` The name occurs in ${answer.holders} ${answer.holders === 1 ? "file" : "files"} of code: declared elsewhere, or in a way that is not understood; grep shows where.`
      : "";
    return [
      `No definition of "${symbol}" found.${used}${near}${other} a part of the name, or search_code with words that describe it.`,
      ...notes,
    ].join("\n");
  }
  if (detail === "place")
    return [...matches.map((match) => `${match.name} ${placeOf(match)}`), ...others]
      .map(visibleLine)
      .concat(notes)
      .join("\n");
  const similar = answer.isSimilar ? [`Nothing is called "${symbol}" exactly; similar:`] : [];
  const head = (match: (typeof matches)[number]) =>
    visibleLine(`${titled(match)}${match.implements ? ` (implements ${match.implements})` : ""}`);
  const body = (match: (typeof matches)[number]) =>
    detail === "code" && match.body !== undefined ? [match.body] : [];
  if (total === 1) {
    const code = body(first);
    // The code begins with the declaration: its name is enough to say what it is.
    const title = code.length > 0 ? visibleLine(first.name) : head(first);
    return [...similar, title, `Location: ${visibleLine(placeOf(first))}`, ...code, ...notes].join("\n");
  }
  const hidden = total - matches.length - others.length;
  const more =
    total > matches.length
      ? [
          `${matches.length} of ${total} shown. Narrow with kind${kind ? "" : ` (${[...new Set(matches.map((m) => m.kind))].join(", ")})`} or a qualified name.${others.length > 0 ? ` Others: ${others.map(visibleLine).join(", ")}${hidden > 0 ? `, … ${hidden} more` : ""}` : ""}`,
        ]
      : [];
  return [
    ...similar,
    `Found ${total} definitions for "${symbol}":`,
    ...matches.flatMap((m, i) => [
      `${i + 1}. ${head(m)}`,
      `   Location: ${visibleLine(placeOf(m))}`,
      ...body(m),
    ]),
    ...more,
    ...notes,
  ].join("\n");
}
