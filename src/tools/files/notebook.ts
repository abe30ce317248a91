import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { plainText } from "../../text/encoding.ts";
import { elementsAt, objectAt, type Span, valueAt } from "../../text/json-spans.ts";

const lines = z.union([z.string(), z.array(z.string())]).transform((text) => [text].flat().join(""));
const output = z.object({
  output_type: z.string(),
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const cell = z.object({
  id: z.string().optional(),
  cell_type: z.string(),
  source: lines,
  execution_count: z.number().nullish(),
  outputs: z.array(output).optional(),
});
const notebook = z.object({
  nbformat: z.number(),
  nbformat_minor: z.number().catch(0),
  cells: z.array(cell),
  metadata: z.object({ language_info: z.object({ name: z.string() }).optional().catch(undefined) }).catch({}),
});

export interface Cell extends z.output<typeof cell> {
  /** Of the whole cell in the text, and of its source. */
  span: Span;
  sourceSpan: Span;
}

export interface Notebook {
  text: string;
  minor: number;
  language: string | undefined;
  cells: Cell[];
  cellsSpan: Span;
}

/** Undefined when it is no notebook of the present form (nbformat 4). */
export function parseNotebook(bytes: Buffer): Notebook | undefined {
  const text = plainText(bytes);
  if (text === undefined || text.length === 0 || bytes[0] === 0xef) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = notebook.safeParse(value);
  if (!parsed.success || parsed.data.nbformat !== 4) return undefined;
  const top = objectAt(text, valueAt(text, 0).start);
  const cellsSpan = top.members.get("cells");
  if (!cellsSpan) return undefined;
  const spans = elementsAt(text, cellsSpan.start);
  const cells = parsed.data.cells.flatMap((each, at): Cell[] => {
    const span = spans[at];
    const sourceSpan = span && objectAt(text, span.start).members.get("source");
    return span && sourceSpan ? [{ ...each, span, sourceSpan }] : [];
  });
  if (cells.length !== parsed.data.cells.length) return undefined;
  const { nbformat_minor: minor, metadata } = parsed.data;
  return { text, minor, language: metadata.language_info?.name, cells, cellsSpan };
}

/** By id, or by its number from 0. */
export function cellOf({ cells }: Notebook, wanted: string | number): { cell: Cell; index: number } {
  const byId = cells.findIndex(({ id }) => id !== undefined && id === wanted);
  const number = typeof wanted === "number" ? wanted : /^\d+$/.test(wanted) ? Number(wanted) : -1;
  const index = byId >= 0 ? byId : number;
  const found = cells[index];
  if (found) return { cell: found, index };
  const known = cells.length === 0 ? "The notebook has no cells." : `The cells are 0 to ${cells.length - 1}.`;
  throw new Failure("INVALID_INPUT", `There is no cell ${JSON.stringify(wanted)}. ${known}`);
}

const maxOutputLines = 10;
const maxOutputWidth = 300;

/** For a reader: cell by cell, outputs in short. */
export function notebookText({ cells, language }: Notebook): string {
  const head = `Notebook with ${cells.length} ${cells.length === 1 ? "cell" : "cells"}${language ? `, ${language}` : ""}`;
  return [head, ...cells.map((each, at) => cellText(each, at))].join("\n");
}

function cellText({ id, cell_type, execution_count, source, outputs = [] }: Cell, index: number): string {
  const run = typeof execution_count === "number" ? `, run ${execution_count}` : "";
  const name = id === undefined ? "" : ` (id ${id})`;
  return [
    `=== cell ${index}${name}: ${cell_type}${run}`,
    source.replace(/\n$/, ""),
    ...outputs.flatMap(outputText),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function outputText({ text, data = {}, ename, evalue }: z.output<typeof output>): string[] {
  const plain = lines.safeParse(data["text/plain"]);
  const shown =
    ename === undefined ? (text ?? (plain.success ? plain.data : "")) : `${ename}: ${evalue ?? ""}`;
  const all = shown.replace(/\n$/, "").split("\n");
  const cut = all.slice(0, maxOutputLines).map((line) => line.slice(0, maxOutputWidth));
  const others = Object.keys(data).filter((type) => type !== "text/plain");
  return [
    "--- output",
    ...(shown === "" ? [] : cut),
    ...(all.length > maxOutputLines ? [`… ${all.length - maxOutputLines} more lines`] : []),
    ...(others.length > 0 ? [`(${others.join(", ")})`] : []),
  ];
}
