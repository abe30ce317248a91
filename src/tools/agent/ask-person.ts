import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";

const question = z.lazy(() =>
  z.object({
    question: z.string().min(1).max(1000),
    options: z.array(z.string().min(1).max(200)).max(12).optional(),
    multiple: z.boolean().default(false).describe("Several options may be chosen"),
  }),
);

export type PersonQuestion = z.output<typeof question>;

/** Asks the person questions; undefined if nobody can be asked, null if they decline to answer. */
export type AskPerson = (
  questions: readonly PersonQuestion[],
  signal: AbortSignal,
) => Promise<readonly string[] | null | undefined>;

const nobody = "Nobody is there to answer. Decide yourself, and say in your answer what you assumed.";
const declined = "The person did not answer. Decide yourself, or stop and say what you need to know.";
const aDay = 24 * 60 * 60 * 1000;

export const askPerson = (ask: AskPerson) =>
  defineTool({
    name: "ask_person",
    title: "Ask the person",
    description:
      "Ask the person one to four questions, with options where there are some. Only for decisions that you cannot make from what is there.",
    category: "Agent",
    reveals: "nothing",
    input: z.object({ questions: z.array(question).min(1).max(4) }),
    output: z.object({
      answers: z.array(z.object({ question: z.string(), answer: z.string() })),
      message: z.string().optional(),
    }),
    // Somebody has to read it and think.
    timeoutMs: aDay,
    execute: async ({ questions }, { signal }) => {
      const given = await ask(questions, signal);
      if (!given) return { answers: [], message: given === null ? declined : nobody };
      return {
        answers: questions.map((each, index) => ({ question: each.question, answer: given[index] ?? "" })),
      };
    },
    render: ({ answers, message }) =>
      message ?? answers.map((each) => `${each.question}\n→ ${each.answer || "(no answer)"}`).join("\n"),
    examples: [
      {
        title: "A choice",
        input: { questions: [{ question: "Which database?", options: ["SQLite", "Postgres"] }] },
      },
    ],
  });
