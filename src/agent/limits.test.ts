import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { afterEach, describe, expect, test } from "vitest";
import type { WieldEvent } from "../events/events.ts";
import { type ScriptedReply, scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { estimateTokens } from "../text/tokens.ts";
import { limitReached } from "./limits.ts";
import { profileNames } from "./profiles.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

/** Searches for another line of the file at every step, for ever, with the tool that is there. */
const endless = ({ tools = [] }: LanguageModelV4CallOptions, index: number): ScriptedReply => {
  const tool = tools.some(({ name }) => name === "grep") ? "grep" : "search_files";
  return { calls: [{ tool, input: { pattern: `^line ${index + 1}$` } }] };
};
const noCalls = ({ toolChoice }: LanguageModelV4CallOptions) => toolChoice?.type === "none";
const textOf = (request: LanguageModelV4CallOptions | undefined) => JSON.stringify(request?.prompt);
const lines = Array.from({ length: 2000 }, (_, index) => `line ${index + 1}`).join("\n");

async function run(
  script: Parameters<typeof scriptedModel>[0],
  options: Parameters<TestWield["wield"]["agent"]>[0] = {},
  settings: Parameters<typeof testWield>[1] = {},
) {
  place = await testWield({ "lines.txt": lines, "same.txt": "same\n" }, settings);
  const model = scriptedModel(script);
  const agent = await place.wield.agent({ model, ...options });
  return { result: await agent.send("go"), model, agent };
}

describe("every reason to stop", () => {
  test("done", async () => {
    const { result } = await run([{ say: "hello" }]);
    expect(result).toMatchObject({ stop: "done", text: "hello", steps: 1 });
  });

  test("steps: a hundred by default, and nobody to ask", async () => {
    const { result, model } = await run(endless);
    expect(result).toMatchObject({ stop: "steps", steps: 100 });
    expect(model.requests).toHaveLength(100);
  });

  test("steps, by the settings", async () => {
    const { result, model } = await run(endless, {}, { settings: { agent: { steps: 10 } } });
    expect(result).toMatchObject({ stop: "steps", steps: 10, message: "The limit of 10 steps is reached." });
    expect(model.requests).toHaveLength(10);
  });

  test("tokens", async () => {
    const { result } = await run(endless, { limits: { tokens: 400 } });
    expect(result).toMatchObject({ stop: "tokens", steps: 4 });
  });

  test("cost, by the price in the settings", async () => {
    const settings = { prices: { "scripted/scripted": { input: 1000, output: 10_000 } } };
    const script = (request: LanguageModelV4CallOptions, index: number) =>
      noCalls(request) ? { say: "So far." } : endless(request, index);
    const { result } = await run(script, { limits: { costUsd: 0.5 } }, { settings });
    expect(result).toMatchObject({ stop: "cost", steps: 3, costUsd: expect.closeTo(0.6) });
  });

  test("a limit on cost without a price says what is missing", async () => {
    await expect(run(endless, { limits: { costUsd: 1 } })).rejects.toThrow(
      /"prices": \{"scripted\/scripted"/,
    );
  });

  test("time", async () => {
    let now = 0;
    const clock = { now: () => new Date(now), wait: () => new Promise<void>(() => undefined) };
    const { result } = await run(
      (request, index) => {
        now += 4000;
        return endless(request, index);
      },
      { limits: { seconds: 10 }, clock },
    );
    expect(result).toMatchObject({ stop: "time", steps: 3 });
  });

  test("time: what a person takes to answer does not count, and the limit still holds afterwards", async () => {
    let now = 0;
    const waits: { ms: number; signal: AbortSignal }[] = [];
    const clock = {
      now: () => new Date(now),
      wait: (ms: number, signal: AbortSignal) => {
        waits.push({ ms, signal });
        return new Promise<void>(() => undefined);
      },
    };
    let isTicking = false;
    const approve = () => {
      // The person comes back after an hour; that time does not count.
      isTicking ||= waits.some(({ signal }) => !signal.aborted);
      now += 3_600_000;
      return { approved: true };
    };
    const { result } = await run(
      (_request, index) => {
        now += 4000;
        const input = { path: "same.txt", content: `version ${index}\n`, description: "d" };
        return { calls: [{ tool: "edit_file", input }] };
      },
      { limits: { seconds: 10 }, clock },
      { approve },
    );
    expect(result).toMatchObject({ stop: "time", steps: 3 });
    expect(isTicking).toBe(false);
    // The last is for the final words.
    expect(waits.map(({ ms }) => ms)).toEqual([10_000, 6000, 2000, 2500]);
  });

  test("time, in the midst of a step: a model that never answers does not hold the run", async () => {
    const { result, agent } = await run(() => new Promise(() => undefined), { limits: { seconds: 0.02 } });
    expect(result).toMatchObject({ stop: "time", steps: 0 });
    expect(agent.unfinished).toBe(false);
  });

  test("loop: a notice first, then the stop", async () => {
    const { result, model } = await run(() => ({
      calls: [{ tool: "read_file", input: { path: "same.txt" } }],
    }));
    expect(result).toMatchObject({ stop: "loop", steps: 4 });
    expect(JSON.stringify(model.requests[2]?.prompt.at(-1))).toContain("You are in a loop");
  });

  test("aborted", async () => {
    const stop = new AbortController();
    place = await testWield({ "lines.txt": lines });
    const model = scriptedModel((request, index) => {
      if (index === 2) stop.abort();
      return endless(request, index);
    });
    const agent = await place.wield.agent({ model });
    expect(await agent.send("go", stop.signal)).toMatchObject({ stop: "aborted", steps: 2 });
  });

  test("error: what the provider said", async () => {
    const { result } = await run([
      { error: Object.assign(new Error("no credit left"), { isRetryable: false }) },
    ]);
    expect(result).toMatchObject({ stop: "error", message: "no credit left" });
  });
});

test("at a limit the coding agent asks, goes on as often as it may, and stops when told", async () => {
  const asked: string[] = [];
  const { result } = await run(endless, {
    limits: { steps: 10 },
    mayContinue: async (why) => asked.push(why) < 3,
  });
  expect(result.stop).toBe("steps");
  expect(asked).toEqual(
    Array(3).fill(
      expect.stringMatching(
        /^The limit of 10 steps is near\. Used so far: 9 steps, 990 tokens, \d+ seconds\.$/,
      ),
    ),
  );
});

test("at its own hundred steps the coding agent asks nobody and has its final words", async () => {
  const asked: string[] = [];
  const { result, model } = await run(
    (request, index) => (noCalls(request) ? { say: "Half of it is done." } : endless(request, index)),
    { mayContinue: async (why) => asked.push(why) > 0 },
  );
  expect(result).toMatchObject({ stop: "steps", steps: 100, text: "Half of it is done." });
  expect(asked).toEqual([]);
  expect(model.requests.filter(noCalls)).toHaveLength(1);
});

test("at a limit of tokens the person is asked, with what was used", async () => {
  const settings = { prices: { "scripted/scripted": { input: 1000, output: 10_000 } } };
  const asked: string[] = [];
  await run(
    endless,
    { limits: { tokens: 400 }, mayContinue: async (why) => asked.push(why) > 1 },
    { settings },
  );
  expect(asked[0]).toMatch(/^The limit of 400 tokens is near\. Used so far: 3 steps, 330 tokens, \$0\.60, /);
});

test("every profile has its final words, and no call is run after the last step", async () => {
  for (const profile of profileNames) {
    const { result, model } = await run(
      (request, index) => {
        const reply = endless(request, index);
        return noCalls(request) ? { ...reply, say: `The end of ${profile}.` } : reply;
      },
      { profile, limits: { steps: 4 } },
    );
    expect(result).toMatchObject({ stop: "steps", steps: 4, text: `The end of ${profile}.` });
    expect(model.requests.map(noCalls)).toEqual([false, false, false, true]);
    await place?.close();
  }
});

test("the model is told when few steps are left", async () => {
  const { model } = await run(endless, { limits: { steps: 12 } });
  expect(textOf(model.requests[6])).not.toContain("steps are left");
  expect(textOf(model.requests[7])).toContain("5 of 12 steps are left");
  expect(textOf(model.requests[10])).toContain("2 of 12 steps are left, the last one for your answer");
  await place?.close();
  const { model: short } = await run(endless, { limits: { steps: 5 } });
  expect(textOf(short.requests[2])).not.toContain("steps are left");
  expect(textOf(short.requests[3])).toContain("2 of 5 steps are left");
});

test("after its final words it may be let on, and is told so", async () => {
  const { agent, model } = await run(
    (request, index) => (noCalls(request) ? { say: "So far." } : endless(request, index)),
    { limits: { steps: 3 } },
  );
  await agent.resume();
  expect(model.requests[3]?.prompt.at(-1)?.role).toBe("user");
  expect(JSON.stringify(model.requests[3]?.prompt.at(-1))).toContain("You can make calls again");
});

test("what the person writes during a run reaches the model between two steps", async () => {
  const written = ["First this.", "Then that."];
  let from = 0;
  const { result, model } = await run(
    (request, index) => {
      from = index;
      return index < 3 ? endless(request, index) : { say: "Both seen." };
    },
    { nextMessage: () => (from < 1 ? undefined : written.shift()) },
  );
  expect(textOf(model.requests[1])).not.toContain("First this.");
  expect(textOf(model.requests[2])).toMatch(/First this\..*Then that\./);
  expect(model.requests[2]?.prompt.map(({ role }) => role).slice(-3)).toEqual(["tool", "user", "user"]);
  expect(result).toMatchObject({ stop: "done", text: "Both seen." });
});

test("a run that stopped at a limit goes on when it is resumed", async () => {
  const { agent, model } = await run(endless, { limits: { steps: 10 } });
  const again = await agent.resume();
  expect(again).toMatchObject({ stop: "steps", steps: 10 });
  expect(model.requests).toHaveLength(20);
});

test("the explore agent writes its report from what it has, without another call", async () => {
  const { result, model } = await run(
    (request, index) =>
      request.toolChoice?.type === "none" ? { say: "report: lines.txt:1" } : endless(request, index),
    { profile: "explore", mode: "quick" },
  );
  expect(result).toMatchObject({ stop: "steps", steps: 15, text: "report: lines.txt:1" });
  expect(JSON.stringify(model.requests.at(-1)?.prompt.at(-1))).toContain("Write your final answer now");
});

test("the explore agent is given nothing that changes anything, and cannot call it either", async () => {
  const { model } = await run(
    [{ calls: [{ tool: "create_file", input: { path: "x", content: "", description: "" } }] }, { say: "no" }],
    { profile: "explore" },
    { approve: () => ({ approved: true }) },
  );
  expect(model.requests[0]?.tools?.map(({ name }) => name)).not.toContain("create_file");
  expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toMatch(
    /TOOL_DISABLED: create_file is a tool of the profiles code and assistant; this conversation is in the profile explore/,
  );
});

test("each limit is found when one more step would reach it, and not before", () => {
  const usage = { inputTokens: 90, outputTokens: 9, cachedTokens: 0 };
  const price = { input: 1, output: 1 };
  const after = (steps: number, seconds = 0) => ({ steps, usage, seconds });
  expect(limitReached({ tokens: 199 }, after(1), undefined)).toBeUndefined();
  expect(limitReached({ tokens: 198 }, after(1), undefined)).toBe("tokens");
  expect(limitReached({ costUsd: 0.000_199 }, after(1), price)).toBeUndefined();
  expect(limitReached({ costUsd: 0.000_198 }, after(1), price)).toBe("cost");
  expect(limitReached({ seconds: 5 }, after(1, 2), undefined)).toBeUndefined();
  expect(limitReached({ seconds: 4 }, after(1, 2), undefined)).toBe("time");
  expect(limitReached({ steps: 4 }, after(2), undefined)).toBeUndefined();
  expect(limitReached({ steps: 3 }, after(2), undefined)).toBe("steps");
});

test("500 steps: memory stays flat and every request within the context budget", async () => {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  const budget = 12_000;
  const text = Array.from({ length: 4000 }, (_, index) => `line ${index} ${"word ".repeat(12)}`).join("\n");
  place = await testWield({ "long.txt": text });
  const heap: number[] = [];
  let steps = 0;
  let largest = 0;
  let shrunk = 0;
  place.wield.on((event: WieldEvent) => {
    if (event.type === "context-shrink") shrunk++;
  });
  const model = scriptedModel(({ prompt, tools }) => {
    model.requests.length = 0;
    if (tools === undefined || tools.length === 0) return { say: "Summary: lines were read." };
    const input = estimateTokens(JSON.stringify([prompt, tools]));
    largest = Math.max(largest, input);
    if (steps % 50 === 0) {
      collect();
      heap.push(process.memoryUsage().heapUsed);
    }
    const startLine = ((steps * 7) % 3900) + 1;
    steps++;
    const call = { tool: "read_file", input: { path: "long.txt", startLine, numLines: 60 } };
    return steps > 500
      ? { say: "done", usage: { input, output: 5 } }
      : { calls: [call], usage: { input, output: 20 } };
  });
  const agent = await place.wield.agent({ model, limits: { steps: 1000 }, contextTokens: budget });
  const result = await agent.send("read on and on; remember the word xyzzy");
  expect(result).toMatchObject({ stop: "done", steps: 501 });
  expect(shrunk).toBeGreaterThan(5);
  expect(largest).toBeLessThan(budget * 1.1);
  const afterWarmUp = heap.slice(3);
  expect(Math.max(...afterWarmUp) - Math.min(...afterWarmUp)).toBeLessThan(12_000_000);
});

test("the explore agent is told once that the answer is due, unless it is to be thorough", async () => {
  const due = "Answer now";
  const toldIn = (requests: readonly LanguageModelV4CallOptions[]) =>
    requests.map((request) => textOf(request).split(due).length - 1);
  const { model } = await run(endless, { profile: "explore", limits: { steps: 6 } });
  // It has only searched: one step more.
  expect(toldIn(model.requests)).toEqual([0, 0, 0, 1, 1, 1]);
  await place?.close();
  const reading = (_: unknown, index: number) => ({
    calls: [{ tool: "batch_read", input: { reads: [`a.txt:${index + 1}-${index + 2}`] } }],
  });
  const { model: reader } = await run(reading, { profile: "explore", limits: { steps: 5 } });
  expect(toldIn(reader.requests)).toEqual([0, 0, 1, 1, 1]);
  await place?.close();
  const { model: thorough } = await run(
    (request, index) => (index < 4 ? endless(request, index) : { say: "Done." }),
    { profile: "explore", mode: "thorough" },
  );
  expect(thorough.requests).toHaveLength(5);
  expect(textOf(thorough.requests[4])).not.toContain(due);
});
