import { z } from "zod";
import { type Plans, stepStates } from "../../store/plans.ts";

export type OpenPlans = () => Plans;

export const stepState = z.enum(stepStates);

export const planOutput = z.object({
  id: z.string(),
  title: z.string(),
  steps: z.array(
    z.object({ id: z.string(), text: z.string(), status: stepState, note: z.string().optional() }),
  ),
  updated: z.string().describe("ISO 8601"),
});

/** One line of progress: the current step, and how much of the plan is done. */
export function planProgress({
  title,
  steps,
}: Pick<z.infer<typeof planOutput>, "title" | "steps">): [string, number, number] {
  const done = steps.filter(({ status }) => status === "done" || status === "skipped").length;
  const current =
    steps.find(({ status }) => status === "in_progress") ?? steps.find(({ status }) => status === "pending");
  return [current ? `${title}: ${current.text}` : `${title}: all done`, done, steps.length];
}

const marks = { pending: "[ ]", in_progress: "[~]", done: "[x]", failed: "[!]", skipped: "[-]" } as const;

type ShownPlan = Pick<z.infer<typeof planOutput>, "title" | "steps">;

/** The plan as a checklist, the same for model and person. */
export function checklist(plan: ShownPlan): string {
  return changedLines(plan, () => true);
}

/** How far the plan is, and only the steps that are new or different. */
export function changedLines(
  { title, steps }: ShownPlan,
  isChanged: (step: ShownPlan["steps"][number]) => boolean,
): string {
  const done = steps.filter(({ status }) => status === "done" || status === "skipped").length;
  const lines = steps
    .filter(isChanged)
    .map(
      ({ id, text, status, note }) =>
        `${marks[status]} ${id}. ${text}${note === undefined ? "" : ` (${note})`}`,
    );
  return [`${title}: ${done} of ${steps.length} done`, ...lines].join("\n");
}
