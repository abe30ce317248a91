import { z } from "zod";
import type { Reference } from "../../code/resolve/reference.ts";
import { defineTool } from "../../tool/define-tool.ts";
import {
  type Code,
  codeOptions,
  definitionValue,
  kindNameInput,
  notice,
  similarText,
  symbolInput,
} from "./code-answers.ts";
import { excludeInput, excludes } from "./excluded-files.ts";
import { placeCursor } from "./match-cursor.ts";
import { referencesText } from "./references-text.ts";
import { type ReferencesValue, referencesOutput } from "./references-value.ts";
import { sortedValue } from "./sorted-answer.ts";

/** Texts are no longer than this. */
const longestText = 300;

const referenceValue = ({ certain, ...one }: Reference): ReferencesValue["references"][number] => ({
  file: one.file,
  line: one.line,
  text: one.text.slice(0, longestText),
  ...(one.statement && { statement: one.statement }),
  kind: one.kind,
  ...(one.within && { within: one.within }),
  ...(!certain && { byName: true, ...(one.why && { why: one.why }) }),
  ...(one.binding && { binding: { ...one.binding, text: one.binding.text.slice(0, longestText) } }),
  ...(one.reexport && { reexport: one.reexport }),
});

export const references = (code: Code) =>
  defineTool({
    name: "references",
    title: "Find references",
    description:
      "All uses of a symbol, with the function around each; sure, possible (?) and others counted.",
    brief: {
      description: "All uses and imports of a symbol (Type.method, file#name).",
      input: z.object({ symbol: z.string(), exclude: z.string().optional(), cursor: z.string().optional() }),
    },
    category: "Explore",
    input: z.object({
      symbol: symbolInput,
      path: z.string().default("."),
      exclude: excludeInput,
      kind: kindNameInput,
      cursor: placeCursor,
    }),
    output: referencesOutput,
    budget: 2_500,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ symbol, path, exclude, kind }, context) => {
      const place = await context.workspace.resolve(path);
      const engine = await code();
      const found = await engine.references(symbol, { path: place.path, kind }, codeOptions(context));
      const isExcluded = excludes(exclude);
      const answer = { ...found, references: found.references.filter(({ file }) => !isExcluded(file)) };
      const leftOut = found.references.length - answer.references.length;
      // What is found names every file that was not looked at.
      const isKnown = answer.definitions.length > 0;
      const similar = isKnown ? undefined : await similarText(engine, symbol, context);
      const unread = isKnown || answer.unread === 0 ? undefined : notice(answer.coverage);
      const excluded = leftOut > 0 ? `Left out by exclude: ${leftOut}.` : undefined;
      const note = [similar, excluded, unread].filter(Boolean).join("\n");
      const { caveat } = answer;
      return {
        definitions: answer.definitions.map(definitionValue),
        ...(caveat && { caveat }),
        references: answer.references.map(referenceValue),
        ...(answer.definitions.length > 0 ? { sorted: sortedValue(answer) } : { holders: answer.holders }),
        ...(answer.notParsed !== undefined && { notParsed: answer.notParsed }),
        ...(note && { notice: note }),
      };
    },
    render: (value, { symbol, cursor }) => referencesText(value, symbol, cursor),
    examples: [
      { title: "Who uses a class; none: unused, dead code", input: { symbol: "IssueStore" } },
      {
        title: "Uses of a function in one directory",
        input: { symbol: "parseConfig", path: "src/app", kind: "func" },
      },
    ],
  });
