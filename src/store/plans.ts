import { Failure } from "../failure/failure.ts";

export const stepStates = ["pending", "in_progress", "done", "failed", "skipped"] as const;
export type StepState = (typeof stepStates)[number];

export interface PlanStep {
  id: string;
  text: string;
  status: StepState;
  note?: string;
}

export interface Plan {
  id: string;
  title: string;
  steps: PlanStep[];
  updated: string;
}

export interface PlanChange {
  /** Without a status the step keeps the one it has. */
  set?: readonly { stepId: string; status?: StepState; note?: string }[];
  add?: { text: string; after?: string };
  remove?: string;
  /** All step ids in their new order. */
  reorder?: readonly string[];
}

/** The plans of one workspace; the one made last is the current one. */
export interface Plans {
  /** The same id again: the plan that is already there. */
  create(plan: { id: string; title: string; steps: readonly string[] }): Promise<Plan>;
  current(): Promise<Plan | undefined>;
  /** Applied to the steps as they are when it is written, whoever changed them before. */
  change(change: PlanChange): Promise<Plan>;
}

export function newSteps(texts: readonly string[]): PlanStep[] {
  return texts.map((text, index) => ({ id: String(index + 1), text, status: "pending" }));
}

export function changedSteps(
  before: readonly PlanStep[],
  { set, add, remove, reorder }: PlanChange,
): PlanStep[] {
  let steps = before.map((step) => ({ ...step }));
  const at = (id: string) => {
    const index = steps.findIndex((step) => step.id === id);
    if (index < 0) {
      const known = steps.map((step) => step.id).join(", ");
      throw new Failure(
        "INVALID_INPUT",
        `The plan has no step ${JSON.stringify(id)}; its steps are ${known}.`,
      );
    }
    return index;
  };
  for (const { stepId, status, note } of set ?? []) {
    const index = at(stepId);
    steps[index] = {
      ...(steps[index] as PlanStep),
      ...(status !== undefined && { status }),
      ...(note !== undefined && { note }),
    };
  }
  if (add) {
    const id = String(Math.max(0, ...steps.map((step) => Number(step.id))) + 1);
    const index = add.after === undefined ? steps.length : at(add.after) + 1;
    steps.splice(index, 0, { id, text: add.text, status: "pending" });
  }
  if (remove !== undefined) steps.splice(at(remove), 1);
  if (reorder) {
    if (new Set(reorder).size !== steps.length || reorder.length !== steps.length) {
      throw new Failure("INVALID_INPUT", `Name all ${steps.length} steps once each in their new order.`);
    }
    steps = reorder.map((id) => steps[at(id)] as PlanStep);
  }
  return steps;
}
