import { fitLines } from "../../text/fit-lines.ts";
import { numberLines } from "../../text/lines.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { maxLines, readLines, windowInput, windowOutput } from "./line-window.ts";

export const read = defineTool({
  name: "read",
  title: "Read lines",
  description:
    "Read lines of a file with line numbers, 100 by default, at most 300 a call. Use symbols or definition first to know which lines, then read only those.",
  category: "Explore",
  input: windowInput,
  output: windowOutput,
  can: ["read"],
  idempotent: true,
  effects: ({ file }) => [{ kind: "read", path: file }],
  execute: (input, { workspace }) => readLines(workspace, input),
  render: ({ lines, startLine, totalLines }, { file, num_lines }) => {
    if (totalLines === 0) return `${file} is empty.`;
    const readOn = (shown: number) => {
      const next = startLine + shown;
      return next > totalLines
        ? `(end of file, ${totalLines} lines)`
        : `… ${totalLines - next + 1} of ${totalLines} lines follow: read(${JSON.stringify({ file, start_line: next })})`;
    };
    const numbered = numberLines(lines, startLine);
    const note = num_lines > maxLines ? [`(at most ${maxLines} lines a call)`] : [];
    return [
      [...numbered, readOn(lines.length), ...note].join("\n"),
      (budget) => fitLines(numbered, budget, readOn),
    ];
  },
  examples: [
    { title: "The first 100 lines", input: { file: "src/app.ts" } },
    { title: "One function", input: { file: "src/app.ts", start_line: 45, num_lines: 30 } },
  ],
});
