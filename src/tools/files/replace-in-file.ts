import { z } from "zod";
import { singleEdit } from "../../text/single-edit.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "./applied-diff.ts";
import { changesInOrder } from "./changes-in-order.ts";
import { described } from "./edit-description.ts";
import type { SyntaxCheck } from "./edit-notes.ts";
import { editNamed } from "./whole-file.ts";

export const editInput = z.object({
  oldText: z.string().min(1).describe("Text as it stands, enough of it to be unique"),
  newText: z.string(),
  expectedCount: z.int().min(1).default(1).describe("How often oldText must occur; all are replaced"),
});

export const replaceInFile = (check: SyntaxCheck) =>
  defineChangeTool({
    name: "replace_in_file",
    title: "Replace in file",
    description:
      "Change parts of a file: each edit replaces oldText by newText, in order; the rest stays byte for byte. Copy oldText exactly, lines with their indentation.",
    category: "Editing",
    input: z.object({
      path: pathInput("File"),
      edits: z.array(editInput).min(1),
      description: z.string().optional().describe("What changes and why"),
    }),
    output: appliedDiff,
    approval: "ask",
    operations: async ({ path, edits }, { workspace }) => {
      const made = changesInOrder(workspace, check);
      await made.edit(path, edits.length, (file) => editNamed(path, file, edits));
      return made.result();
    },
    describe: ({ path, description }) => described(`edit ${path}`, description),
    amend: (input, _path, content, proposed) => ({
      ...input,
      edits: [...input.edits, { ...singleEdit(proposed, content), expectedCount: 1 }],
    }),
    value: appliedDiffOf,
    render: renderApplied,
    examples: [
      {
        title: "One line",
        input: {
          path: "src/greet.ts",
          edits: [{ oldText: 'return "hi"', newText: 'return "hello"' }],
          description: "say hello",
        },
      },
    ],
  });
