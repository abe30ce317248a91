import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  anthropicServer,
  type ScriptedReply,
  scriptedModel,
  type TestWield,
  testWield,
} from "../testing/testing.ts";
import { suggestWith } from "./suggest.ts";
import type { Wield } from "./wield.ts";

const document = {
  ...{
    id: "d_1",
    title: "Notes",
    kind: "text" as const,
    content: "teh end",
    version: 1,
    updated: "",
    description: "",
  },
};

test("a model's proposals come back; the document goes to it as data", async () => {
  const suggestions = [{ original: "teh", suggested: "the", reason: "spelling" }];
  const model = scriptedModel([{ say: JSON.stringify({ suggestions }) }]);
  const suggest = suggestWith({ model });
  expect(await suggest(document, new AbortController().signal)).toEqual(suggestions);
  expect(JSON.stringify(model.requests[0]?.prompt)).toContain("teh end");
});

test("an answer that is none is told plainly", async () => {
  const signal = new AbortController().signal;
  const babbling = suggestWith({ model: scriptedModel([{ say: "no idea" }]) });
  await expect(babbling(document, signal)).rejects.toMatchObject({ code: "EXECUTION_ERROR" });
});

describe("a document goes to the model of its conversation alone", () => {
  const review = (id: string): ScriptedReply => ({ calls: [{ tool: "requestSuggestions", input: { id } }] });
  const answer: ScriptedReply = {
    say: JSON.stringify({ suggestions: [{ original: "teh", suggested: "the", reason: "spelling" }] }),
  };
  let place: TestWield;
  let other: Awaited<ReturnType<typeof anthropicServer>>;
  let id = "";
  beforeEach(async () => {
    other = await anthropicServer(() => ({
      content: [{ type: "text", text: "I should not have been asked." }],
    }));
    place = await testWield();
    const { result } = await place.wield.callAny("createDocument", {
      ...{ title: "Notes", kind: "text", content: "teh end" },
    });
    id = (result as unknown as { value: { id: string } }).value.id;
  });
  afterEach(async () => {
    await place.close();
    await other.close();
  });
  const withKey = () => ({
    env: { ...place.env, ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: other.url },
  });
  const codeOf = async (wield: Wield) => {
    const { result } = await wield.callAny("requestSuggestions", { id });
    return result.ok ? null : result.error;
  };

  test("whatever keys there are, also where an agent is delegated to", async () => {
    const task = { calls: [{ tool: "task", input: { profile: "assistant", instructions: "Review it." } }] };
    const model = scriptedModel([task, review(id), answer, { say: "Done." }, { say: "Done." }]);
    const wield = await place.reopen(withKey());
    const agent = await wield.agent({ model, profile: "assistant" });
    expect(await agent.send("Go")).toMatchObject({ stop: "done" });
    expect(await wield.store.documents(wield.project).suggestions(id)).toMatchObject([{ suggested: "the" }]);
    expect(other.requests).toEqual([]);
  });

  test("outside of a conversation only a model that a person named, never one for which there is a key", async () => {
    expect(await codeOf(await place.reopen(withKey()))).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("no model is named"),
    });
    expect(await codeOf(await place.reopen({ ...withKey(), settings: { model: "offline" } }))).toMatchObject({
      code: "UNAVAILABLE",
    });
    expect(other.requests).toEqual([]);
    await codeOf(await place.reopen({ ...withKey(), settings: { model: "anthropic" } }));
    expect(other.requests.length).toBeGreaterThan(0);
  });
});
