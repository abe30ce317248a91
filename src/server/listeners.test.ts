import { expect, test } from "vitest";
import { scriptedModel } from "../testing/testing.ts";
import { testServer } from "./server.suite.ts";

test("300 requests leave no listener behind", async () => {
  const server = await testServer({}, { model: scriptedModel(() => ({ say: "Hello." })) });
  const before = server.wield.listenerCount();
  const { session } = await server.api<{ session: string }>("/sessions", { text: "Begin" });
  await server.ended(session);
  for (let message = 0; message < 50; message++) {
    await server.api(`/sessions/${session}/messages`, { text: `Message ${message}` });
    await server.ended(session);
  }
  await Promise.all(Array.from({ length: 250 }, () => server.api("/status")));
  expect(server.wield.listenerCount()).toBe(before);
});
