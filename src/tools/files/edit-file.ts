import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "./applied-diff.ts";
import { described } from "./edit-description.ts";
import { editNotes, type SyntaxCheck } from "./edit-notes.ts";
import { maxEditBytes, presentText, wholeFile } from "./whole-file.ts";

export const editFile = (check: SyntaxCheck) =>
  defineChangeTool({
    name: "edit_file",
    title: "Edit file",
    description:
      "Propose the complete new content of an existing file. A person sees the diff and approves it, perhaps after editing it. For small changes in a large file, replace_in_file costs far fewer tokens.",
    category: "Editing",
    input: z.object({
      path: pathInput("File"),
      content: z.string().describe("The complete new content"),
      description: z.string().optional().describe("What was changed and why, in a sentence"),
    }),
    output: appliedDiff,
    idempotent: true,
    approval: "ask",
    operations: async ({ path, content }, { workspace }) => {
      const present = await presentText(workspace, path);
      // What is missing fails as a read does: with the nearest path.
      if (!present) await workspace.read(path, { maxBytes: maxEditBytes });
      const file = await wholeFile(workspace, path, content, present);
      if (present?.bytes.equals(file.bytes)) {
        throw new Failure(
          "INVALID_INPUT",
          `The new content of ${path} is the same as the present one: there is nothing to change.`,
        );
      }
      return {
        operations: [{ op: "write", path, bytes: file.bytes, mustBe: "existing" }],
        notes: await editNotes(path, present, file, check),
      };
    },
    describe: ({ path, description }) => described(`edit ${path}`, description),
    amend: (input, _path, content) => ({ ...input, content }),
    value: appliedDiffOf,
    render: renderApplied,
    examples: [
      {
        title: "Rewrite a small file",
        input: {
          path: "src/greet.ts",
          content: 'export const greet = () => "hello";\n',
          description: "say hello",
        },
      },
    ],
  });
