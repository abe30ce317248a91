import { describe, expect, test } from "vitest";
import type { ChatChunk, ChatMessage } from "../api/chat.ts";
import type { CallRecord, WieldEvent } from "../events/events.ts";
import { profileNotice } from "../text/notice.ts";
import { emptyMessage, messagesOf } from "./chat-log.ts";
import { ChatStream } from "./chat-stream.ts";
import { messageOf } from "./server.suite.ts";

const session = "s";
const usage = { inputTokens: 1, outputTokens: 2, cachedTokens: 0 };
const record = { id: "c1", tool: "read_file", ok: true } as CallRecord;

/** What the AI SDK makes of these events: watched from the beginning, and told afterwards from the kept course. */
async function told(events: readonly WieldEvent[], begun = emptyMessage(1)): Promise<ChatMessage> {
  const live: ChatChunk[] = [];
  const stream = new ChatStream(begun, (chunk) => live.push(chunk));
  for (const event of events) stream.take(event);
  const [watched, late] = await Promise.all([messageOf(live), messageOf(stream.course)]);
  expect(late).toEqual(watched);
  expect(stream.course.length).toBeLessThanOrEqual(live.length);
  return watched;
}

const call: WieldEvent[] = [
  { type: "input-start", session, ref: "r1", tool: "read_file" },
  { type: "input-delta", session, ref: "r1", delta: '{"pa' },
  { type: "input-delta", session, ref: "r1", delta: 'th":"a"}' },
  { type: "step-end", session, step: 1, usage, total: usage, context: 0, contextBudget: 0 },
  { type: "call-start", session, callId: "c1", ref: "r1", tool: "read_file", input: { path: "a" }, at: "" },
];
const end: WieldEvent[] = [
  { type: "call-end", callId: "c1", record },
  { type: "call-result", session, callId: "c1", ref: "r1", tool: "read_file", ok: true, text: "a's text" },
];

describe("a run as a stream", () => {
  test("thoughts, words, a call and the end, in order", async () => {
    const message = await told([
      { type: "step-start", session, step: 1 },
      { type: "reasoning-delta", session, text: "Hm" },
      { type: "reasoning-delta", session, text: "m." },
      { type: "text-delta", session, text: "I read " },
      { type: "text-delta", session, text: "it." },
      ...call,
      ...end,
      { type: "notice-add", session, text: "Mind the gap." },
      { type: "run-end", session, stop: "steps", message: "Enough.", steps: 1, usage },
    ]);
    expect(message).toMatchObject({
      id: "m1",
      metadata: { stop: "steps", message: "Enough.", steps: 1, usage },
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Hmm." },
        { type: "text", text: "I read it." },
        {
          type: "dynamic-tool",
          toolName: "read_file",
          state: "output-available",
          input: { path: "a" },
          output: { text: "a's text" },
          toolMetadata: { record },
        },
        { type: "data-notice", data: "Mind the gap." },
      ],
    });
  });

  test("what is typed, under way, asked and answered", async () => {
    const state = async (events: WieldEvent[]) =>
      (await told([{ type: "step-start", session, step: 1 }, ...events])).parts.at(-1);
    const ask: WieldEvent = {
      type: "approval-ask",
      callId: "c1",
      stepId: "x",
      tool: "read_file",
      reason: "why",
    };
    expect(await state(call.slice(0, 3))).toMatchObject({ state: "input-streaming", input: '{"path":"a"}' });
    expect(await state(call)).toMatchObject({ state: "input-available" });
    expect(await state([...call, { type: "call-progress", callId: "c1", message: "half" }])).toMatchObject({
      preliminary: true,
      output: { progress: "half" },
    });
    expect(await state([...call, ask])).toMatchObject({
      state: "approval-requested",
      approval: { requestReason: "why" },
    });
    const no: WieldEvent = {
      type: "approval-answer",
      callId: "c1",
      approved: false,
      edited: false,
      reason: "no",
    };
    expect(await state([...call, ask, ask, no])).toMatchObject({
      approval: { approved: false, reason: "no" },
    });
    const failed = { code: "APPROVAL_DENIED", message: "User rejected changes: no" };
    expect(
      await state([
        ...call,
        ask,
        no,
        { type: "call-end", callId: "c1", record: { ...record, ok: false }, error: failed },
      ]),
    ).toMatchObject({ state: "output-error", errorText: failed.message });
  });

  test("a step that the model breaks off is taken back", async () => {
    const message = await told([
      { type: "step-start", session, step: 1 },
      { type: "text-delta", session, text: "First." },
      { type: "step-end", session, step: 1, usage, total: usage, context: 0, contextBudget: 0 },
      { type: "step-start", session, step: 2 },
      { type: "text-delta", session, text: "Second, bro" },
      ...call.slice(0, 2),
      { type: "model-retry", session, reason: "The model is busy", waitMs: 1 },
      { type: "text-delta", session, text: "Second." },
    ]);
    const words = message.parts.flatMap((part) => (part.type === "text" ? part.text : []));
    expect(words).toEqual(["First.", "Second."]);
    expect(message.parts.filter(({ type }) => type === "dynamic-tool")).toEqual([]);
    expect(message.parts).toContainEqual(
      expect.objectContaining({ type: "data-retry", data: "The model is busy" }),
    );
  });

  test("a notice about another profile is one short line for people", async () => {
    const text = profileNotice("code", "assistant");
    const message = await told([
      { type: "step-start", session, step: 1 },
      { type: "notice-add", session, text },
      { type: "notice-add", session, text: "Two steps are left." },
    ]);
    const notices = ["Profile: assistant", "Two steps are left."];
    const shown = message.parts.flatMap((part) => (part.type === "data-notice" ? part.data : []));
    expect(shown).toEqual(notices);
    const entries = [text, "Two steps are left."].map((each, seq) => ({
      seq,
      at: "",
      data: { kind: "notice", text: each },
    }));
    expect(messagesOf(entries, new Map())[0]?.parts.map((part) => "data" in part && part.data)).toEqual(
      notices,
    );
  });

  test("a word about a call that is not in the message ends nothing", async () => {
    const message = await told([
      { type: "step-start", session, step: 1 },
      ...end,
      { type: "call-progress", callId: "c9", message: "half" },
      { type: "approval-answer", callId: "c9", approved: true, edited: false },
      { type: "text-delta", session, text: "Still here." },
    ]);
    expect(message.parts.at(-1)).toMatchObject({ type: "text", text: "Still here." });
  });

  test("goes on with what an earlier process left, and with the plan that was in it", async () => {
    const steps = [
      { mark: "x", text: "Write" },
      { mark: " ", text: "Tell" },
    ];
    const plan = { title: "Ship it", steps };
    const calls = [
      { id: "c0", ref: "r0", tool: "updatePlan", input: {} },
      { id: "c1", ref: "r1", tool: "read_file", input: { path: "a" } },
    ];
    const results = [{ ...calls[0], ok: true, text: "1 of 2 done", short: "", key: "", plan }];
    const words = [{ role: "assistant", content: [{ type: "text", text: "Looking." }] }];
    const [, left] = messagesOf(
      [
        { kind: "user", text: "Go" },
        { kind: "step", messages: words, calls, usage, final: false },
        { kind: "results", results },
      ].map((data, seq) => ({ seq, at: "", data })),
      new Map([["c0", { record }]]),
    );
    const message = await told([...end, { type: "run-end", session, stop: "done", steps: 1, usage }], left);
    expect(message).toMatchObject({ id: "m1", metadata: { stop: "done" } });
    expect(message.parts).toMatchObject([
      { type: "step-start" },
      { type: "text", text: "Looking." },
      { toolName: "updatePlan", state: "output-available" },
      { toolName: "read_file", state: "output-available", output: { text: "a's text" } },
      { type: "data-plan", data: plan },
    ]);
  });
});
