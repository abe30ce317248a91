import { z } from "zod";
import { outlineOf } from "../../code/syntax/outline.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { Code } from "./code-answers.ts";

const maxSymbols = 100;

export const symbols = (code: Code) =>
  defineTool({
    name: "symbols",
    title: "File outline",
    description:
      "Outline of one source file: package, imports, types with their methods, functions, constants, each with its line number. Use it before read: find what you need here, then read only those lines. Costs a tenth of reading the file.",
    category: "Explore",
    input: z.object({ file: pathInput("Source file to outline") }),
    output: z.object({
      language: z.string(),
      package: z.string().optional(),
      imports: z.array(z.string()),
      symbols: z.array(
        z.object({
          name: z.string(),
          kind: z.string(),
          signature: z.string(),
          line: z.number(),
          endLine: z.number(),
          level: z.number(),
        }),
      ),
      total: z.number(),
      lines: z.number(),
      broken: z.boolean().describe("The file has syntax errors; the outline is what could be understood"),
    }),
    can: ["read"],
    idempotent: true,
    effects: ({ file }) => [{ kind: "read", path: file }],
    execute: async ({ file }) => {
      const { source, syntax } = await (await code()).outline(file);
      const all = outlineOf(syntax);
      return {
        language: syntax.language,
        ...(syntax.package && { package: syntax.package }),
        imports: [...new Set(syntax.imports.flatMap((one) => one.module || []))],
        symbols: all.slice(0, maxSymbols),
        total: all.length,
        lines: source === "" ? 0 : source.split("\n").length - (source.endsWith("\n") ? 1 : 0),
        broken: syntax.broken,
      };
    },
    render: (value, { file }) => {
      if (value.lines === 0) return `${file} is empty.`;
      const head = [
        ...(value.package ? [visibleLine(`package ${value.package}`)] : []),
        ...(value.imports.length > 0 ? [collapsed(value.imports)] : []),
        ...(value.broken ? ["(has syntax errors: this is what could be understood)"] : []),
      ];
      const more =
        value.total > value.symbols.length ? [`... and ${value.total - value.symbols.length} more`] : [];
      if (value.symbols.length === 0)
        head.push(`No declarations in ${value.lines} lines of ${value.language}.`);
      const indented = value.symbols.map(({ level, signature, line }) => ({
        text: `${"    ".repeat(level)}${visibleLine(signature)}`,
        line,
      }));
      const width = Math.min(56, Math.max(0, ...indented.map(({ text }) => text.length)));
      const number = Math.max(0, ...indented.map(({ line }) => String(line).length));
      return [
        [
          ...head,
          ...indented.map(({ text, line }) => `${text.padEnd(width)}  line ${String(line).padStart(number)}`),
          ...more,
        ].join("\n"),
        () => [...head, ...indented.map(({ text, line }) => `${text}  line ${line}`), ...more].join("\n"),
        () =>
          [...head, ...value.symbols.map(({ name, line }) => `${visibleLine(name)} ${line}`), ...more].join(
            "\n",
          ),
      ];
    },
    examples: [{ title: "What is in a file", input: { file: "src/store/issue.ts" } }],
  });

function collapsed(imports: readonly string[]): string {
  const shown = imports.slice(0, 8).map(visibleLine).join(", ");
  return `imports (${imports.length}): ${shown}${imports.length > 8 ? ", …" : ""}`;
}
