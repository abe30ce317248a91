import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { numberLines, splitLines } from "../../text/lines.ts";
import { imageType, requireText } from "../../text/text-file.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";

const maxImageBytes = 3 * 1024 * 1024;
const maxLineWidth = 2000;

const input = z.object({
  path: pathInput("File"),
  encoding: z.enum(["utf-8", "base64"]).default("utf-8").describe("base64 for images and other binary files"),
  startLine: z.int().min(1).optional().describe("First line, from 1"),
  numLines: z.int().min(1).optional().describe("How many lines"),
});

const output = z.object({
  content: z.string(),
  size: z.number().describe("Bytes of the whole file"),
  modified: z.string().describe("ISO 8601"),
  totalLines: z.number().optional(),
  startLine: z.number().optional(),
  endLine: z.number().optional(),
  truncated: z.boolean().optional().describe("True when lines after endLine were left out"),
});
type Value = z.infer<typeof output>;

/** `maxLines`: the most lines one call returns. */
export const readFile = (maxLines: () => number) =>
  defineTool({
    name: "read_file",
    title: "Read file",
    description:
      "Read a file. Text comes with line numbers, at most 2,000 lines a call; give startLine and numLines to read only the part you need. Images are shown when read as base64.",
    category: "Files",
    input,
    output,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ path, encoding, startLine = 1, numLines }, { workspace }) => {
      const file = await workspace.read(path);
      const { size, modified } = file;
      if (encoding === "base64") return { content: file.bytes.toString("base64"), size, modified };
      const text = requireText(path, file.bytes);
      const starts = lineStarts(text);
      const totalLines = starts.length;
      if (startLine > Math.max(1, totalLines)) {
        throw new Failure(
          "INVALID_INPUT",
          `${path} has ${totalLines} lines; line ${startLine} is past its end.`,
          { totalLines },
        );
      }
      const endLine = Math.min(totalLines, startLine - 1 + Math.min(numLines ?? maxLines(), maxLines()));
      const content = text.slice(starts[startLine - 1] ?? 0, starts[endLine] ?? text.length);
      return { content, size, modified, totalLines, startLine, endLine, truncated: endLine < totalLines };
    },
    render: (value, input) =>
      input.encoding === "base64" ? renderBytes(value) : renderLines(value, input.path),
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

function renderBytes(value: Value): string {
  const mediaType = imageType(Buffer.from(value.content.slice(0, 24), "base64"));
  if (mediaType && value.size <= maxImageBytes) return `${mediaType}, ${value.size} bytes.`;
  return value.content;
}

function renderLines(value: Value, path: string): (string | ((budget: number) => string))[] {
  const { startLine = 1, totalLines = 0, truncated = false } = value;
  const lines = splitLines(value.content);
  if (lines.length === 0) return ["(empty file)"];
  const readOn = (shown: number) => {
    const next = startLine + shown;
    const call = `read_file(${JSON.stringify({ path, startLine: next })})`;
    return `… lines ${startLine}–${next - 1} of ${totalLines}. Read on: ${call}`;
  };
  const numbered = numberLines(lines, startLine, maxLineWidth);
  const whole = [...numbered, ...(truncated ? [readOn(lines.length)] : [])].join("\n");
  return [whole, (budget) => fitLines(numbered, budget, readOn)];
}

/** Where each line begins; \n, \r\n and a lone \r end a line. */
function lineStarts(text: string): number[] {
  if (text === "") return [];
  const starts = [0];
  for (const ending of text.matchAll(/\r\n|\n|\r/g)) starts.push(ending.index + ending[0].length);
  if (starts.at(-1) === text.length) starts.pop();
  return starts;
}
