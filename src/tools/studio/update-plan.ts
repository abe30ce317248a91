import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { checklist, type OpenPlans, planOutput, planProgress, stepState } from "./plan-output.ts";

export const updatePlan = (plans: OpenPlans) =>
  defineTool({
    name: "updatePlan",
    title: "Update plan",
    description:
      "Change the current plan: set the status of a step when you begin and end it, add, remove or reorder steps. Steps are named by their ids.",
    category: "Planning",
    input: z
      .object({
        stepId: z.string().optional(),
        status: stepState.optional(),
        note: z.string().max(500).optional(),
        add: z
          .object({
            text: z.string().min(1).max(500),
            after: z.string().optional(),
          })
          .optional(),
        remove: z.string().optional(),
        reorder: z.array(z.string()).optional(),
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
