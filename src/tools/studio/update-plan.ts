import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { checklist, type OpenPlans, planOutput, planProgress, stepState } from "./plan-output.ts";

export const updatePlan = (plans: OpenPlans) =>
  defineTool({
    name: "updatePlan",
    title: "Update plan",
    description:
      "Change the current plan: set a step's status (with a note if something is worth telling), add a step, remove one, or reorder them. Mark a step in_progress when you begin it and done when it is done.",
    category: "Planning",
    input: z
      .object({
        stepId: z.string().optional(),
        status: stepState.optional().describe("With stepId"),
        note: z.string().max(500).optional().describe("With stepId: what was found or decided"),
        add: z
          .object({
            text: z.string().min(1).max(500),
            after: z.string().optional().describe("Step id; default: last"),
          })
          .optional(),
        remove: z.string().optional().describe("Step id"),
        reorder: z.array(z.string()).optional().describe("All step ids in their new order"),
      })
      .refine(({ stepId, status }) => (stepId === undefined) === (status === undefined), {
        error: "Give stepId and status together.",
      })
      .refine(
        ({ stepId, add, remove, reorder }) => [stepId, add, remove, reorder].some((v) => v !== undefined),
        {
          error: "Say what to change: stepId with status, add, remove or reorder.",
        },
      ),
    output: planOutput,
    can: ["record"],
    effects: () => [{ kind: "record", what: "plan" }],
    execute: async ({ stepId, status, note, add, remove, reorder }, { progress }) => {
      const set =
        stepId !== undefined && status !== undefined
          ? { stepId, status, ...(note !== undefined && { note }) }
          : undefined;
      const after = add?.after === undefined ? {} : { after: add.after };
      const plan = await plans().change({
        ...(set && { set }),
        ...(add && { add: { text: add.text, ...after } }),
        ...(remove !== undefined && { remove }),
        ...(reorder && { reorder }),
      });
      progress(...planProgress(plan));
      return plan;
    },
    render: checklist,
    examples: [
      { title: "A step is done", input: { stepId: "1", status: "done", note: "fails only on Fridays" } },
    ],
  });
