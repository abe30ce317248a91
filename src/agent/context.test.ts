import { afterEach, describe, expect, test } from "vitest";
import type { WieldEvent } from "../events/events.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { estimateTokens } from "../text/tokens.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const page = (name: string) =>
  Array.from({ length: 120 }, (_, index) => `${name} line ${index + 1} ${"words ".repeat(8)}`).join("\n");
const read = (path: string, range: object = {}) => ({
  calls: [{ tool: "read_file", input: { path, ...range } }],
});

/** Runs a script whose usage is what the estimate says, and gives back the requests as text. */
async function run(
  files: Record<string, string>,
  script: { say?: string; calls?: { tool: string; input: unknown }[] }[],
  contextTokens = 100_000,
  question = "go",
) {
  place = await testWield(files);
  const events: WieldEvent[] = [];
  place.wield.on((event) => events.push(event));
  let step = 0;
  const model = scriptedModel(({ prompt, tools }) => {
    const input = estimateTokens(JSON.stringify([prompt, tools]));
    if (!tools?.length) return { say: "The model's own summary.", usage: { input, output: 10 } };
    return { ...script[step++], usage: { input, output: 10 } };
  });
  const agent = await place.wield.agent({ model, contextTokens, limits: { steps: 100 } });
  const result = await agent.send(question);
  return {
    model,
    events,
    result,
    agent,
    prompts: model.requests.map(({ prompt }) => JSON.stringify(prompt)),
  };
}

describe("a file that was read and not changed is not sent twice", () => {
  test("the same lines again", async () => {
    const { prompts } = await run({ "a.txt": page("a") }, [read("a.txt"), read("a.txt"), { say: "ok" }]);
    expect(prompts[2]?.match(/a line 60 /g)).toHaveLength(1);
    expect(prompts[2]).toContain("Lines 1–120 of a.txt are unchanged since your call call_1_1");
  });

  test("a part of lines that were shown", async () => {
    const script = [read("a.txt"), read("a.txt", { startLine: 40, numLines: 20 }), { say: "ok" }];
    const { prompts } = await run({ "a.txt": page("a") }, script);
    expect(prompts[2]).toContain("Lines 40–59 of a.txt are unchanged");
  });

  test("lines that were not shown yet are sent", async () => {
    const script = [
      read("a.txt", { startLine: 1, numLines: 50 }),
      read("a.txt", { startLine: 41, numLines: 40 }),
      { say: "ok" },
    ];
    const { prompts } = await run({ "a.txt": page("a") }, script);
    expect(prompts[2]).toContain("a line 80 ");
  });

  test("a changed file is sent again", async () => {
    place = await testWield({ "a.txt": page("a") }, { approve: () => ({ approved: true }) });
    const edit = {
      path: "a.txt",
      edits: [{ oldText: "a line 60 ", newText: "A LINE 60 " }],
      description: "x",
    };
    const model = scriptedModel([
      read("a.txt"),
      { calls: [{ tool: "replace_in_file", input: edit }] },
      read("a.txt"),
      { say: "ok" },
    ]);
    const agent = await place.wield.agent({ model });
    await agent.send("go");
    const last = JSON.stringify(model.requests[3]?.prompt.at(-1));
    expect(last).toContain("A LINE 60 ");
    expect(last).not.toContain("unchanged");
  });

  test("lines whose result was shortened since are sent again", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const files = Object.fromEntries(names.map((name) => [`${name}.txt`, page(name)]));
    const script = [...names.map((name) => read(`${name}.txt`)), read("a.txt"), { say: "ok" }];
    const { prompts, events } = await run(files, script, 12_000);
    expect(events.some(({ type }) => type === "context-shrink")).toBe(true);
    expect(prompts.at(-1)).toContain("a line 60 ");
  });
});

describe("the context budget", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  const files = Object.fromEntries(names.map((name) => [`${name}.txt`, page(name)]));

  test("old results are shortened first, and stay readable by id", async () => {
    const { prompts, events } = await run(
      files,
      [...names.slice(0, 6).map((n) => read(`${n}.txt`)), { say: "ok" }],
      12_000,
    );
    const shrink = events.find((event) => event.type === "context-shrink");
    expect(shrink).toMatchObject({ summarised: false });
    const last = prompts.at(-1) ?? "";
    expect(last).not.toContain("a line 100 ");
    expect(last).toContain("f line 100 ");
    const id = /read_result\(\{\\+"id\\+":\\+"(c_[0-9a-z]+)/.exec(last)?.[1] ?? "";
    const full = await place?.wield.call("read_result", { id });
    expect(full?.text).toContain("a line 100 ");
  });

  test("then old turns give way to a summary that keeps the person's words and the plan", async () => {
    const plan = { tool: "createPlan", input: { title: "Box", steps: ["measure", "cut"] } };
    const small = Array.from({ length: 80 }, (_, index) =>
      read("a.txt", { startLine: index + 1, numLines: 3 }),
    );
    const { prompts, events } = await run(
      files,
      [{ calls: [plan] }, ...small, { say: "ok" }],
      8000,
      "Rewrite it all. Never touch the file secrets.txt!",
    );
    expect(
      events.filter((event) => event.type === "context-shrink" && event.summarised).length,
    ).toBeGreaterThan(1);
    const last = prompts.at(-1) ?? "";
    expect(last).toContain("Never touch the file secrets.txt!");
    expect(last).toContain("The model's own summary.");
    expect(last).toContain("[ ] 2. cut");
    expect(estimateTokens(last)).toBeLessThan(8000);
  });

  test("what the provider reports corrects the estimate", async () => {
    const firstSize = async (reported: number) => {
      place = await testWield(files);
      const sizes: number[] = [];
      place.wield.on((event) => {
        if (event.type === "step-end") sizes.push(event.context);
      });
      const usage = { input: reported, output: 1 };
      const model = scriptedModel([{ ...read("a.txt", { numLines: 5 }), usage }, { say: "ok" }]);
      const agent = await place.wield.agent({ model });
      await agent.send("go");
      await place.close();
      return sizes[0] ?? 0;
    };
    const estimated = await firstSize(0);
    expect(await firstSize(9000)).toBeGreaterThan(1.5 * estimated);
  });
});

test("a resumed session shows the model the same conversation as before", async () => {
  const files = { "a.txt": page("a") };
  const { agent, model } = await run(files, [read("a.txt"), { say: "it says a" }]);
  const again = await place?.wield.agent({ model: scriptedModel([{ say: "b" }]), session: agent.session });
  await again?.send("and now?");
  const later = scriptedModel([{ say: "c" }]);
  const third = await place?.wield.agent({ model: later, session: "latest" });
  await third?.send("once more");
  const seen = later.requests[0]?.prompt ?? [];
  expect(seen.map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  expect(JSON.stringify(seen.slice(1, 4))).toBe(
    JSON.stringify(model.requests[1]?.prompt.slice(1, 4)).replace(
      /,"providerOptions":\{"anthropic[^}]*\}\}\}/,
      "",
    ),
  );
});
