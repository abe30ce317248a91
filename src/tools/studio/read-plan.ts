import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { checklist, type OpenPlans, planOutput } from "./plan-output.ts";

export const readPlan = (plans: OpenPlans) =>
  defineTool({
    name: "readPlan",
    title: "Read plan",
    description: "The current plan with the status of each step.",
    category: "Planning",
    input: z.object({}),
    output: planOutput,
    idempotent: true,
    execute: async () => {
      const plan = await plans().current();
      if (!plan) throw new Failure("FILE_NOT_FOUND", "There is no plan yet. Make one with createPlan.");
      return plan;
    },
    render: checklist,
    examples: [{ title: "Where are we", input: {} }],
  });
