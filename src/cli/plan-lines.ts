import type { Plan } from "../events/agent-events.ts";

/**
 * The plan in a terminal, where nothing above can be changed: the whole checklist once, then only the steps that changed, and
 * the whole again when it got other steps.
 */
export class PlanLines {
  #shown: Plan | undefined;

  /** What to print for the plan after a call; empty if the call did not change it. */
  take(plan: Plan): string[] {
    const before = this.#shown;
    this.#shown = plan;
    const sameSteps =
      before?.title === plan.title &&
      before.steps.length === plan.steps.length &&
      before.steps.every(({ text: old }, at) => withoutNote(old) === withoutNote(plan.steps[at]?.text ?? ""));
    if (!before || !sameSteps) return [`${plan.title}: ${progressOf(plan)}`, ...plan.steps.map(line)];
    const changed = plan.steps.filter(
      (step, at) => step.mark !== before.steps[at]?.mark || step.text !== before.steps[at]?.text,
    );
    return changed.map((step) => `${line(step)}  ${progressOf(plan)}`);
  }
}

function line({ mark, text }: Plan["steps"][number]): string {
  return `  [${mark}] ${text}`;
}

function progressOf({ steps }: Plan): string {
  const done = steps.filter(({ mark }) => mark === "x" || mark === "-").length;
  return `${done} of ${steps.length} done`;
}

/** A note at the end of a step may change without the step being another. */
function withoutNote(text: string): string {
  return text.replace(/ \([^()]*\)$/, "");
}
