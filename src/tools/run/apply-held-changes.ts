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
    operations: ({ id }) => [...held.get(id).operations],
    describe: ({ id }) => held.get(id).description,
    present: (preview, { id }) => {
      const repository = describeRepository(held.get(id).operations);
      const notes = preview.notes.filter((note) => !isRepositoryData(/\.git\/\S+/.exec(note)?.[0] ?? ""));
      return {
        ...preview,
        files: preview.files.filter(({ path }) => !isRepositoryData(path)),
        notes: [...(repository === undefined ? [] : [repository]), ...notes],
      };
    },
    value: (change, { id }) => {
      held.drop(id);
      const applied = appliedDiffOf(change);
      return { ...applied, files: applied.files.filter(({ path }) => !isRepositoryData(path)) };
    },
    render: renderApplied,
    examples: [{ title: "By id", input: { id: "h_1a2b3c4d" } }],
  });
