import { z } from "zod";
import { codeLines, cutLine, numbered, widestLine } from "../../text/code-lines.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { imageType } from "../../text/image-type.ts";
import { splitLines } from "../../text/lines.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { readWindow, windowOfText } from "./read-lines.ts";

const maxImageBytes = 3 * 1024 * 1024;
const maxNotebookBytes = 64 * 1024 * 1024;

const input = z.object({
  path: pathInput("File"),
  encoding: z.enum(["utf-8", "base64"]).default("utf-8"),
  startLine: z.int().min(1).optional(),
  numLines: z.int().min(1).optional(),
});

const output = z.object({
  content: z.string(),
  size: z.number().describe("Bytes of the whole file"),
  modified: z.string().describe("ISO 8601"),
  totalLines: z.number().optional(),
  startLine: z.number().optional(),
  endLine: z.number().optional(),
  truncated: z.boolean().optional().describe("True when lines after endLine were left out"),
  encoding: z.string().optional().describe("How the text is written, where that is not UTF-8"),
  notebook: z.boolean().optional().describe("True when content is a notebook by cell, not its JSON"),
});
type Value = z.infer<typeof output>;

/** `maxLines`: the most lines one call returns. */
export const readFile = (maxLines: () => number) =>
  defineTool({
    name: "read_file",
    title: "Read file",
    description: "Read a file, with line numbers; at most 2,000 lines. Images: base64.",
    category: "Files",
    input,
    output,
    // All lines of a call; what the person allows a call (limits.tokensPerCall) still holds.
    budget: 32_000,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ path, encoding, startLine = 1, numLines }, { workspace }) => {
      if (encoding === "base64") {
        const { bytes, size, modified } = await workspace.read(path);
        return { content: bytes.toString("base64"), size, modified };
      }
      const count = Math.min(numLines ?? maxLines(), maxLines());
      const cells = /\.ipynb$/i.test(path)
        ? await notebookWindow(workspace, path, startLine, count)
        : undefined;
      if (cells) return cells;
      const isPart = numLines !== undefined || startLine > 1;
      const { encoding: written, ...window } = await readWindow(workspace, {
        path,
        startLine,
        count,
        isPart,
      });
      return {
        ...window,
        truncated: window.endLine < window.totalLines,
        ...(written !== undefined && { encoding: written }),
      };
    },
    render: (value, input) => (input.encoding === "base64" ? renderBytes(value) : renderLines(value, input)),
    images: (value, input) => {
      const bytes =
        input.encoding === "base64" && value.size <= maxImageBytes
          ? Buffer.from(value.content, "base64")
          : undefined;
      const mediaType = bytes && imageType(bytes);
      return mediaType ? [{ mediaType, base64: value.content }] : [];
    },
    examples: [
      { title: "A whole file", input: { path: "package.json" } },
      { title: "Forty lines from line 120", input: { path: "src/app.ts", startLine: 120, numLines: 40 } },
    ],
  });

/** Cell by cell; undefined when the file is no notebook and is read as the text that it is. */
async function notebookWindow(
  workspace: Workspace,
  path: string,
  startLine: number,
  count: number,
): Promise<Value | undefined> {
  const { notebookText, parseNotebook } = await import("./notebook.ts");
  const file = await workspace.read(path, { maxBytes: maxNotebookBytes }).catch(() => undefined);
  const notebook = file && parseNotebook(file.bytes);
  if (!notebook) return undefined;
  const { slice, totalLines, endLine } = windowOfText(notebookText(notebook), startLine, count);
  if (startLine > totalLines) return undefined;
  const { size, modified } = file;
  const truncated = endLine < totalLines;
  return { content: slice, size, modified, totalLines, startLine, endLine, truncated, notebook: true };
}

function renderBytes(value: Value): string {
  const mediaType = imageType(Buffer.from(value.content.slice(0, 24), "base64"));
  if (mediaType && value.size <= maxImageBytes) return `${mediaType}, ${value.size} bytes.`;
  return value.content;
}

/** How to read the rest is stated only if requested lines are missing. */
function renderLines(
  value: Value,
  { path, numLines }: z.infer<typeof input>,
): (string | ((budget: number) => string))[] {
  const { startLine = 1, endLine = 0, totalLines = 0, truncated = false, encoding } = value;
  const lines = splitLines(value.content);
  if (totalLines === 0) return ["(empty file)"];
  const readOn = (shown: number) => {
    const next = startLine + shown;
    const call = `read_file(${JSON.stringify({ path, startLine: next })})`;
    return `… lines ${startLine}–${next - 1} of ${totalLines}. Read on: ${call}`;
  };
  const isWhole = numLines !== undefined && endLine - startLine + 1 === numLines;
  const shown = value.notebook
    ? lines.map((line) => cutLine(line, widestLine))
    : codeLines(numbered(lines, startLine)).map(({ text }) => text);
  const notes = [
    ...(truncated && !isWhole ? [readOn(lines.length)] : []),
    ...(encoding ? [`(read as ${encoding})`] : []),
  ];
  return [[...shown, ...notes].join("\n"), (budget) => fitLines(shown, budget, readOn)];
}
