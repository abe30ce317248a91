import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const edit = { tool: "create_file", input: { path: "new.txt", content: "whole\n", description: "new" } };

async function entriesOf(session: string): Promise<string[]> {
  const entries = (await place?.wield.store.entries(session)) ?? [];
  return entries.map(({ data }) => (data as { kind: string }).kind);
}

test("while the model speaks: what it said half does not count, and the session goes on", async () => {
  place = await testWield({});
  const stop = new AbortController();
  const model = scriptedModel([{ say: "one two three" }, { say: "whole answer" }]);
  place.wield.on((event) => {
    if (event.type === "text-delta") stop.abort();
  });
  const agent = await place.wield.agent({ model });
  expect(await agent.send("go", stop.signal)).toMatchObject({ stop: "aborted", steps: 0 });
  expect(await entriesOf(agent.session)).toEqual(["user", "partial", "end"]);
  expect(await agent.resume()).toMatchObject({ stop: "done", text: "whole answer" });
});

test("while a tool runs: its end is awaited, the call is reported stopped, and the session goes on", async () => {
  const stop = new AbortController();
  const slow = defineTool({
    name: "slow",
    title: "Slow",
    description: "Takes its time.",
    category: "Test",
    input: z.object({}),
    output: z.object({}),
    execute: async (_input, { signal }) => {
      const over = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => over.reject(new Error("stopped")));
      stop.abort();
      return over.promise;
    },
  });
  place = await testWield({}, { customTools: [slow as never] });
  const model = scriptedModel([{ calls: [{ tool: "slow", input: {} }] }, { say: "understood" }]);
  const agent = await place.wield.agent({ model });
  expect(await agent.send("go", stop.signal)).toMatchObject({ stop: "aborted" });
  expect(await entriesOf(agent.session)).toEqual(["user", "step", "results", "end"]);
  expect(await agent.send("what happened?")).toMatchObject({ stop: "done", text: "understood" });
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain(
    "ABORTED: slow was stopped before it finished.",
  );
});

test("while an approval is open: nothing is written, the ask is closed, and the session goes on", async () => {
  const stop = new AbortController();
  place = await testWield(
    {},
    {
      asker: async () => {
        stop.abort();
        return new Promise(() => undefined);
      },
    },
  );
  const model = scriptedModel([{ calls: [edit] }, { say: "understood" }]);
  const agent = await place.wield.agent({ model });
  expect(await agent.send("go", stop.signal)).toMatchObject({ stop: "aborted" });
  expect(() => place?.read("new.txt")).toThrow();
  expect(await place.wield.approvals.pending()).toEqual([]);
  expect(await agent.send("go on")).toMatchObject({ stop: "done" });
});

test("an ask that a dead process left open can be answered outside; the resumed run takes the result over", async () => {
  place = await testWield({}, { asker: () => new Promise(() => undefined) });
  const model = scriptedModel([{ calls: [edit] }]);
  const agent = await place.wield.agent({ model });
  const asked = new Promise<void>((resolve) => {
    place?.wield.on((event) => {
      if (event.type === "approval-ask") setImmediate(resolve);
    });
  });
  // Never answered: as if the process had died here.
  void agent.send("go");
  await asked;
  const later = await place.reopen({ asker: async () => [{ approved: false }] });
  const [pending] = await later.approvals.pending();
  expect(pending?.tool).toBe("create_file");
  await later.approvals.answer(pending?.id ?? "", { approved: true });
  expect(place.read("new.txt")).toBe("whole\n");
  const resumed = scriptedModel([{ say: "it is there" }]);
  const again = await later.agent({ model: resumed, session: "latest" });
  expect(again.unfinished).toBe(true);
  expect(await again.resume()).toMatchObject({ stop: "done", text: "it is there" });
  expect(await later.changes.list()).toHaveLength(1);
  expect(JSON.stringify(resumed.requests[0]?.prompt.at(-1))).toContain("new.txt");
});

test("two processes cannot continue one session at once", async () => {
  place = await testWield({});
  const first = await place.wield.agent({ model: scriptedModel([{ say: "a" }, { say: "b" }]) });
  await first.send("hello");
  const second = await place.wield.agent({ model: scriptedModel([{ say: "c" }]), session: first.session });
  await first.send("more");
  await expect(second.send("mine")).rejects.toThrow(/Another process continues the session/);
});

test("a call that had begun when its process died, and that no journal knows, is reported and not repeated", async () => {
  let rung = 0;
  const ring = defineTool({
    name: "ring",
    title: "Ring",
    description: "Rings.",
    category: "Test",
    input: z.object({}),
    output: z.object({}),
    can: ["run"],
    approval: "auto",
    execute: async () => {
      rung++;
      return {};
    },
  });
  place = await testWield({}, { customTools: [ring as never] });
  const { store, workspace } = place.wield;
  const at = "2026-11-15T10:00:00.000Z";
  const about = { workspace: workspace.root, agent: "coding", title: "ring", at, updated: at };
  const calls = ["c_begun", "c_waiting"].map((id) => ({ id, ref: id, tool: "ring", input: {} }));
  const content = calls.map(({ ref }) => ({
    type: "tool-call",
    toolCallId: ref,
    toolName: "ring",
    input: {},
  }));
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
  const step = { kind: "step", messages: [{ role: "assistant", content }], calls, usage, final: false };
  await store.appendEntry(
    { id: "a_dead", ...about },
    { seq: 0, at, data: { kind: "user", text: "ring twice" } },
  );
  await store.appendEntry({ id: "a_dead", ...about }, { seq: 1, at, data: step });
  const numbers = { durationMs: 0, bytes: 0, tokensIn: 0, tokensOut: 0 };
  const begun = {
    id: "c_begun",
    session: "a_dead",
    tool: "ring",
    at,
    ok: false,
    errorCode: "ABORTED",
    approval: "auto" as const,
  };
  await store.recordCall({ ...begun, ...numbers });
  const model = scriptedModel([{ say: "once more, perhaps" }]);
  const agent = await place.wield.agent({ model, session: "a_dead" });
  expect(await agent.resume()).toMatchObject({ stop: "done" });
  expect(rung).toBe(1);
  const results = JSON.stringify(model.requests[0]?.prompt.at(-1));
  expect(results).toMatch(/"c_begun".*it may or may not have taken effect.*"c_waiting".*"type":"text"/);
});
