import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import type { Effect } from "../../tool/effects.ts";

/** The result of a delegated run. */
export const reportOutput = z.object({
  report: z.string(),
  /** How it ended, as an agent's own run does. */
  stop: z.string(),
  steps: z.number(),
  usage: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedTokens: z.number(),
    writtenTokens: z.number().optional(),
  }),
  session: z.string(),
});

export type Report = z.output<typeof reportOutput>;

/** Runs an agent with a separate context; only its report is returned. */
export interface Delegate {
  explore(
    input: { question: string; thoroughness: "quick" | "medium" | "thorough" },
    options: DelegateOptions,
  ): Promise<Report>;
  task(
    input: { profile: string; instructions: string; agent?: string | undefined },
    options: DelegateOptions,
  ): Promise<Report>;
}

export interface DelegateOptions {
  /** Of the call that delegates: the run belongs to it. */
  callId: string;
  signal: AbortSignal;
  progress(message: string): void;
}

/** `reader (reads only); tester (runs tests)`. */
export const namedAgents = (agents: readonly NamedAgent[]) =>
  agents.map(({ name, description }) => `${name} (${description.replace(/\.$/, "")})`).join("; ");

/** As long as an agent may take: its own limits end it before. */
const timeoutMs = 60 * 60 * 1000;
const budget = 4000;

const render = ({ report, stop, steps, usage, session }: Report) =>
  `${report}\n\n(${steps} ${steps === 1 ? "step" : "steps"}, ${usage.inputTokens + usage.outputTokens} tokens, ended: ${stop}; session ${session})`;

export const explore = (delegate: Delegate["explore"]) =>
  defineTool({
    name: "explore",
    title: "Explore",
    description:
      "Let an explorer find out something about this code and report with file:line. Its reading does not fill your context. Several at once: several calls.",
    category: "Agent",
    reveals: "nothing",
    input: z.object({
      question: z.string().min(1).max(20_000),
      thoroughness: z.enum(["quick", "medium", "thorough"]).default("medium"),
    }),
    output: reportOutput,
    can: ["read"],
    idempotent: true,
    timeoutMs,
    budget,
    execute: (input, context) => delegate(input, context),
    render,
    examples: [{ title: "How something works", input: { question: "How are sessions stored and resumed?" } }],
  });

/** An agent that a task can be given to by its name. */
export interface NamedAgent {
  name: string;
  description: string;
}

export const task = (
  delegate: Delegate["task"],
  profiles: readonly [string, ...string[]],
  can: Effect["kind"][],
  agents: readonly NamedAgent[] = [],
) =>
  defineTool({
    name: "task",
    title: "Delegate a task",
    description: [
      "Let another agent do a task with a context of its own and report what it did. It knows nothing of this conversation: say everything it needs. It can use no tool that you cannot.",
      ...(agents.length > 0 ? [`Agents: ${namedAgents(agents)}.`] : []),
    ].join(" "),
    category: "Agent",
    reveals: "nothing",
    input: z.object({
      profile: z.enum(profiles).default(profiles[0]),
      instructions: z.string().min(1).max(50_000),
      ...(agents.length > 0 && { agent: z.enum(agents.map(({ name }) => name)).optional() }),
    }),
    output: reportOutput,
    can,
    // What it does is judged call by call, as its own.
    approval: "auto",
    // The run of a call is continued, never begun a second time.
    idempotent: true,
    timeoutMs,
    budget,
    execute: ({ profile, instructions, ...rest }, context) =>
      delegate({ profile, instructions, agent: (rest as { agent?: string }).agent }, context),
    render,
    examples: [
      {
        title: "A separate piece of work",
        input: {
          profile: profiles[0],
          instructions: "Find the slowest test in src/store and say why it is slow.",
        },
      },
    ],
  });
