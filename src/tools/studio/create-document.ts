import { z } from "zod";
import { newId } from "../../text/ids.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { documentKind, type OpenDocuments } from "./document-output.ts";

export const createDocument = (documents: OpenDocuments) =>
  defineTool({
    name: "createDocument",
    title: "Create document",
    description:
      "Keep a text, a piece of code or a sheet (CSV) as a document with a title. Documents live in Wield, not in the workspace's files; every version is kept.",
    category: "Documents",
    input: z.object({
      title: z.string().min(1).max(200),
      kind: documentKind.describe("sheet: CSV with a header line"),
      content: z.string(),
    }),
    output: z.object({ id: z.string(), title: z.string(), kind: documentKind, version: z.number() }),
    can: ["record"],
    effects: ({ title }) => [{ kind: "record", what: `document ${title}` }],
    execute: async (document) => {
      const { id, title, kind, version } = await documents().create({ id: newId("d"), ...document });
      return { id, title, kind, version };
    },
    render: ({ id, title }) => `Created document ${id}: ${title}`,
    examples: [{ title: "Meeting notes", input: { title: "Notes", kind: "text", content: "# Notes\n" } }],
  });
