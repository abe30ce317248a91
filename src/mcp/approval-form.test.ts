import { expect, test } from "vitest";
import type { Ask } from "../approval/approval.ts";
import { answerOf, formOf } from "./approval-form.ts";

const rule = { decision: "allow", tool: "edit" } as const;
const ask = (more: Partial<Ask> = {}): Ask => ({
  id: "c_1",
  stepId: "s_1",
  tool: "edit",
  title: "Edit",
  args: { message: "a line", count: 2, force: false, many: ["x"] },
  reason: "it changes things",
  effects: [],
  warnings: [],
  counts: [],
  preview: undefined,
  remember: { rules: [rule], scopes: ["session", "user"] },
  amend: undefined,
  byPerson: false,
  again: undefined,
  ...more,
});
const filesAsk = ask({
  preview: {
    summary: "edit",
    seen: new Map(),
    notes: [],
    files: [
      {
        path: "a.txt",
        change: "modify",
        diff: "-x\n+one\n+two\n",
        added: 2,
        removed: 1,
        proposed: "one\ntwo\n",
      },
      { path: "gone.txt", change: "delete", diff: "", added: 0, removed: 1 },
      { path: "b.txt", change: "create", diff: "", added: 1, removed: 0, proposed: "b" },
    ],
  },
  amend: (contents) => ({ amended: Object.fromEntries(contents) }),
});
const accept = (content: Record<string, unknown>) => ({ action: "accept" as const, content });

test("plain arguments are fields with their values, nested ones are only shown", () => {
  const { message, requestedSchema } = formOf(ask());
  expect(message).toContain('"many"');
  expect(Object.keys(requestedSchema.properties)).toEqual([
    "decision",
    "reason",
    "arg_message",
    "arg_count",
    "arg_force",
  ]);
  expect(requestedSchema.properties["arg_count"]).toMatchObject({ type: "number", default: 2 });
  expect(answerOf(ask(), accept({ arg_message: "another", arg_force: true }))).toEqual({
    approved: true,
    modifiedArgs: { message: "another", count: 2, force: true, many: ["x"] },
  });
});

test("proposed files are fields, and come back through the tool", () => {
  const { properties } = formOf(filesAsk).requestedSchema;
  expect(Object.keys(properties)).toEqual(["decision", "reason", "content_1", "content_3"]);
  expect(answerOf(filesAsk, accept({ content_1: "one\ntwo\n", content_3: "c" }))).toEqual({
    approved: true,
    modifiedArgs: { amended: { "b.txt": "c" } },
  });
});

test.each([
  ["nothing", {}],
  ["the same", { content_1: "one\ntwo\n" }],
  ["an empty field", { content_1: "" }],
  ["what a one-line input left of it", { content_1: "one two" }],
  ["what another one left of it", { content_1: "onetwo" }],
  ["what a third one left of it", { content_1: "one\ntwo" }],
  ["something that is no text", { content_1: { evil: true } }],
  ["fields that were not asked for", { content_2: "x", arg_message: "x", __proto__: "x" }],
])("%s is no edit", (_what, content) => {
  expect(answerOf(filesAsk, accept(content))).toEqual({ approved: true });
});

test("warnings come before what the model says, and its words do not push out the change", () => {
  const summary = `edit .envrc: ${"Fix a typo. ".repeat(200)}the end`;
  const shown = ask({
    reason: `${summary} — it needs your approval`,
    warnings: ["changes .envrc, which runs when you enter this folder"],
    preview: { summary, seen: new Map(), notes: [], files: filesAsk.preview?.files ?? [] },
  });
  const { message } = formOf(shown);
  const places = ["Careful: ", "Fix a typo.", "it needs your approval", "+two", "the end"].map((part) =>
    message.indexOf(part),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(message.indexOf("+two")).toBeLessThan(1_000);
});

test("remembering saves the rule that was shown", () => {
  const title = "Approve, and do not ask again, always in this folder: edit";
  expect(JSON.stringify(formOf(ask()))).toContain(JSON.stringify(title));
  expect(answerOf(ask(), accept({ decision: "remember" }))).toEqual({
    approved: true,
    remember: { rules: [rule], scope: "user" },
  });
});

test("what could dress up as something else is shown as it is, and too much is said to be cut", () => {
  expect(formOf(ask({ reason: "safe\u202Etxt.exe" })).message).toContain("safe\\u{202e}txt.exe");
  const long = formOf(ask({ args: { message: "x".repeat(50_000) } }));
  expect(long.message).toMatch(/8000 of \d+ characters shown/);
  expect(Object.keys(long.requestedSchema.properties)).not.toContain("arg_message");
});

test("what is dangerous is said first, and only the word approve approves it", () => {
  const careful = ask({
    warnings: ["creates .envrc, which runs when you enter this folder"],
    counts: ["creates 182 files: 180 .txt, 2 others"],
  });
  const { message, requestedSchema } = formOf(careful);
  expect(message).toMatch(/^Edit .*\n\nCareful: creates \.envrc, which runs when .*\n\ncreates 182 files/);
  expect(requestedSchema.properties["decision"]).not.toHaveProperty("default");
  expect(requestedSchema.required).toEqual(["decision"]);
  expect(answerOf(careful, { action: "accept", content: {} })).toMatchObject({ approved: false });
  expect(answerOf(careful, { action: "accept", content: { decision: "approve" } }).approved).toBe(true);
  // The same for a form that shows only the beginning.
  const long = ask({ args: { message: "x".repeat(10_000) } });
  expect(answerOf(long, { action: "accept", content: {} }).approved).toBe(false);
});

test("what a remembered answer covers is said in words", () => {
  const rules = [{ decision: "allow", tool: "web_fetch", url: "https://docs.example.com/*" } as const];
  const { requestedSchema } = formOf(ask({ remember: { rules, scopes: ["session"] } }));
  expect(JSON.stringify(requestedSchema)).toContain(
    "Approve, and do not ask again, until Wield stops: web_fetch at https://docs.example.com/…",
  );
});
