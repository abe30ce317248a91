import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { editBytes } from "../../workspace/text-edit.ts";
import { editInput } from "../files/replace-in-file.ts";
import { documentId, type OpenDocuments } from "./document-output.ts";

export const updateDocument = (documents: OpenDocuments) =>
  defineTool({
    name: "updateDocument",
    title: "Update document",
    description: "Make a new version of a document: its whole new content, or edits of the newest version.",
    category: "Documents",
    input: z
      .object({
        id: documentId,
        content: z.string().optional(),
        edits: z.array(editInput).min(1).optional(),
        description: z.string().max(500).optional(),
      })
      .refine(({ content, edits }) => (content === undefined) !== (edits === undefined), {
        error: "Give either content or edits.",
      }),
    output: z.object({ id: z.string(), title: z.string(), version: z.number() }),
    can: ["record"],
    effects: ({ id }) => [{ kind: "record", what: `document ${id}`, shows: true }],
    execute: async ({ id, content, edits = [], description = "" }) => {
      const change = (before: string) => {
        const after = content ?? editBytes(Buffer.from(before), edits).bytes.toString();
        if (after !== before) return after;
        throw new Failure(
          "INVALID_INPUT",
          "The new content is the same as the present one: there is nothing to change.",
        );
      };
      const { title, version } = await documents().update(id, change, description);
      return { id, title, version };
    },
    render: ({ id, title, version }) => `Document ${id} (${title}) is now at version ${version}.`,
    examples: [
      {
        title: "Replace a sentence",
        input: {
          id: "d_0123456789",
          edits: [{ oldText: "Monday", newText: "Tuesday" }],
          description: "new day",
        },
      },
    ],
  });
