import { afterEach, expect, test } from "vitest";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield, yes } from "../testing/testing.ts";

let place: TestWield;
afterEach(() => place.close());

test("a message sent while the agent works is refused, and the run goes on undisturbed", async () => {
  place = await testWield({});
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const model = scriptedModel(async (_, index) => {
    if (index > 0) return { say: `answer ${index}` };
    asked.resolve();
    await answer.promise;
    return { say: "first answer" };
  });
  const agent = await place.wield.agent({ model });
  const first = agent.send("one");
  await asked.promise;
  await expect(agent.send("two")).rejects.toMatchObject({ code: "CONFLICT", message: /still working/ });
  await expect(agent.resume()).rejects.toMatchObject({ code: "CONFLICT" });
  answer.resolve();
  expect(await first).toMatchObject({ stop: "done", text: "first answer" });
  const log = JSON.stringify(await place.wield.store.entries(agent.session));
  expect(log).not.toContain("two");
  expect(await agent.send("three")).toMatchObject({ text: "answer 1" });
});

test("a session is opened by its id or the beginning of it; an empty or ambiguous one is refused", async () => {
  place = await testWield({});
  const { store, workspace } = place.wield;
  const about = { workspace: workspace.root, agent: "coding", title: "t", at: "2026", updated: "2026" };
  for (const id of ["a_12aa", "a_12bb", "a_34cc", "a_34"])
    await store.appendEntry({ id, ...about }, { seq: 0, at: "2026", data: { kind: "user", text: "hello" } });
  const open = async (session: string) =>
    (await place.wield.agent({ session, model: scriptedModel([]) })).session;
  await expect(open("")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(open("a_12")).rejects.toThrow(/Several sessions begin with a_12: .*a_12aa/);
  await expect(open("a_9")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  expect(await open("a_12b")).toBe("a_12bb");
  expect(await open("a_34")).toBe("a_34");
});

test("calls of a message that was cut at the output limit are not run, even after a restart", async () => {
  place = await testWield({}, { approve: () => yes });
  const input = { path: "a.txt", content: "only half of wh", description: "new" };
  const model = scriptedModel([
    { calls: [{ tool: "create_file", input }], cut: true },
    { say: "I will write less at once." },
  ]);
  const agent = await place.wield.agent({ model });
  expect(await agent.send("write it")).toMatchObject({ stop: "done", text: "I will write less at once." });
  expect(() => place.read("a.txt")).toThrow();
  expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toMatch(
    /not run: your message was cut at the output limit/,
  );

  const { store } = place.wield;
  const [user, step] = await store.entries(agent.session);
  const record = await store.session(agent.session);
  if (!user || !step || !record) throw new Error("the log has a message and a step");
  for (const entry of [user, step]) await store.appendEntry({ ...record, id: "a_left" }, entry);
  const next = scriptedModel([{ say: "Again." }]);
  const later = await place.wield.agent({ model: next, session: "a_left" });
  expect(await later.resume()).toMatchObject({ stop: "done" });
  expect(() => place.read("a.txt")).toThrow();
});
