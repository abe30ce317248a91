import type { Plan } from "../events/agent-events.ts";

const marks: Readonly<Record<string, string>> = {
  pending: " ",
  in_progress: "~",
  done: "x",
  failed: "!",
  skipped: "-",
};

interface PlanValue {
  title: string;
  steps: { text: string; status: string; note?: string }[];
}

/** The whole plan after a call of a planning tool, however much of it the model got; undefined for any other tool. */
export function planIn(tool: string, value: unknown): Plan | undefined {
  if (!/^(create|update|read)Plan$/.test(tool)) return undefined;
  const { title, steps } = value as PlanValue;
  return {
    title,
    steps: steps.map(({ text, status, note }) => ({
      mark: marks[status] ?? " ",
      text: note === undefined ? text : `${text} (${note})`,
    })),
  };
}
