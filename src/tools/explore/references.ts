import { z } from "zod";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import {
  type Code,
  codeOptions,
  definitionOutput,
  definitionValue,
  kindNameInput,
  notice,
  symbolInput,
} from "./code-answers.ts";
import { gaps, sortedOutput, sortedText, sortedValue } from "./sorted-answer.ts";

const output = z.object({
  definitions: z.array(definitionOutput),
  references: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      text: z.string(),
      kind: z.enum(["call", "import", "use"]),
      within: z.string().optional().describe("The function or type it stands in"),
      byName: z.boolean().optional().describe("Possible: nothing proves or excludes it"),
      why: z.string().optional().describe("Why it is only possible"),
    }),
  ),
  sorted: sortedOutput.optional(),
  notice: z.string().optional(),
});
type Reference = z.infer<typeof output>["references"][number];

export const references = (code: Code) =>
  defineTool({
    name: "references",
    title: "Find references",
    description:
      "All uses of a symbol, with the function around each; sure, possible (?) and others counted.",
    category: "Explore",
    input: z.object({
      symbol: symbolInput,
      path: z.string().default("."),
      kind: kindNameInput,
    }),
    output,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ symbol, path, kind }, context) => {
      const place = await context.workspace.resolve(path);
      const answer = await (await code()).references(
        symbol,
        { path: place.path, kind },
        codeOptions(context),
      );
      const note = notice(answer.coverage);
      return {
        definitions: answer.definitions.map(definitionValue),
        references: answer.references.map(({ file, line, text, kind: use, within, certain, why }) => ({
          file,
          line,
          text: text.slice(0, 300),
          kind: use,
          ...(within && { within }),
          ...(!certain && { byName: true, ...(why && { why }) }),
        })),
        ...(answer.definitions.length > 0 && { sorted: sortedValue(answer) }),
        ...(note && { notice: note }),
      };
    },
    render: (value, { symbol }) => {
      const notes = [...(value.sorted ? gaps(value.sorted) : []), ...(value.notice ? [value.notice] : [])];
      if (value.definitions.length === 0) {
        return [
          `"${symbol}" is not defined here. Use grep to search for the text, or definition to find similar names.`,
          ...notes,
        ].join("\n");
      }
      const places = value.definitions
        .slice(0, 3)
        .map((d) => `${d.file}:${d.line}`)
        .join(", ");
      const uses = value.references.filter((r) => r.kind !== "import");
      const importing = new Set(value.references.filter((r) => r.kind === "import").map((r) => r.file));
      const counts = value.sorted ? sortedText(value.sorted) : "";
      if (value.references.length === 0) {
        const elsewhere = value.sorted?.other ? ` (${counts})` : "";
        return [`No references to ${symbol} (defined at ${places})${elsewhere}.`, ...notes].join("\n");
      }
      const files = new Set(uses.map((r) => r.file));
      const imported = importing.size > 0 ? `, imported in ${importing.size}` : "";
      const isPlain = value.sorted?.possible === 0 && value.sorted.other === 0;
      const head = `${uses.length} ${uses.length === 1 ? "reference" : "references"} to ${symbol} (defined at ${places}) in ${files.size} ${files.size === 1 ? "file" : "files"}${imported}${isPlain ? "" : `: ${counts}`}`;
      const groups = [...Map.groupBy(uses, (r) => r.file)];
      const doubtful = uses.some((r) => r.byName) ? ["? = possible: nothing proves or excludes it"] : [];
      const only = [...importing].filter((file) => !files.has(file));
      const rest = only.length > 0 ? [`only imported or passed on in: ${only.join(", ")}`] : [];
      return [
        [
          head,
          ...groups.flatMap(([file, all]) => [file, ...withText(all)]),
          ...rest,
          ...doubtful,
          ...notes,
        ].join("\n"),
        () =>
          [
            head,
            ...groups.map(([file, all]) => `${file}: ${bySymbol(all)}`),
            ...rest,
            ...doubtful,
            ...notes,
          ].join("\n"),
        () => [head, ...groups.map(([file, all]) => `${file}: ${all.length}`), ...notes].join("\n"),
        () =>
          [head, `${files.size} files; give path to see the uses below one directory.`, ...notes].join("\n"),
      ];
    },
    examples: [
      { title: "Who uses a class", input: { symbol: "IssueStore" } },
      {
        title: "Uses of a function in one directory",
        input: { symbol: "parseConfig", path: "src/app", kind: "func" },
      },
    ],
  });

/** One line a use; the symbol around it is named when it changes. */
function withText(uses: readonly Reference[]): string[] {
  let last: string | undefined;
  return uses.map(({ line, text, within, byName }) => {
    const name = within !== last && within ? ` [${within}]` : "";
    last = within;
    return `  ${line}${byName ? "?" : ""}${name} ${visibleText(text.slice(0, 120))}`;
  });
}

function bySymbol(uses: readonly Reference[]): string {
  return [...Map.groupBy(uses, (r) => r.within ?? "top level")]
    .map(([within, all]) => `${within} ${all.map((r) => r.line).join(",")}`)
    .join("; ");
}
