import { z } from "zod";
import { fitLines } from "../../text/fit-lines.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { documentId, documentSummary, type OpenDocuments, summaryLine } from "./document-output.ts";

export const readDocument = (documents: OpenDocuments) =>
  defineTool({
    name: "readDocument",
    title: "Read document",
    description: "Read a document, or an earlier version of it.",
    category: "Documents",
    input: z.object({ id: documentId, version: z.int().min(1).optional() }),
    output: documentSummary.extend({ content: z.string(), description: z.string() }),
    idempotent: true,
    execute: async ({ id, version }) => documents().read(id, version),
    render: (document) => {
      const lines = [summaryLine(document), "", ...document.content.split("\n")];
      return [
        lines.join("\n"),
        (budget) =>
          fitLines(
            lines,
            budget,
            (shown) => `… ${Math.max(0, shown - 2)} of ${lines.length - 2} lines shown`,
          ),
      ];
    },
    examples: [{ title: "The first version", input: { id: "d_0123456789", version: 1 } }],
  });
