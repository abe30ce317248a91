import { expect, test } from "vitest";
import { scriptedModel } from "../testing/scripted-model.ts";
import { suggestWith } from "./suggest.ts";

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
  const suggest = suggestWith(async () => ({ model, name: "scripted" }));
  expect(await suggest(document, new AbortController().signal)).toEqual(suggestions);
  expect(JSON.stringify(model.requests[0]?.prompt)).toContain("teh end");
});

test("an answer that is none, and the offline model, are told plainly", async () => {
  const signal = new AbortController().signal;
  const babbling = suggestWith(async () => ({
    model: scriptedModel([{ say: "no idea" }]),
    name: "scripted",
  }));
  await expect(babbling(document, signal)).rejects.toMatchObject({ code: "EXECUTION_ERROR" });
  const offline = suggestWith(async () => ({ model: scriptedModel([]), name: "offline" }));
  await expect(offline(document, signal)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
