import { z } from "zod";
import { newId } from "../../text/ids.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { checklist, type OpenPlans, planOutput, planProgress } from "./plan-output.ts";

export const createPlan = (plans: OpenPlans) =>
  defineTool({
    name: "createPlan",
    title: "Create plan",
    description:
      "Write down the steps of a task first: a checklist that the person sees change while you work.",
    category: "Planning",
    input: z.object({
      title: z.string().min(1).max(200),
      steps: z.array(z.string().min(1).max(500)).min(1).max(50),
    }),
    output: planOutput,
    can: ["record"],
    effects: ({ title }) => [{ kind: "record", what: `plan ${title}` }],
    execute: async ({ title, steps }, { progress }) => {
      const plan = await plans().create({ id: newId("p"), title, steps });
      progress(...planProgress(plan));
      return plan;
    },
    render: (plan) => `${checklist(plan)}\n${howToUpdate(plan.steps)}`,
    examples: [
      { title: "Two steps", input: { title: "Fix the bug", steps: ["Reproduce it", "Correct it"] } },
    ],
  });

/** The ids as the next call takes them. */
function howToUpdate(steps: readonly { id: string }[]): string {
  const [first = "1", second] = steps.map(({ id }) => id);
  const next = {
    [first]: second === undefined ? "in_progress" : "done",
    ...(second && { [second]: "in_progress" }),
  };
  return `The numbers are the ids: updatePlan(${JSON.stringify({ steps: next })})`;
}
