import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { checklist, type OpenPlans, planOutput } from "./plan-output.ts";

/** Whether a plan was made or changed in this session. */
export type PlannedIn = (session: string | undefined) => Promise<boolean>;

const output = planOutput.extend({
  isEarlier: z.boolean().describe("Of another conversation in this folder"),
});

export const readPlan = (plans: OpenPlans, plannedIn: PlannedIn) =>
  defineTool({
    name: "readPlan",
    title: "Read plan",
    description: "The current plan with the status of each step.",
    category: "Planning",
    input: z.object({}),
    output,
    idempotent: true,
    execute: async (_, { session }) => {
      const plan = await plans().current();
      if (!plan) throw new Failure("FILE_NOT_FOUND", "There is no plan yet. Make one with createPlan.");
      return { ...plan, isEarlier: !(await plannedIn(session)) };
    },
    render: (plan) =>
      plan.isEarlier
        ? `${checklist(plan)}\nThis plan is of another conversation and was last changed on ${plan.updated.slice(0, 10)}. Unless the person wants to go on with it, make your own with createPlan.`
        : checklist(plan),
    examples: [{ title: "Where are we", input: {} }],
  });
