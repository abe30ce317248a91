import { z } from "zod";
import type { Documents } from "../../store/documents.ts";
import { visibleLine } from "../../text/visible.ts";

/** Opened when a tool first needs it. */
export type OpenDocuments = () => Documents;

export const documentKind = z.enum(["text", "code", "sheet"]);

export const documentId = z.string().min(1);

export const documentSummary = z.object({
  id: z.string(),
  title: z.string(),
  kind: documentKind,
  version: z.number(),
  updated: z.string().describe("ISO 8601"),
});

export function summaryLine({ id, title, kind, version, updated }: z.infer<typeof documentSummary>): string {
  return `${id}  ${visibleLine(title)} (${kind}, version ${version}, ${updated.slice(0, 16).replace("T", " ")})`;
}

/** The size of a document: for a sheet the parsed rows and columns, otherwise lines. */
export function sheetSize(kind: z.infer<typeof documentKind>, content: string): string {
  const lines = content === "" ? 0 : content.replace(/\r?\n$/, "").split(/\r?\n/).length;
  if (kind !== "sheet") return `${lines} ${lines === 1 ? "line" : "lines"}`;
  // Quoted fields may hold separators and line ends.
  const plain = content.replaceAll(/"(?:[^"]|"")*"/g, "x");
  const rows = plain.split(/\r?\n/).filter((row) => row !== "");
  const columns = Math.max(0, ...rows.map((row) => row.split(",").length));
  return `${rows.length} rows × ${columns} columns`;
}
