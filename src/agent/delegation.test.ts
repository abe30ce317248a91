import { afterEach, expect, test } from "vitest";
import type { Asker } from "../approval/approval.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { estimateTokens } from "../text/tokens.ts";
import { delegatedSession } from "./log.ts";
import { profiles } from "./profiles.ts";

let place: TestWield | undefined;
afterEach(() => place?.close());

const lines = Array.from({ length: 400 }, (_, index) => `line ${index + 1} of a long file`).join("\n");
/** By these words a request of an explorer is known. */
const explorerRole = profiles.explore.role.slice(0, 40);
const questions = ["Where is a?", "Where is b?", "Where is c?"];

/** A parent that asks three explorers at once; each reads a long file and reports in a sentence. */
function planner(open: () => Promise<void> = async () => undefined) {
  return scriptedModel(async ({ prompt }) => {
    const text = JSON.stringify(prompt);
    const isExplorer = text.includes(explorerRole);
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
  const parent = model.requests.filter(({ prompt }) => !JSON.stringify(prompt).includes(explorerRole));
  const last = JSON.stringify(parent.at(-1)?.prompt);
  expect(last.match(/It is in a\.txt:1/g)).toHaveLength(3);
  expect(last).not.toContain("line 7 of a long file");
});

test("the context of the parent grows by the reports only", async () => {
  place = await testWield({ "a.txt": lines });
  const model = planner();
  await (await place.wield.agent({ model })).send("Plan it.");
  const [first, second] = model.requests.filter(
    ({ prompt }) => !JSON.stringify(prompt).includes(explorerRole),
  );
  const size = (request: typeof first) => estimateTokens(JSON.stringify(request?.prompt));
  const read = estimateTokens(lines);
  const grown = size(second) - size(first);
  // Three calls with their questions and three reports of a sentence; each explorer read the whole file.
  expect(grown).toBeLessThan(500);
  expect(read * 3).toBeGreaterThan(10 * grown);
});

test("a run that was delegated to is in no list of sessions, and is found by its id", async () => {
  place = await testWield({ "a.txt": lines });
  const agent = await place.wield.agent({ model: planner() });
  await agent.send("Plan it.");
  const { store, sessions } = place.wield;
  expect((await sessions.list()).map(({ id }) => id)).toEqual([agent.session]);
  const calls = await store.calls({ tool: "explore" });
  expect(calls).toHaveLength(3);
  for (const { id } of calls) {
    const entries = await store.entries(delegatedSession(id));
    expect(JSON.stringify(entries)).toMatch(/Where is .\?.*read_file.*It is in a\.txt:1/);
  }
});

test("a run that was delegated to gets what is left of the limits of its parent", async () => {
  place = await testWield({ "a.txt": lines });
  // The first step of the parent takes 110 tokens of 500, so an explorer may take 390: its fourth step of 110 is the last.
  const model = scriptedModel(({ prompt, toolChoice }, index) => {
    const isExplorer = JSON.stringify(prompt).includes(explorerRole);
    if (toolChoice?.type === "none") return { say: isExplorer ? "So far." : "Planned." };
    if (!isExplorer) return { calls: [{ tool: "explore", input: { question: "?", thoroughness: "quick" } }] };
    return { calls: [{ tool: "grep", input: { pattern: `line ${index}` } }] };
  });
  const agent = await place.wield.agent({ model, limits: { tokens: 500 } });
  expect(await agent.send("Plan it.")).toMatchObject({ stop: "tokens" });
  const [explore] = await place.wield.store.calls({ tool: "explore" });
  const entries = await place.wield.store.entries(delegatedSession(explore?.id ?? ""));
  expect(entries.at(-1)?.data).toMatchObject({ kind: "end", stop: "tokens" });
  expect(entries.filter(({ data }) => (data as { kind: string }).kind === "step")).toHaveLength(4);
});

test("runs that are delegated to at once share what is left, and count while they are at work", async () => {
  place = await testWield({ "a.txt": lines });
  const limit = 3300;
  const perStep = 110;
  const spentSoFar: number[] = [];
  const model = scriptedModel(({ prompt, toolChoice }, index) => {
    const isExplorer = JSON.stringify(prompt).includes(explorerRole);
    if (toolChoice?.type === "none") return { say: isExplorer ? "So far." : "Planned." };
    if (!isExplorer)
      return {
        calls: questions.map((question) => ({
          tool: "explore",
          input: { question, thoroughness: "thorough" },
        })),
      };
    spentSoFar.push(agent.spent().usage.inputTokens);
    return { calls: [{ tool: "grep", input: { pattern: `line ${index}` } }] };
  });
  const agent = await place.wield.agent({ model, limits: { tokens: limit } });
  await agent.send("Plan it.");
  expect(spentSoFar.at(-1)).toBeGreaterThan(10 * (spentSoFar[0] ?? 0));
  // Each may have had a step under way when the limit was met, and has its final words, as its parent has.
  const { inputTokens, outputTokens } = agent.spent().usage;
  expect(inputTokens + outputTokens).toBeLessThanOrEqual(limit + 7 * perStep);
  expect(inputTokens + outputTokens).toBeGreaterThan(limit - 4 * perStep);
});

test("what was delegated still counts after a restart", async () => {
  place = await testWield({ "a.txt": lines });
  const agent = await place.wield.agent({ model: planner(), limits: { tokens: 300 } });
  await agent.send("Plan it.");
  const again = await (await place.reopen()).agent({ model: planner(), session: agent.session });
  expect(again.spent().usage).toEqual(agent.spent().usage);
  expect(again.spent().usage.inputTokens).toBeGreaterThan(700);
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

test("a delegated agent has the rules, the asker and the permission mode of its parent", async () => {
  place = await testWield(
    { "a.txt": "old\n", "keep/b.txt": "private\n" },
    { asker: async (asks) => asks.map(() => ({ approved: true })) },
  );
  const calls = [
    { tool: "read_file", input: { path: "keep/b.txt" } },
    { tool: "write_file", input: { path: "a.txt", content: "new\n" } },
  ];
  const results: string[] = [];
  place.wield.on((event) => {
    if (event.type === "call-end") results.push(`${event.record.tool} ${event.record.errorCode ?? "ok"}`);
  });
  const delegating = () =>
    scriptedModel([
      { calls: [{ tool: "task", input: { profile: "code", instructions: "Do it." } }] },
      ...calls.map((call) => ({ calls: [call] })),
      { say: "Done as far as possible." },
      { say: "Done." },
    ]);
  const asked: string[] = [];
  const asker: Asker = async (asks) => {
    asked.push(...asks.map(({ tool }) => tool));
    return asks.map(() => ({ approved: false }));
  };
  const rules = [{ decision: "deny" as const, path: "keep/**" }];
  await (await place.wield.agent({ model: delegating(), rules, asker })).send("Go.");
  expect(results).toEqual(["read_file APPROVAL_DENIED", "write_file APPROVAL_DENIED", "task ok"]);
  expect(asked).toEqual(["write_file"]);
  results.length = 0;
  await (await place.wield.agent({ model: delegating(), permissionMode: "plan" })).send("Go.");
  expect(results).toEqual(["read_file ok", "write_file APPROVAL_DENIED", "task ok"]);
  expect(place.read("a.txt")).toBe("old\n");
});
