import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { singleEdit } from "../../text/single-edit.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { type Edited, editBytes, type TextEdit } from "../../workspace/text-edit.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "./applied-diff.ts";
import { maxEditBytes } from "./edit-file.ts";

export const editInput = z.object({
  oldText: z.string().min(1).describe("Text as it stands, enough of it to be unique"),
  newText: z.string(),
  expectedCount: z.int().min(1).default(1).describe("How often oldText must occur; all are replaced"),
});

export const replaceInFile = defineChangeTool({
  name: "replace_in_file",
  title: "Replace in file",
  description:
    "Change parts of a file: each edit replaces oldText by newText, in order; the rest stays byte for byte. White space in oldText may differ where the place is certain.",
  category: "Editing",
  input: z.object({
    path: pathInput("File"),
    edits: z.array(editInput).min(1),
    description: z.string().describe("What changes and why"),
  }),
  output: appliedDiff,
  approval: "ask",
  operations: async ({ path, edits }, { workspace }) => {
    const { bytes } = await workspace.read(path, { maxBytes: maxEditBytes });
    const edited = editNamed(path, bytes, edits);
    return {
      operations: [{ op: "write", path, bytes: edited.bytes, mustBe: "existing" }],
      notes: edited.notes,
    };
  },
  describe: ({ path, description }) => `edit ${path}: ${description}`,
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

/** Failures and notes name the file: in a batch the model must know which one. */
export function editNamed(path: string, bytes: Buffer, edits: readonly TextEdit[]): Edited {
  try {
    const edited = editBytes(bytes, edits);
    return { ...edited, notes: edited.notes.map((note) => `${path}: ${note}`) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `In ${path}: ${error.message}`, error.details);
  }
}
