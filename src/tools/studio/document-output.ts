import { z } from "zod";
import type { Documents } from "../../store/documents.ts";

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
  return `${id}  ${title} (${kind}, version ${version}, ${updated.slice(0, 16).replace("T", " ")})`;
}
