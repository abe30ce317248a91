import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, testWield } from "../testing/testing.ts";
import { Chats } from "./chats.ts";
import { Feed } from "./feed.ts";

test("a stop that comes as the run ends well holds what waits", async () => {
  const { wield, close } = await testWield({});
  const feed = new Feed();
  const chats = new Chats(wield, feed, async () => []);
  onTestFinished(async () => {
    await chats.close();
    feed.close();
    await close();
  });
  const model = scriptedModel([{ say: "One." }, { say: "Never said." }]);
  const { agent } = wield;
  wield.agent = (options) => agent({ ...options, model });
  const ended = Promise.withResolvers<void>();
  wield.on(({ type }) => {
    if (type !== "run-end") return;
    chats.stop(session);
    ended.resolve();
  });
  const session = await chats.start({ text: "Begin" }, {});
  await chats.queue(session, { text: "later" });
  await ended.promise;
  await expect.poll(() => chats.queued(session)).toMatchObject([{ text: "later", held: true }]);
  expect(model.requests).toHaveLength(1);
});
