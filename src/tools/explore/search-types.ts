import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import {
  type Code,
  codeOptions,
  definitionOutput,
  definitionValue,
  notice,
  placeOf,
} from "./code-answers.ts";

const maxResults = 50;

export const searchTypes = (code: Code) =>
  defineTool({
    name: "search_types",
    title: "Search types",
    description: "Types whose name matches a pattern with * and ?, in any case (*Store).",
    category: "Explore",
    input: z.object({
      pattern: z.string().trim().min(1).max(200),
      kind: z.enum(["type", "interface", "class", "enum"]).optional(),
    }),
    output: z.object({ types: z.array(definitionOutput), total: z.number(), notice: z.string().optional() }),
    can: ["read"],
    idempotent: true,
    effects: () => [{ kind: "read", path: "." }],
    execute: async ({ pattern, kind }, context) => {
      const { found, coverage } = await (await code()).types(pattern, kind, codeOptions(context));
      const note = notice(coverage);
      return {
        types: found.slice(0, maxResults).map(definitionValue),
        total: found.length,
        ...(note && { notice: note }),
      };
    },
    render: ({ types, total, notice: note }, { pattern }) => {
      const notes = note ? [note] : [];
      if (total === 0)
        return [
          `No type matches ${pattern}. Wildcards: *${pattern.replaceAll("*", "")}* matches more.`,
          ...notes,
        ].join("\n");
      const more =
        total > types.length
          ? [`... and ${total - types.length} more: narrow the pattern or give a kind`]
          : [];
      return [
        [...types.map((t) => `${t.signature}  ${placeOf(t)}`), ...more, ...notes].join("\n"),
        () => [...types.map((t) => `${t.name}  ${t.file}:${t.line}`), ...more, ...notes].join("\n"),
      ];
    },
    examples: [{ title: "All stores", input: { pattern: "*Store" } }],
  });
