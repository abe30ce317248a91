import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { priceOf } from "../model/prices.ts";
import { scriptedModel, type TestWield, testWield } from "../testing/testing.ts";

let opened: TestWield | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const million = { input: 1_000_000, output: 100_000 };

describe("cost", () => {
  test("of run, session, day and model, with what was delegated", async () => {
    const prices = { "scripted/scripted": { input: 2, output: 10 } };
    opened = await testWield({}, { settings: { prices, agent: { costUsdPerDay: 10 } } });
    const { wield } = opened;
    const model = scriptedModel((request) => {
      const words = JSON.stringify(request.prompt);
      if (words.includes("look around")) return { say: "nothing there", usage: million };
      if (words.includes("nothing there")) return { say: "done", usage: million };
      return {
        calls: [{ tool: "task", input: { profile: "explore", instructions: "look around" } }],
        usage: million,
      };
    });
    const agent = await wield.agent({ model });
    const run = await agent.send("delegate it");
    // Three requests, each 2 + 1 dollars; one of them by the run that was delegated to.
    expect(run.costUsd).toBeCloseTo(9);
    const { session, today, days, models, sessions, budget } = await wield.cost.view(agent.session);
    expect(session).toMatchObject({ usage: { inputTokens: 3_000_000, outputTokens: 300_000 }, unpriced: [] });
    for (const line of [session, today, days[0], models[0]]) expect(line?.costUsd).toBeCloseTo(9);
    expect(days).toHaveLength(1);
    expect(models.map((line) => line.model)).toEqual(["scripted/scripted"]);
    expect(sessions).toMatchObject([{ session: agent.session, title: "delegate it" }]);
    expect(budget).toMatchObject({ usd: 10, state: "near" });
  });

  test("a model without a price is named, not counted as free", async () => {
    opened = await testWield();
    const agent = await opened.wield.agent({ model: scriptedModel([{ say: "hello" }]) });
    expect((await agent.send("hello")).costUsd).toBeUndefined();
    expect((await opened.wield.cost.view()).today).toMatchObject({
      costUsd: 0,
      unpriced: ["scripted/scripted"],
    });
  });

  test("known models have a price, by any of their names", () => {
    expect(priceOf("anthropic/claude-haiku-4-5-20251001")).toEqual(priceOf("anthropic/claude-haiku-4-5"));
    expect(priceOf("openrouter/anthropic/claude-haiku-4.5")).toEqual(priceOf("anthropic/claude-haiku-4-5"));
    expect(priceOf("openai/gpt-5-2025-08-07")).toEqual(priceOf("openai/gpt-5"));
    expect(priceOf("ollama/qwen3:8b")).toEqual({ input: 0, output: 0 });
    expect(priceOf("anthropic/constructor")).toBeUndefined();
    expect(priceOf("openai/gpt-5", { "openai/gpt-5": { input: 7, output: 8 } })).toMatchObject({ input: 7 });
  });

  test("prices are refreshed on demand only, and used before the shipped ones", async () => {
    let requests = 0;
    const list = {
      sample_spec: { input_cost_per_token: "a text" },
      "claude-haiku-4-5": {
        ...{ litellm_provider: "anthropic", input_cost_per_token: 4e-6, output_cost_per_token: 8e-6 },
        cache_read_input_token_cost: 5e-7,
      },
      "gemini/gemini-next": {
        ...{ litellm_provider: "gemini", input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
      },
    };
    const server = createServer((_, response) => {
      requests++;
      response.end(JSON.stringify(list));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      opened = await testWield();
      const pricesFrom = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json`;
      opened.writeConfig("settings.json", JSON.stringify({ pricesFrom }));
      const wield = await opened.reopen();
      expect(wield.cost.priceOf("google/gemini-next")).toBeUndefined();
      expect(requests).toBe(0);
      expect(await wield.cost.refreshPrices()).toBe(2);
      expect(wield.cost.priceOf("google/gemini-next")).toEqual({ input: 1, output: 2 });
      expect(wield.cost.priceOf("anthropic/claude-haiku-4-5")).toEqual({ input: 4, output: 8, cached: 0.5 });
      expect((await wield.cost.view()).pricesDate).toBe(new Date().toISOString().slice(0, 10));
    } finally {
      server.close();
    }
  });

  test("effort reaches the model, from the call or from the settings", async () => {
    opened = await testWield({}, { settings: { agent: { effort: "high" } } });
    const model = scriptedModel([{ say: "one" }, { say: "two" }]);
    await (await opened.wield.agent({ model })).send("hello");
    await (await opened.wield.agent({ model, effort: "low" })).send("hello");
    expect(model.requests.map((request) => request.reasoning)).toEqual(["high", "low"]);
  });
});
