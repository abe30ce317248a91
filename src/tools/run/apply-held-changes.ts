import { z } from "zod";
import { describeRepository, isRepositoryData } from "../../sandbox/git-changes.ts";
import type { HeldChanges } from "../../sandbox/held-changes.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
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
    operations: async ({ id }) => [...(await held.get(id)).operations],
    describe: async ({ id }) => (await held.get(id)).description,
    present: async (preview, { id }) => {
      const repository = describeRepository((await held.get(id)).operations);
      const notes = preview.notes.filter((note) => !isRepositoryData(/\.git\/\S+/.exec(note)?.[0] ?? ""));
      return {
        ...preview,
        files: preview.files.filter(({ path }) => !isRepositoryData(path)),
        notes: [...(repository === undefined ? [] : [repository]), ...notes],
      };
    },
    value: async (change, { id }) => {
      // The change is made: a record that cannot be removed is no failure of this call.
      await held.drop(id).catch(() => undefined);
      const applied = appliedDiffOf(change);
      return { ...applied, files: applied.files.filter(({ path }) => !isRepositoryData(path)) };
    },
    render: renderApplied,
    examples: [{ title: "By id", input: { id: "h_1a2b3c4d" } }],
  });
