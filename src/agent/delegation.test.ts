import { afterEach, expect, test } from "vitest";
import type { Elicit } from "../mcp/elicitation.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";

let place: TestWield | undefined;
afterEach(() => place?.close());

const lines = Array.from({ length: 400 }, (_, index) => `line ${index + 1} of a long file`).join("\n");
const questions = ["Where is a?", "Where is b?", "Where is c?"];

/** A parent that asks three explorers at once; each reads a long file and reports in a sentence. */
function planner(open: () => Promise<void> = async () => undefined) {
  return scriptedModel(async ({ prompt }) => {
    const text = JSON.stringify(prompt);
    const isExplorer = text.includes("you change nothing");
    const results = prompt.filter(({ role }) => role === "tool").length;
    if (!isExplorer)
      return results === 0
        ? {
            calls: questions.map((question) => ({
              tool: "explore",
              input: { question, thoroughness: "quick" },
            })),
          }
        : { say: "Planned." };
    if (results > 0) return { say: "It is in a.txt:1." };
    await open();
    return { calls: [{ tool: "read_file", input: { path: "a.txt" } }] };
  });
}

test("three explorers work at the same time, and only their reports come back", async () => {
  place = await testWield({ "a.txt": lines });
  let inside = 0;
  const all = Promise.withResolvers<void>();
  const model = planner(async () => {
    if (++inside === 3) all.resolve();
    await all.promise;
  });
  const agent = await place.wield.agent({ model });
  const { text, steps } = await agent.send("Plan it.");
  expect([text, steps]).toEqual(["Planned.", 2]);
  const parent = model.requests.filter(
    ({ prompt }) => !JSON.stringify(prompt).includes("you change nothing"),
  );
  const last = JSON.stringify(parent.at(-1)?.prompt);
  expect(last.match(/It is in a\.txt:1/g)).toHaveLength(3);
  expect(last).not.toContain("line 7 of a long file");
});

test("what explorers use counts towards the limits of the parent", async () => {
  place = await testWield({ "a.txt": lines });
  const agent = await place.wield.agent({ model: planner(), limits: { tokens: 300 } });
  expect(await agent.send("Plan it.")).toMatchObject({ stop: "tokens", steps: 2 });
});

test("a task has no tool that its parent has not, and delegates nothing itself", async () => {
  place = await testWield({ "a.txt": "a" });
  const create = { tool: "create_file", input: { path: "x", content: "", description: "d" } };
  const model = scriptedModel(({ prompt }, index) => {
    if (index === 0)
      return { calls: [{ tool: "task", input: { profile: "explore", instructions: "Write x." } }] };
    if (index === 1)
      return { calls: [create, { tool: "task", input: { profile: "explore", instructions: "y" } }] };
    return {
      say:
        JSON.stringify(prompt.at(-1))
          .match(/UNKNOWN_TOOL/g)
          ?.join() ?? "",
    };
  });
  const agent = await place.wield.agent({ model, profile: "explore" });
  await agent.send("Go");
  expect(JSON.stringify(model.requests[2]?.prompt).match(/UNKNOWN_TOOL/g)?.length).toBeGreaterThanOrEqual(2);
  expect(() => place?.read("x")).toThrow();
});

const asking = () =>
  scriptedModel([
    {
      calls: [
        {
          tool: "ask_person",
          input: { questions: [{ question: "Which one?", options: ["A", "B"] }, { question: "Why?" }] },
        },
      ],
    },
    { say: "Thanks." },
  ]);

test("the agent asks the person, in one form", async () => {
  const asked: Parameters<Elicit>[0][] = [];
  const elicit: Elicit = async (request) => {
    asked.push(request);
    return { action: "accept", content: { answer1: "B", answer2: "It is newer." } };
  };
  place = await testWield({}, { elicit });
  const model = asking();
  await (await place.wield.agent({ model })).send("Go");
  expect(asked).toMatchObject([{ schema: { properties: { answer1: { enum: ["A", "B"] } } } }]);
  const told = JSON.stringify(model.requests[1]?.prompt);
  expect(told).toContain("Which one?\\n→ B");
  expect(told).toContain("It is newer.");
});

test("with nobody there, the answer says so", async () => {
  place = await testWield({});
  const model = asking();
  await (await place.wield.agent({ model })).send("Go");
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain("Nobody is there to answer");
});
