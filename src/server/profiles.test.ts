import { expect, test } from "vitest";
import { profileNames } from "../agent/profiles.ts";
import type { StatusView } from "../api/api.ts";
import type { SessionView } from "../api/sessions.ts";
import { scriptedModel } from "../testing/testing.ts";
import { testServer } from "./server.suite.ts";

test("a chat begins with any profile and continues with another, in one conversation", async () => {
  const model = scriptedModel(() => ({ say: "Yes." }));
  const server = await testServer({}, { model });
  expect((await server.api<StatusView>("/status")).profiles.map(({ name }) => name)).toEqual([
    ...profileNames,
  ]);
  const begun = { text: "First", profile: "assistant" };
  const { session } = await server.api<{ session: string }>("/sessions", begun);
  expect((await server.ended(session)).session.agent).toBe("assistant");
  await server.api(`/sessions/${session}/messages`, { text: "Second", profile: "explore" });
  const view: SessionView = await server.ended(session);
  expect(view.session.agent).toBe("explore");
  expect(view.messages.filter(({ role }) => role === "user")).toHaveLength(2);
  const told = model.requests.map(({ tools = [] }) => tools.map(({ name }) => name));
  expect(told[0]).toContain("createDocument");
  expect(told[1]).toContain("grep");
  expect(told[1]).not.toContain("createDocument");
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain("First");
  await expect(server.api("/sessions", { text: "x", profile: "studio" })).rejects.toThrow("400");
});
