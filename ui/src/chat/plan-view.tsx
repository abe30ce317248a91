import { useState } from "react";
import type { Plan } from "../../../src/events/agent-events.ts";

const states: Readonly<Record<string, string>> = {
  " ": "open",
  "~": "under way",
  x: "done",
  "!": "failed",
  "-": "skipped",
};

const key = "wield-plan";

/** Open where there is space for it, until the person decides. */
function isOpenFirst(): boolean {
  const decided = localStorage.getItem(key);
  return decided === null ? innerWidth > 800 && innerHeight >= 700 : decided === "open";
}

/** The current plan as a checklist: drawn once, above the input, and updated while the agent works. */
export function PlanView({ plan }: { plan: Plan }) {
  const [open, setOpen] = useState(isOpenFirst);
  const done = plan.steps.filter(({ mark }) => mark === "x" || mark === "-").length;
  const now = plan.steps.find(({ mark }) => mark === "~") ?? plan.steps.find(({ mark }) => mark === " ");
  const toggle = (isOpen: boolean) => {
    if (isOpen === open) return;
    localStorage.setItem(key, isOpen ? "open" : "closed");
    setOpen(isOpen);
  };
  return (
    <details className="plan" open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>
        <progress
          value={done}
          max={plan.steps.length}
          aria-label={`${done} of ${plan.steps.length} steps done`}
        />
        <strong>{plan.title}</strong>
        <span className="faint grow">{now ? !open && now.text : "all done"}</span>
        <span className="faint" aria-hidden="true">
          {done}/{plan.steps.length}
        </span>
      </summary>
      <ol aria-label="Plan">
        {plan.steps.map(({ mark, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have the same text
          <li key={at} data-mark={states[mark]} aria-current={mark === "~" ? "step" : undefined}>
            <span className="unseen">{states[mark]}: </span>
            {text}
          </li>
        ))}
      </ol>
    </details>
  );
}
