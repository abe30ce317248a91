import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import type { HeldChanges } from "../../sandbox/held-changes.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
import type { FilePreview } from "../../tool/tool.ts";
import { protectedFirst } from "../../workspace/protected-first.ts";
import { isRepositoryData } from "../../workspace/repository-data.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "../files/applied-diff.ts";

export const applyHeldChanges = (held: HeldChanges) =>
  defineChangeTool({
    name: "apply_held_changes",
    title: "Apply held changes",
    description:
      "Apply changes that a run made and that wait for a person's approval. The person sees one diff over all files and decides.",
    category: "Code Execution",
    input: z.object({ id: z.string().describe("The id that the run named, for example h_1a2b3c4d") }),
    output: appliedDiff,
    approval: "ask",
    inOrder: true,
    rejected: ({ id }) => held.drop(id),
    operations: async ({ id }, { workspace }) => {
      const { operations, seen } = await held.get(id);
      const now = await workspace.plan(operations).then(
        ({ seen: states }) => states,
        (error: Error) => {
          throw changedSince(error.message);
        },
      );
      const changed = [...seen].filter(([path, state]) => now.has(path) && now.get(path) !== state);
      if (changed.length > 0) {
        throw changedSince(`${changed.map(([path]) => visibleLine(path)).join(", ")}.`);
      }
      return [...operations];
    },
    describe: async ({ id }) => (await held.get(id)).description,
    present: async (preview, { id }) => {
      const { repository } = await held.get(id);
      const notes = preview.notes.filter((note) => !isRepositoryData(/\.git\/\S+/.exec(note)?.[0] ?? ""));
      return {
        ...preview,
        files: inOrder(preview.files.filter(({ path }) => !isRepositoryData(path))),
        notes: [...(repository === undefined ? [] : [repository]), ...notes],
      };
    },
    value: async (change, { id }) => {
      const repository = (await held.get(id).catch(() => undefined))?.repository;
      // The change is made: a record that cannot be removed is no failure of this call.
      await held.drop(id).catch(() => undefined);
      const applied = appliedDiffOf(change);
      const notices = [...(repository === undefined ? [] : [repository]), ...applied.notices];
      return { ...applied, notices, files: applied.files.filter(({ path }) => !isRepositoryData(path)) };
    },
    render: renderApplied,
    examples: [{ title: "By id", input: { id: "h_1a2b3c4d" } }],
  });

/** A run leaves its files in any order. */
function inOrder(files: readonly FilePreview[]): FilePreview[] {
  return protectedFirst(files.toSorted((one, other) => (one.path < other.path ? -1 : 1)));
}

function changedSince(what: string): Failure {
  const message = `Changed since the run: ${what} Nothing was applied, so that no work is lost. Run the code again on the present files.`;
  return new Failure("CONFLICT", message);
}
