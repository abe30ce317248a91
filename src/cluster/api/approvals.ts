import type { OpenView } from "../../api/approvals.ts";
import { answerSchema } from "../../server/approval-queue.ts";
import { type ApiRoute, json } from "./route.ts";

export const approvalRoutes: readonly ApiRoute[] = [
  {
    ...{ method: "get", path: "/approvals", reach: "everybody", summary: "Questions of one's own sessions" },
    run: async ({ sessions }, { person }) => {
      const asks = await sessions.asks(person);
      const views = asks.map(({ view, problem }) => ({
        ...view,
        ...(problem !== undefined && { again: problem }),
      }));
      return json({ asks: views, questions: [], left: [] } satisfies OpenView);
    },
  },
  {
    ...{
      method: "post",
      path: "/approvals/:ask",
      reach: "answerer",
      summary: "Answer a question",
      body: answerSchema,
    },
    run: async ({ sessions }, { person, param, body }) => {
      await sessions.answer(person, param("ask"), await body(answerSchema));
      return json({});
    },
  },
];
