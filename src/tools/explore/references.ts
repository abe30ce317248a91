import { z } from "zod";
import { callsWithoutName } from "../../code/resolve/caveats.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import {
  type Code,
  codeOptions,
  definitionOutput,
  definitionValue,
  kindNameInput,
  nameAround,
  notice,
  symbolInput,
} from "./code-answers.ts";
import { gaps, leftText, sortedOutput, sortedText, sortedValue } from "./sorted-answer.ts";

const output = z.object({
  definitions: z.array(definitionOutput),
  references: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      text: z.string(),
      kind: z.enum(["call", "import", "use"]),
      within: z.string().optional().describe("The function or type around it"),
      byName: z.boolean().optional().describe("Possible: nothing proves or excludes it"),
      why: z.string().optional().describe("Why it is only possible"),
    }),
  ),
  sorted: sortedOutput.optional(),
  notParsed: z.string().optional().describe("The file that the symbol names, if it could not be parsed"),
  caveat: z.string().optional().describe("What cannot be found by the name"),
  holders: z.number().optional().describe("Of a name that is declared nowhere: files of code that hold it"),
  notice: z.string().optional(),
});
/** More possible uses than this are listed by line number only. */
const listedPossible = 30;

type Reference = z.infer<typeof output>["references"][number];

export const references = (code: Code) =>
  defineTool({
    name: "references",
    title: "Find references",
    description:
      "All uses of a symbol, with the function around each; sure, possible (?) and others counted.",
    brief: {
      description: "All uses and imports of a symbol (Type.method, file#name).",
      input: z.object({ symbol: z.string() }),
    },
    category: "Explore",
    input: z.object({
      symbol: symbolInput,
      path: z.string().default("."),
      kind: kindNameInput,
    }),
    output,
    budget: 2_500,
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
      // What is found names every file that was not looked at.
      const note = answer.definitions.length > 0 || answer.unread === 0 ? undefined : notice(answer.coverage);
      const caveat = callsWithoutName(answer.definitions);
      return {
        definitions: answer.definitions.map(definitionValue),
        ...(caveat && { caveat }),
        references: answer.references.map(({ file, line, text, kind: use, within, certain, why }) => ({
          file,
          line,
          text: text.slice(0, 300),
          kind: use,
          ...(within && { within }),
          ...(!certain && { byName: true, ...(why && { why }) }),
        })),
        ...(answer.definitions.length > 0 ? { sorted: sortedValue(answer) } : { holders: answer.holders }),
        ...(answer.notParsed !== undefined && { notParsed: answer.notParsed }),
        ...(note && { notice: note }),
      };
    },
    render: (value, { symbol }) => {
      const notes = [
        ...(value.caveat ? [value.caveat] : []),
        ...(value.sorted ? gaps(value.sorted) : []),
        ...(value.notice ? [value.notice] : []),
      ];
      if (value.definitions.length === 0) {
        if (value.notParsed !== undefined)
          return `${value.notParsed} could not be parsed in time, so what it declares is not known. Ask again, or use grep.`;
        const used = value.holders ? `, but occurs in ${counted(value.holders, "file")} of code` : "";
        return [
          `"${symbol}" is not defined here${used}. Use grep to search for the text, or definition to find similar names.`,
          ...notes,
        ].join("\n");
      }
      const places = value.definitions
        .slice(0, 3)
        .map((d) => `${d.file}:${d.line}`)
        .join(", ");
      const counts = value.sorted ? sortedText(value.sorted) : "";
      const left = value.sorted ? leftText(value.sorted) : [];
      if (value.references.length === 0) {
        const elsewhere = value.sorted?.other ? ` (${counts})` : "";
        const where = left.length > 0 ? " in the files looked at" : "";
        return [
          `No references to ${symbol}${where} (defined at ${places})${elsewhere}.`,
          ...left,
          ...notes,
        ].join("\n");
      }
      const imports = value.references.filter((r) => r.kind === "import").length;
      const uses = value.references.length - imports;
      const isAll = value.sorted && !value.sorted.left && !value.sorted.unparsed && !value.notice;
      const isPlain = value.sorted?.possible === 0 && value.sorted.other === 0;
      const groups = [...Map.groupBy(value.references, (r) => r.file)];
      const head = [
        `${counted(uses, "use")}${imports > 0 ? ` and ${counted(imports, "import")}` : ""} of ${symbol} (defined at ${places}) in ${counted(groups.length, "file")}`,
        ...(isPlain ? [] : [`: ${counts}`]),
        ...(isAll ? ["; every occurrence in code is accounted for"] : []),
        ...left.map((text) => `\n${text}`),
      ].join("");
      const isVague = value.references.filter((r) => r.byName).length > listedPossible;
      const doubtful = value.references.some((r) => r.byName)
        ? ["? = possible: nothing proves or excludes it"]
        : [];
      return [
        [head, ...groups.flatMap(([file, all]) => inFile(file, all, isVague)), ...doubtful, ...notes].join(
          "\n",
        ),
        () =>
          [head, ...groups.map(([file, all]) => `${file}: ${bySymbol(all)}`), ...doubtful, ...notes].join(
            "\n",
          ),
        () => [head, ...groups.map(([file, all]) => `${file}: ${all.length}`), ...notes].join("\n"),
        () =>
          [head, `${groups.length} files; give path to see the uses below one directory.`, ...notes].join(
            "\n",
          ),
      ];
    },
    examples: [
      { title: "Who uses a class; none: unused, dead code", input: { symbol: "IssueStore" } },
      {
        title: "Uses of a function in one directory",
        input: { symbol: "parseConfig", path: "src/app", kind: "func" },
      },
    ],
  });

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Of one file; where there are very many possible uses, those by their lines alone. */
function inFile(file: string, uses: readonly Reference[], isVague: boolean): string[] {
  if (!isVague) return [file, ...withText(uses)];
  const sure = uses.filter(({ byName }) => !byName);
  const possible = uses.filter(({ byName }) => byName);
  const lines = possible.length > 0 ? `: ? ${bySymbol(possible)}` : "";
  return [`${file}${lines}`, ...withText(sure)];
}

/** One line a use; the symbol around it is named when it changes. */
function withText(uses: readonly Reference[]): string[] {
  let last: string | undefined;
  const byLine = Map.groupBy(uses, ({ line }) => line);
  return [...byLine.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const { line, text, within, kind } = first;
    const name = within !== last && within ? ` [${nameAround(within)}]` : "";
    last = within;
    const isPlainImport =
      kind !== "import" || /^(?:import|export|from|use|pub use|require|#include|using)\b/.test(text);
    const mark = all.some(({ byName }) => byName) ? "?" : "";
    const times = all.length > 1 ? ` (${all.length} times)` : "";
    return [
      `  ${line}${mark}${name} ${isPlainImport ? "" : "import: "}${visibleText(text.slice(0, 120))}${times}`,
    ];
  });
}

function bySymbol(uses: readonly Reference[]): string {
  return [
    ...Map.groupBy(uses, (r) =>
      r.kind === "import" ? "import" : r.within ? nameAround(r.within) : "top level",
    ),
  ]
    .map(([within, all]) => `${within} ${all.map((r) => r.line).join(",")}`)
    .join("; ");
}
