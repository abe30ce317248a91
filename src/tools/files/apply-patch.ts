import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { diffTexts } from "../../text/diff.ts";
import { defineChangeTool, type NotedOperations } from "../../tool/change-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { applyHunks, type Hunk } from "../../workspace/patch-hunks.ts";
import type { TextFile } from "../../workspace/text-file.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "./applied-diff.ts";
import { changesInOrder } from "./changes-in-order.ts";
import type { SyntaxCheck } from "./edit-notes.ts";
import { parsePatch } from "./parse-patch.ts";
import { inFile } from "./whole-file.ts";

export const applyPatch = (check: SyntaxCheck) =>
  defineChangeTool({
    name: "apply_patch",
    title: "Apply patch",
    description:
      "Apply a patch to one or several files, all or nothing: a unified diff, or *** Begin Patch to *** End Patch with Update File, Add File, Delete File and Move to.",
    category: "Editing",
    loading: "deferred",
    input: z.object({
      patch: z.string().min(1),
      description: z.string().optional().describe("What changes and why"),
    }),
    output: appliedDiff,
    approval: "ask",
    operations: ({ patch }, context) => toOperations(patch, context, check),
    describe: ({ patch, description }) =>
      description ?? `patch ${[...new Set(parsePatch(patch).map(({ path }) => path))].join(", ")}`,
    // The person's edits follow as a separate diff.
    amend: (input, path, content, proposed) => ({
      ...input,
      patch: `${input.patch.replace(/\n*$/, "\n")}${diffTexts(path, proposed, content).diff}`,
    }),
    value: appliedDiffOf,
    render: renderApplied,
    examples: [
      {
        title: "One line",
        input: {
          patch:
            '*** Begin Patch\n*** Update File: src/greet.ts\n@@ function greet\n-  return "hi";\n+  return "hello";\n*** End Patch\n',
        },
      },
    ],
  });

async function toOperations(
  patch: string,
  { workspace }: ToolContext,
  check: SyntaxCheck,
): Promise<NotedOperations> {
  const made = changesInOrder(workspace, check);
  for (const file of parsePatch(patch)) {
    if (file.kind === "add") await made.write(file.path, file.content, "new");
    else if (file.kind === "delete") made.delete(file.path, false);
    else {
      if (file.hunks.length > 0)
        await made.edit(file.path, file.hunks.length, (present) =>
          hunksApplied(file.path, present, file.hunks),
        );
      else if (file.to === undefined)
        throw new Failure("INVALID_INPUT", `The patch names ${file.path} but changes nothing in it.`);
      if (file.to !== undefined) made.move(file.path, file.to);
    }
  }
  return made.result();
}

/** Failures name the file, as those of hunks do. */
async function hunksApplied(path: string, file: TextFile, hunks: readonly Hunk[]) {
  try {
    return await applyHunks(file, hunks);
  } catch (error) {
    throw error instanceof Failure && error.message.includes(path) ? error : inFile(path, error);
  }
}
