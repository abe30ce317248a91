import { z } from "zod";
import { singleEdit } from "../../text/single-edit.ts";
import { defineChangeTool, type NotedOperations } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "./applied-diff.ts";
import { changesInOrder } from "./changes-in-order.ts";
import type { SyntaxCheck } from "./edit-notes.ts";
import { editInput } from "./replace-in-file.ts";
import { editNamed } from "./whole-file.ts";

const changeInput = z.union([
  z.strictObject({
    path: pathInput("File"),
    content: z.string().describe("Whole content; creates or replaces"),
  }),
  z.strictObject({ path: pathInput("File"), edits: z.array(editInput).min(1) }),
  z.strictObject({ path: pathInput("File or directory"), delete: z.literal(true) }),
  z.strictObject({ from: pathInput("What to move"), to: pathInput("Its new path") }),
]);
type ChangeInput = z.infer<typeof changeInput>;

export const editFiles = (check: SyntaxCheck) =>
  defineChangeTool({
    name: "edit_files",
    title: "Edit several files",
    description:
      "Change several files as one: write whole contents, replace parts, delete and move, in order. One approval for all, and all or nothing: when one change cannot be made, none is.",
    brief: {
      description:
        "Several changes as one, approved once, all or nothing. Each is {path, edits}, {path, content}, {path, delete: true} or {from, to}.",
      input: z.object({
        changes: z.array(
          z.object({
            path: z.string().optional(),
            edits: z
              .array(
                z.object({ oldText: z.string(), newText: z.string(), expectedCount: z.int().optional() }),
              )
              .optional(),
            content: z.string().optional(),
            delete: z.boolean().optional(),
            from: z.string().optional(),
            to: z.string().optional(),
          }),
        ),
        description: z.string().optional(),
      }),
    },
    category: "Editing",
    input: z.object({
      changes: z.array(changeInput).min(1).max(200),
      description: z.string().optional().describe("What is changed and why, in a sentence"),
    }),
    output: appliedDiff,
    approval: "ask",
    operations: ({ changes }, context) => toOperations(changes, context, check),
    describe: ({ changes, description }) => description ?? `edit ${namesOf(changes).join(", ")}`,
    // The person's edits come last, as a minimal diff: the model gets only that.
    amend: (input, path, content, proposed) => ({
      ...input,
      changes: [
        ...input.changes,
        proposed === ""
          ? { path, content }
          : { path, edits: [{ ...singleEdit(proposed, content), expectedCount: 1 }] },
      ],
    }),
    value: appliedDiffOf,
    render: renderApplied,
    examples: [
      {
        title: "Rename a function and its file",
        input: {
          changes: [
            { path: "src/main.ts", edits: [{ oldText: "./util.ts", newText: "./text.ts" }] },
            { from: "src/util.ts", to: "src/text.ts" },
          ],
          description: "util is about text",
        },
      },
    ],
  });

/** For people, where the model said nothing. */
function namesOf(changes: readonly ChangeInput[]): string[] {
  const names = new Set(changes.map((change) => ("from" in change ? change.to : change.path)));
  return names.size > 4 ? [...[...names].slice(0, 3), `${names.size - 3} more files`] : [...names];
}

async function toOperations(
  changes: readonly ChangeInput[],
  { workspace }: ToolContext,
  check: SyntaxCheck,
): Promise<NotedOperations> {
  const made = changesInOrder(workspace, check);
  for (const change of changes) {
    if ("from" in change) made.move(change.from, change.to);
    else if ("delete" in change) made.delete(change.path, true);
    else if ("edits" in change)
      await made.edit(change.path, change.edits.length, (file) => editNamed(change.path, file, change.edits));
    else await made.write(change.path, change.content);
  }
  return made.result();
}
