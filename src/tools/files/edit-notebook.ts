import { randomBytes } from "node:crypto";
import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { type Span, skipSpace } from "../../text/json-spans.ts";
import { defineChangeTool, type NotedOperations } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { editText, type TextEdit } from "../../workspace/text-edit.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "./applied-diff.ts";
import { cellOf, type Notebook, parseNotebook } from "./notebook.ts";
import { editInput } from "./replace-in-file.ts";
import { inFile, maxEditBytes } from "./whole-file.ts";

const input = z.object({
  path: pathInput("Notebook (.ipynb)"),
  action: z.enum(["replace", "insert", "delete"]).default("replace"),
  cell: z
    .union([z.string().min(1), z.int().min(-1)])
    .describe(
      "Id or number of the cell, from 0; insert puts the new cell behind it, behind -1 at the beginning",
    ),
  source: z.string().optional().describe("The cell's whole new source"),
  edits: z.array(editInput).min(1).optional().describe("For replace: change parts of the source instead"),
  type: z.enum(["code", "markdown", "raw"]).default("code").describe("Of a new cell"),
  description: z.string().optional().describe("What changes and why"),
});
type Input = z.infer<typeof input>;

export const editNotebook = defineChangeTool({
  name: "edit_notebook",
  title: "Edit notebook",
  description:
    "Change one cell of a Jupyter notebook: replace its source or parts of it, insert a cell, or delete one. Everything else in the file stays byte for byte. read_file shows the cells.",
  category: "Editing",
  loading: "deferred",
  input,
  output: appliedDiff,
  approval: "ask",
  operations: (given, context) => toOperations(given, context),
  describe: ({ path, action, cell, description }) => description ?? `${action} cell ${cell} of ${path}`,
  value: appliedDiffOf,
  render: renderApplied,
  examples: [
    { title: "New source for a cell", input: { path: "analysis.ipynb", cell: 2, source: "df.head()\n" } },
  ],
});

async function toOperations(given: Input, { workspace }: ToolContext): Promise<NotedOperations> {
  const { path } = given;
  const { bytes } = await workspace.read(path, { maxBytes: maxEditBytes });
  const notebook = parseNotebook(bytes);
  if (!notebook) {
    const message = `${path} is not a notebook of nbformat 4. Edit it as text with replace_in_file.`;
    throw new Failure("INVALID_INPUT", message);
  }
  const { text, notes } = changed(notebook, given);
  return { operations: [{ op: "write", path, bytes: Buffer.from(text), mustBe: "existing" }], notes };
}

function changed(notebook: Notebook, given: Input): { text: string; notes: string[] } {
  const { action, cell: wanted, source, edits, path } = given;
  if (action === "delete") return { text: withoutCell(notebook, cellOf(notebook, wanted).index), notes: [] };
  if (action === "insert") {
    if (source === undefined) throw new Failure("INVALID_INPUT", "Give the source of the new cell.");
    const after = wanted === -1 || wanted === "-1" ? -1 : cellOf(notebook, wanted).index;
    return { text: withCell(notebook, after, given.type, source), notes: [] };
  }
  const { cell, index } = cellOf(notebook, wanted);
  if ((source === undefined) === (edits === undefined))
    throw new Failure("INVALID_INPUT", "Give either source or edits.");
  const edited = edits && editedSource(`${path}, cell ${index}`, cell.source, edits);
  const next = edited?.text ?? source ?? "";
  if (next === cell.source)
    throw new Failure("INVALID_INPUT", `Cell ${index} has this source already: there is nothing to change.`);
  return {
    text: replaced(notebook.text, cell.sourceSpan, sourceJson(notebook.text, cell.sourceSpan, next)),
    notes: edited?.notes ?? [],
  };
}

function editedSource(name: string, source: string, edits: readonly TextEdit[]) {
  try {
    return editText(source, edits);
  } catch (error) {
    throw inFile(name, error);
  }
}

function replaced(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** A source in the form that the old one has: one string, or a list of lines on lines of their own. */
function sourceJson(text: string, span: Span, source: string): string {
  if (text[span.start] === '"') return JSON.stringify(source);
  const indent = /[^\n]*$/.exec(text.slice(0, span.start))?.[0].match(/^[ \t]*/)?.[0] ?? "";
  const isOneLine = !text.slice(span.start, span.end).includes("\n") && span.end - span.start > 2;
  return linesJson(source, isOneLine ? undefined : indent, stepOf(text));
}

function linesJson(source: string, indent: string | undefined, step: string): string {
  const lines = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const items = lines.map((line) => JSON.stringify(line));
  if (items.length === 0) return "[]";
  if (indent === undefined) return `[${items.join(", ")}]`;
  return `[\n${items.map((item) => indent + step + item).join(",\n")}\n${indent}]`;
}

/** The indentation of the first member: one step. */
function stepOf(text: string): string {
  return /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? " ";
}

function withoutCell({ text, cells }: Notebook, index: number): string {
  const span = cells[index]?.span ?? { start: 0, end: 0 };
  const next = cells[index + 1]?.span;
  const before = cells[index - 1]?.span;
  // With the comma on one side, and the white space up to the neighbour.
  if (next) return replaced(text, { start: span.start, end: next.start }, "");
  return replaced(text, { start: before?.end ?? span.start, end: span.end }, "");
}

function withCell(
  { text, cells, cellsSpan, minor }: Notebook,
  after: number,
  type: Input["type"],
  source: string,
): string {
  const step = stepOf(text);
  const indent = step.repeat(2);
  const members = [
    `"cell_type": ${JSON.stringify(type)}`,
    ...(type === "code" ? ['"execution_count": null'] : []),
    // Cells have ids from nbformat 4.5 on.
    ...(minor >= 5 ? [`"id": "${randomBytes(4).toString("hex")}"`] : []),
    '"metadata": {}',
    ...(type === "code" ? ['"outputs": []'] : []),
    `"source": ${linesJson(source, indent + step, step)}`,
  ];
  const cell = `{\n${members.map((member) => indent + step + member).join(",\n")}\n${indent}}`;
  const before = cells[after]?.span;
  if (before) return replaced(text, { start: before.end, end: before.end }, `,\n${indent}${cell}`);
  const first = skipSpace(text, cellsSpan.start + 1);
  const [behind, at] = cells.length > 0 ? [`,\n${indent}`, first] : [`\n${step}`, cellsSpan.start + 1];
  const space = cells.length > 0 ? "" : `\n${indent}`;
  const end = cells.length > 0 ? at : cellsSpan.end - 1;
  return replaced(text, { start: at, end }, space + cell + behind);
}
