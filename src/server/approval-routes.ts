import { Hono } from "hono";
import { z } from "zod";
import type { AskView, LeftPreviewView, OpenView } from "../api/approvals.ts";
import type { Wield } from "../app/wield.ts";
import { factsOf } from "../approval/ask-facts.ts";
import { Failure } from "../failure/failure.ts";
import type { PendingApproval } from "../store/store.ts";
import { visibleLine } from "../text/visible.ts";
import { type ApprovalQueue, answerSchema, versionOf } from "./approval-queue.ts";
import { bodyOf } from "./body.ts";
import { callView } from "./call-view.ts";
import { type QuestionQueue, questionAnswerSchema } from "./question-queue.ts";

const leftSchema = z.strictObject({
  approved: z.boolean(),
  reason: z.string().max(2000).optional(),
  /** For an answer that was given to an earlier process: the version that was shown. */
  version: z.string().max(100).optional(),
});

/** Approval requests and questions that wait for a person. */
export function approvalRoutes(
  wield: Wield,
  approvals: ApprovalQueue,
  questions: QuestionQueue,
  changed: () => void,
): Hono {
  const app = new Hono();
  app.get("/approvals", async (c) => c.json(await openView(wield, approvals, questions)));
  app.post("/approvals/:id", async (c) => {
    approvals.answer(c.req.param("id"), await bodyOf(c.req.raw, answerSchema));
    return c.json({});
  });
  app.get("/approvals/left/:id", async (c) => {
    const { files = [], notes = [] } = (await wield.approvals.preview(c.req.param("id"))) ?? {};
    const { warnings, counts } = factsOf([], files);
    const facts = { warnings: [...warnings], counts: [...counts] };
    return c.json({ ...facts, files, notes: notes.map(visibleLine) } satisfies LeftPreviewView);
  });
  app.post("/approvals/left/:id", async (c) => {
    const { approved, reason, version } = await bodyOf(c.req.raw, leftSchema);
    const id = c.req.param("id");
    const left = (await leftOpen(wield, await approvals.list())).find((pending) => pending.id === id);
    if (!left) throw new Failure("CONFLICT", "This request is no longer pending: it was answered elsewhere.");
    if (version !== undefined && version !== versionOf(left))
      throw new Failure("CONFLICT", "This request has changed since: it was asked again. Look at it again.");
    const outcome = await wield.approvals.answer(id, { approved, ...(reason !== undefined && { reason }) });
    changed();
    return c.json(callView(outcome));
  });
  app.post("/questions/:id", async (c) => {
    questions.answer(c.req.param("id"), await bodyOf(c.req.raw, questionAnswerSchema));
    return c.json({});
  });
  return app;
}

/** Everything that waits for a person: requests and questions of this process, and requests that an earlier process left pending. */
async function openView(wield: Wield, approvals: ApprovalQueue, questions: QuestionQueue): Promise<OpenView> {
  const asks = await approvals.list();
  return {
    asks,
    questions: questions.list(),
    left: (await leftOpen(wield, asks)).map(({ id, tool, args, reason, at }) => ({
      id,
      tool,
      args,
      reason,
      at,
    })),
  };
}

/** Requests that are not asked by this process. */
async function leftOpen(wield: Wield, asks: readonly AskView[]): Promise<PendingApproval[]> {
  const here = new Set(asks.map(({ callId }) => callId));
  return (await wield.approvals.pending()).filter(({ id }) => !here.has(id));
}
