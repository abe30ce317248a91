import { z } from "zod";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { type Code, codeOptions, definitionValue, notice, symbolInput } from "./code-answers.ts";

const maxResults = 10;
const kindsOf = {
  function: /^(?:func|method|macro)$/,
  class: /^(?:class|interface|type|enum)$/,
  variable: /^(?:const|var|field)$/,
} as const;

export const findDefinition = (code: Code) =>
  defineTool({
    name: "find_definition",
    title: "Find definition",
    description: "Where a function, class, variable or import is defined: file, line, declaration.",
    category: "Search",
    input: z.object({
      symbol: symbolInput,
      type: z
        .enum(["function", "class", "variable", "import"])
        .optional()
        .describe("Only this kind; import finds where the name is imported"),
    }),
    output: z.object({
      results: z.array(
        z.object({ file: z.string(), line: z.number(), kind: z.string(), context: z.string() }),
      ),
      total: z.number(),
      isSimilar: z.boolean().optional().describe("Nothing has the very name"),
      notice: z.string().optional(),
    }),
    can: ["read"],
    idempotent: true,
    effects: () => [{ kind: "read", path: "." }],
    execute: async ({ symbol, type }, context) => {
      if (type === "import") {
        const imports = await (await code()).importsOfName(symbol, codeOptions(context));
        const results = imports
          .slice(0, maxResults)
          .map(({ file, line, statement }) => ({ file, line, kind: "import", context: statement }));
        return { results, total: imports.length };
      }
      const { found, unparsed, coverage, notUnderstood } = await (await code()).definitions(
        symbol,
        undefined,
        codeOptions(context),
      );
      const wanted = type ? found.filter((d) => kindsOf[type].test(d.declaration.kind)) : found;
      const unread =
        notUnderstood.length > 0
          ? `Could not be parsed and hold the name: ${notUnderstood.slice(0, 10).join(", ")}.`
          : "";
      const note = [unparsed.files > 0 && notice(coverage), unread].filter(Boolean).join(" ");
      const results = wanted.slice(0, maxResults).map((one) => {
        const { file, line, kind, signature, endLine } = definitionValue(one);
        return {
          file,
          line,
          kind,
          context: endLine > line ? `${signature} … (to line ${endLine})` : signature,
        };
      });
      const isSimilar = wanted[0] !== undefined && wanted[0].distance > 0;
      return {
        results,
        total: wanted.length,
        ...(isSimilar && { isSimilar }),
        ...(note && { notice: note }),
      };
    },
    render: ({ results, total, isSimilar, notice: note }, { symbol, type }) => {
      const notes = note ? [note] : [];
      if (total === 0)
        return [
          `No ${type ?? "definition"} "${symbol}" found. Try a part of the name${type ? ", or leave out type" : ""}.`,
          ...notes,
        ].join("\n");
      const more =
        total > results.length
          ? [`...and ${total - results.length} more: narrow with type or a qualified name`]
          : [];
      return [
        ...(isSimilar ? [`Nothing is called "${symbol}" exactly; similar:`] : []),
        ...results.map(({ file, line, context }) => `${file}:${line}  ${visibleText(context)}`),
        ...more,
        ...notes,
      ].join("\n");
    },
    examples: [{ title: "Where a class is defined", input: { symbol: "DatabaseService", type: "class" } }],
  });
