import { expect, test } from "vitest";
import type { Ask } from "../approval/approval.ts";
import { ApprovalQueue } from "./approval-queue.ts";
import { QuestionQueue } from "./question-queue.ts";

const ask: Ask = {
  id: "c_1",
  stepId: "s_1",
  tool: "edit_file",
  title: "Edit",
  args: {},
  reason: "it changes a.txt",
  effects: [],
  warnings: [],
  counts: [],
  preview: undefined,
  remember: undefined,
  amend: undefined,
  byPerson: false,
  again: undefined,
};

test("an ask whose run was stopped already is not shown", async () => {
  const queue = new ApprovalQueue({
    toolOf: () => undefined,
    chatOf: async () => undefined,
    changed: () => undefined,
  });
  await expect(queue.asker([ask], AbortSignal.abort())).rejects.toThrow("stopped");
  expect(await queue.list()).toEqual([]);
});

test("nor is a question of a server", async () => {
  const queue = new QuestionQueue(() => undefined);
  const question = { server: "s", message: "m", schema: {} };
  expect(await queue.elicit(question as never, AbortSignal.abort())).toEqual({ action: "cancel" });
  expect(await queue.list()).toEqual([]);
});

test("an answer that cannot be remembered is refused, and the ask stays open", async () => {
  const queue = new ApprovalQueue({
    toolOf: () => undefined,
    chatOf: async () => undefined,
    changed: () => undefined,
  });
  const answered = queue.asker([ask], new AbortController().signal);
  const [shown] = await queue.list();
  expect(() => queue.answer(shown?.id ?? "", { approved: true, remember: "user" })).toThrow(
    "cannot be remembered",
  );
  queue.answer(shown?.id ?? "", { approved: true });
  expect(await answered).toEqual([{ approved: true }]);
});
