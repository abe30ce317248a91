import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { documentSummary, type OpenDocuments, summaryLine } from "./document-output.ts";

const most = 10;

export const searchDocuments = (documents: OpenDocuments) =>
  defineTool({
    name: "searchDocuments",
    title: "Search documents",
    description: "Find documents by words in their title and content.",
    category: "Documents",
    input: z.object({ query: z.string().min(1) }),
    output: z.object({ results: z.array(documentSummary.extend({ snippet: z.string() })) }),
    idempotent: true,
    execute: async ({ query }) => ({ results: await documents().search(query, most) }),
    render: ({ results }, { query }) =>
      results.length === 0
        ? `No document has any word of ${JSON.stringify(query)}. listDocuments shows what there is.`
        : results.map((hit) => `${summaryLine(hit)}\n  ${hit.snippet.replaceAll("\n", " ")}`).join("\n"),
    examples: [{ title: "About a meeting", input: { query: "quarterly meeting budget" } }],
  });
