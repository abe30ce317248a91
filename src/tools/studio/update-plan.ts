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
      "Set the status of steps when you begin and end them; add, remove or reorder steps, all by their ids.",
    category: "Planning",
    input: z
      .object({
        stepId: z.string().optional(),
        status: stepState.optional(),
        note: z.string().max(500).optional(),
        steps: z.record(z.string(), stepState).optional().describe("Several at once: id → status"),
        add: z
          .object({
            text: z.string().min(1).max(500),
            after: z.string().optional(),
          })
          .optional(),
        remove: z.string().optional(),
        reorder: z.array(z.string()).optional(),
      })
      .refine(
        ({ stepId, status, note }) => stepId !== undefined || (status === undefined && note === undefined),
        {
          error: 'Say which step: stepId goes with status and note, such as {"stepId":"2","note":"…"}.',
        },
      )
      .refine(({ stepId, status, note }) => stepId === undefined || (status ?? note) !== undefined, {
        error: "Say what becomes of the step: give a status, a note or both with stepId.",
      })
      .refine(
        ({ stepId, steps, add, remove, reorder }) =>
          [stepId, steps, add, remove, reorder].some((given) => given !== undefined),
        { error: "Say what to change: stepId with status or note, steps, add, remove or reorder." },
      ),
    output: planOutput,
    can: ["record"],
    effects: () => [{ kind: "record", what: "plan" }],
    execute: async ({ stepId, status, note, steps = {}, add, remove, reorder }, { progress }) => {
      const several = Object.entries(steps).map(([id, to]) => ({ stepId: id, status: to }));
      const told = { ...(status !== undefined && { status }), ...(note !== undefined && { note }) };
      const set = [...several, ...(stepId === undefined ? [] : [{ stepId, ...told }])];
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
    // The plan is already in the conversation: only the changes are returned, so copies do not accumulate.
    render: (plan, { stepId, steps = {}, remove, reorder, add }) => {
      if (remove !== undefined || reorder) return checklist(plan);
      const named = new Set([...(stepId === undefined ? [] : [stepId]), ...Object.keys(steps)]);
      return changedLines(plan, (step) => named.has(step.id) || step.text === add?.text);
    },
    examples: [
      {
        title: "One step ends, the next begins",
        input: { steps: { "1": "done", "2": "in_progress" } },
      },
      {
        title: "Several at once, with a note on one of them",
        input: { steps: { "4": "done", "5": "done" }, stepId: "5", note: "two tests were added" },
      },
      { title: "A step is done", input: { stepId: "1", status: "done", note: "fails only on Fridays" } },
    ],
  });
