import { z } from "zod";
import { newId } from "../../text/ids.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { documentKind, type OpenDocuments } from "./document-output.ts";

export const createDocument = (documents: OpenDocuments) =>
  defineTool({
    name: "createDocument",
    title: "Create document",
    description:
      "Create a document (text, code, or a sheet as CSV), kept with all its versions, apart from the workspace's files.",
    category: "Documents",
    input: z.object({
      title: z.string().min(1).max(200),
      kind: documentKind,
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
