import type { OpenView } from "../../api/approvals.ts";
import { answerSchema } from "../../server/approval-queue.ts";
import { questionAnswerSchema } from "../../server/question-queue.ts";
import { type ApiRoute, json } from "./route.ts";

export const approvalRoutes: readonly ApiRoute[] = [
  {
    ...{ method: "get", path: "/approvals", reach: "everybody", summary: "What waits for this person" },
    run: async ({ sessions }, { person }) => {
      const asks = await sessions.asks(person);
      const views = asks.map(({ view, problem }) => ({
        ...view,
        ...(problem !== undefined && { again: problem }),
      }));
      const questions = await sessions.questions(person);
      return json({ asks: views, questions, left: [] } satisfies OpenView);
    },
  },
  {
    ...{
      method: "post",
      path: "/approvals/:ask",
      reach: "answerer",
      summary: "Answer an approval request",
      body: answerSchema,
    },
    run: async ({ sessions }, { person, param, body }) => {
      await sessions.answer(person, param("ask"), await body(answerSchema));
      return json({});
    },
  },
  {
    ...{ method: "post", path: "/questions/:question", reach: "answerer", body: questionAnswerSchema },
    summary: "Answer a question of the agent, or decline to",
    run: async ({ sessions }, { person, param, body }) => {
      await sessions.answerQuestion(person, param("question"), await body(questionAnswerSchema));
      return json({});
    },
  },
];
