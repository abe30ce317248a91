import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { editText } from "../../workspace/text-edit.ts";
import { editInput } from "../files/replace-in-file.ts";
import { documentId, type OpenDocuments, sheetSize } from "./document-output.ts";

export const updateDocument = (documents: OpenDocuments) =>
  defineTool({
    name: "updateDocument",
    title: "Update document",
    description: "Make a new version of a document: its new content, edits, or text to append.",
    category: "Documents",
    input: z
      .object({
        id: documentId,
        content: z.string().optional(),
        edits: z.array(editInput).min(1).optional(),
        append: z.string().min(1).optional(),
        description: z.string().max(500).optional(),
      })
      .refine(
        ({ content, edits, append }) =>
          [content, edits, append].filter((given) => given !== undefined).length === 1,
        { error: "Give one of content, edits and append." },
      ),
    output: z.object({ id: z.string(), title: z.string(), version: z.number(), size: z.string() }),
    can: ["record"],
    effects: ({ id }) => [{ kind: "record", what: `document ${id}`, shows: true }],
    execute: async ({ id, content, edits = [], append, description = "" }) => {
      const change = (before: string) => {
        const after =
          append === undefined
            ? (content ?? editText(before, edits).text)
            : `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${append}`;
        if (after !== before) return after;
        throw new Failure(
          "INVALID_INPUT",
          "The new content is the same as the present one: there is nothing to change.",
        );
      };
      const updated = await documents().update(id, change, description);
      const { title, version, kind } = updated;
      return { id, title, version, size: sheetSize(kind, updated.content) };
    },
    render: ({ id, title, version, size }) =>
      `Document ${id} (${visibleLine(title)}) is now at version ${version} (${size}).`,
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
