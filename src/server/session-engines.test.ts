import { expect, test } from "vitest";
import type { CostView } from "../api/cost.ts";
import type { KeyView } from "../api/keys.ts";
import type { CompactView, RewindMessage, RewindView, RewoundView } from "../api/rewind.ts";
import { scriptedModel } from "../testing/testing.ts";
import { testServer } from "./server.suite.ts";

test("the page rewinds, forks and summarises a conversation, and sees what it costs", async () => {
  const model = scriptedModel([
    { calls: [{ tool: "write_file", input: { path: "made.txt", content: "made" } }] },
    { say: "made it" },
    { say: "second answer" },
    { say: "what was done" },
  ]);
  const server = await testServer({}, { model });
  const { session } = await server.api<{ session: string }>("/sessions", { text: "make it" });
  await server.ended(session);
  await server.api(`/sessions/${session}/messages`, { text: "and now?", effort: "low" });
  await server.ended(session);
  expect(model.requests.at(-1)?.reasoning).toBe("low");
  const messages = await server.api<RewindMessage[]>(`/sessions/${session}/messages`);
  expect(messages.map(({ text }) => text)).toEqual(["make it", "and now?"]);
  const first = messages[0]?.entry ?? -1;
  const plan = await server.api<RewindView>(`/sessions/${session}/rewind?to=${first}`);
  expect(plan).toMatchObject({
    text: "make it",
    messages: 2,
    files: [{ path: "made.txt", change: "delete" }],
  });
  await expect(server.api(`/sessions/${session}/rewind?to=first`)).rejects.toThrow("400");

  const { session: fork } = await server.api<{ session: string }>(`/sessions/${session}/fork`, {
    before: messages[1]?.entry,
  });
  expect((await server.ended(fork)).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  const compacted = await server.api<CompactView>(`/sessions/${fork}/compact`, {});
  expect(compacted.kept).toMatchObject({ said: ["make it"], done: "what was done" });

  const cost = await server.api<CostView>(`/cost?session=${session}`);
  expect(cost.session?.usage.inputTokens).toBe(300);
  expect(cost.today.unpriced).toEqual(["scripted/scripted"]);

  const rewound = await server.api<RewoundView>(`/sessions/${session}/rewind`, { to: first, what: "both" });
  expect(rewound).toEqual({ text: "make it", files: ["made.txt"], left: [] });
  expect(() => server.read("made.txt")).toThrow();
  const view = await server.ended(session);
  expect(view).toMatchObject({ messages: [], unfinished: false });
});

test("the page stores and removes keys, and never gets them back", async () => {
  const server = await testServer();
  const key = "sk-never-shown-again-0123456789";
  const stored = await server.api<KeyView>("/keys", { provider: "openai", key, check: false });
  expect(stored).toMatchObject({ provider: "openai", source: "stored" });
  for (const path of ["/keys", "/settings", "/settings/providers", "/status", "/sessions"])
    expect(JSON.stringify(await server.api(path))).not.toContain(key);
  await expect(server.api("/keys", { provider: "nobody", key })).rejects.toThrow("Unknown provider");
  const removed = await server.api<KeyView>("/keys/openai", undefined, "DELETE");
  expect(removed.source).toBe("none");
});
