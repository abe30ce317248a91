import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput } from "../../tool/path-input.ts";
import { documentSummary, type OpenDocuments, summaryLine } from "./document-output.ts";

const pageSize = 50;

export const listDocuments = (documents: OpenDocuments) =>
  defineTool({
    name: "listDocuments",
    title: "List documents",
    description: "List the documents, the last changed first.",
    category: "Documents",
    input: z.object({ cursor: cursorInput }),
    output: z.object({
      documents: z.array(documentSummary),
      total: z.number(),
      nextCursor: z.string().optional(),
    }),
    idempotent: true,
    execute: async ({ cursor }) => {
      const before = cursor === undefined ? {} : { before: cursor };
      const page = await documents().list({ limit: pageSize + 1, ...before });
      const shown = page.documents.slice(0, pageSize);
      const last = shown.at(-1);
      const more = page.documents.length > pageSize && last !== undefined;
      return { documents: shown, total: page.total, ...(more && { nextCursor: last.id }) };
    },
    render: ({ documents: shown, total, nextCursor }) => {
      if (total === 0) return "There are no documents yet. Make one with createDocument.";
      if (shown.length === 0) return `No more documents: ${total} in all.`;
      const more =
        nextCursor === undefined
          ? []
          : [
              `… ${shown.length} of ${total} shown. Next: listDocuments(${JSON.stringify({ cursor: nextCursor })})`,
            ];
      return [...shown.map(summaryLine), ...more].join("\n");
    },
    examples: [{ title: "The newest", input: {} }],
  });
