import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import {
  changedLines,
  checklist,
  type OpenPlans,
  planOutput,
  planProgress,
  stepState,
} from "./plan-output.ts";

export const updatePlan = (plans: OpenPlans) =>
  defineTool({
    name: "updatePlan",
    title: "Update plan",
    description:
      "Change the current plan: set the status of steps when you begin and end them, several at a time; add, remove or reorder steps. Steps are named by their ids.",
    category: "Planning",
    input: z
      .object({
        stepId: z.string().optional(),
        status: stepState.optional(),
        note: z.string().max(500).optional(),
        steps: z
          .array(z.object({ stepId: z.string(), status: stepState, note: z.string().max(500).optional() }))
          .min(1)
          .optional()
          .describe("Several steps at once"),
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
        ({ stepId, steps, add, remove, reorder }) =>
          [stepId, steps, add, remove, reorder].some((given) => given !== undefined),
        {
          error: "Say what to change: stepId with status, steps, add, remove or reorder.",
        },
      ),
    output: planOutput,
    can: ["record"],
    effects: () => [{ kind: "record", what: "plan" }],
    execute: async ({ stepId, status, note, steps = [], add, remove, reorder }, { progress }) => {
      const one = stepId !== undefined && status !== undefined ? [{ stepId, status, note }] : [];
      const set = [...one, ...steps].map(({ note: about, ...step }) => ({
        ...step,
        ...(about !== undefined && { note: about }),
      }));
      const after = add?.after === undefined ? {} : { after: add.after };
      const plan = await plans().change({
        set,
        ...(add && { add: { text: add.text, ...after } }),
        ...(remove !== undefined && { remove }),
        ...(reorder && { reorder }),
      });
      progress(...planProgress(plan));
      return plan;
    },
    // The plan itself is in the conversation already: only what is new is told, so that no copies of it pile up.
    render: (plan, { stepId, steps = [], remove, reorder, add }) => {
      if (remove !== undefined || reorder) return checklist(plan);
      const named = new Set([...(stepId === undefined ? [] : [stepId]), ...steps.map((step) => step.stepId)]);
      return changedLines(plan, (step) => named.has(step.id) || step.text === add?.text);
    },
    examples: [
      {
        title: "One step ends, the next begins",
        input: {
          steps: [
            { stepId: "1", status: "done" },
            { stepId: "2", status: "in_progress" },
          ],
        },
      },
      { title: "A step is done", input: { stepId: "1", status: "done", note: "fails only on Fridays" } },
    ],
  });
