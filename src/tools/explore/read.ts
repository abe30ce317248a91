import { z } from "zod";
import { codeLines, numbered } from "../../text/code-lines.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { maxLines, usualLines, windowFields } from "./inputs.ts";
import { linesOf, windowOutput } from "./line-window.ts";

export const read = defineTool({
  name: "read",
  title: "Read lines",
  description: "Numbered lines of one file, 100 by default, at most 300.",
  category: "Explore",
  input: z.object({ file: z.string(), ...windowFields }),
  output: windowOutput,
  can: ["read"],
  idempotent: true,
  effects: ({ file }) => [{ kind: "read", path: file }],
  execute: (input, { workspace }) => linesOf(workspace, input),
  render: ({ lines, startLine, totalLines }, { file, num_lines }) => {
    if (totalLines === 0) return `${file} is empty.`;
    const wanted = num_lines ?? Number.POSITIVE_INFINITY;
    const readOn = (shown: number) => {
      const next = startLine + shown;
      if (next > totalLines) return `(end of file, ${totalLines} lines)`;
      return shown >= wanted
        ? `(of ${totalLines} lines)`
        : `… ${totalLines - next + 1} of ${totalLines} lines follow: read(${JSON.stringify({ file, start_line: next })})`;
    };
    const shown = codeLines(numbered(lines, startLine)).map(({ text }) => text);
    const note = wanted > maxLines && num_lines !== undefined ? [`(at most ${maxLines} lines a call)`] : [];
    return [
      [...shown, readOn(lines.length), ...note].join("\n"),
      (budget) => fitLines(shown, budget, readOn),
    ];
  },
  examples: [
    { title: `The first ${usualLines} lines`, input: { file: "src/app.ts" } },
    { title: "One function", input: { file: "src/app.ts", start_line: 45, num_lines: 30 } },
  ],
});
