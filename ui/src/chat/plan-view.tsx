import type { Plan } from "../../../src/api/chat.ts";

const names: Readonly<Record<string, string>> = {
  " ": "open",
  "~": "under way",
  x: "done",
  "!": "failed",
  "-": "skipped",
};

export function PlanView({ plan }: { plan: Plan }) {
  const done = plan.steps.filter(({ mark }) => mark === "x" || mark === "-").length;
  const now = plan.steps.find(({ mark }) => mark === "~") ?? plan.steps.find(({ mark }) => mark === " ");
  return (
    <details className="plan">
      <summary>
        <progress
          value={done}
          max={plan.steps.length}
          aria-label={`${done} of ${plan.steps.length} steps done`}
        />
        <strong>{plan.title}</strong>
        <span className="faint">{now ? now.text : "all done"}</span>
      </summary>
      <ol>
        {plan.steps.map(({ mark, text }) => (
          <li key={text} data-mark={names[mark]}>
            <span className="unseen">{names[mark]}: </span>
            {text}
          </li>
        ))}
      </ol>
    </details>
  );
}
