import { z } from "zod";
import type { HeldChanges } from "../../sandbox/held-changes.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "../files/applied-diff.ts";

export const applyHeldChanges = (held: HeldChanges) =>
  defineChangeTool({
    name: "apply_held_changes",
    title: "Apply held changes",
    description:
      "Apply changes that a run made but that were held back because the files can run by themselves or were changed meanwhile. A person sees the diff and decides.",
    category: "Code Execution",
    input: z.object({ id: z.string().describe("The id that the run named, for example h_1a2b3c4d") }),
    output: appliedDiff,
    approval: "ask",
    operations: ({ id }) => [...held.get(id).operations],
    describe: ({ id }) => `apply what was held of: ${held.get(id).description}`,
    value: (change, { id }) => {
      held.drop(id);
      return appliedDiffOf(change);
    },
    render: renderApplied,
    examples: [{ title: "By id", input: { id: "h_1a2b3c4d" } }],
  });
