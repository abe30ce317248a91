import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AnthropicServer,
  anthropicServer,
  scriptedModel,
  type TestWield,
  testWield,
} from "../testing/testing.ts";
import type { Elicitation, ElicitationAnswer } from "./elicitation.ts";

const curious = join(import.meta.dirname, "fixtures/curious-server.mjs");

describe("what a server asks in the middle of a call", () => {
  let model: AnthropicServer;
  let place: TestWield;
  const asked: Elicitation[] = [];
  let answer: ElicitationAnswer = { action: "accept", content: {} };
  beforeAll(async () => {
    model = await anthropicServer(() => ({ content: [{ type: "text", text: "forty-two" }] }));
    place = await testWield({}, {});
    await place.wield.close();
  });
  afterAll(async () => {
    await place.close();
    await model.close();
  });
  const open = () =>
    place.reopen({
      env: { ...place.env, ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: model.url },
      settings: {
        model: "anthropic",
        mcp: { curious: { command: process.execPath, args: [curious], roots: true } },
      },
      elicit: async (question) => {
        asked.push(question);
        return answer;
      },
    });

  test("the workspace is its root", async () => {
    const wield = await open();
    expect((await wield.callAny("curious__roots", {})).text).toContain(`file://${place.root}`);
  });

  test("an answer of the model: only after the person has seen the request and agreed", async () => {
    const wield = await open();
    answer = { action: "decline" };
    expect((await wield.callAny("curious__sample", { on: "What is six times seven?" })).text).toContain(
      "refused",
    );
    expect(asked.at(-1)).toMatchObject({
      server: "curious",
      message: expect.stringContaining("six times seven"),
    });
    expect(model.requests).toHaveLength(0);
    answer = { action: "accept", content: {} };
    const { text } = await wield.callAny("curious__sample", { on: "What is six times seven?" });
    expect(text).toContain("forty-two");
    expect(JSON.stringify(model.requests[0])).toContain("six times seven");
    expect(JSON.stringify(model.requests[0])).toContain('"max_tokens":50');
  });

  test("in a conversation its own model answers, whatever the settings name", async () => {
    const wield = await open();
    answer = { action: "accept", content: {} };
    const before = model.requests.length;
    const sample = { calls: [{ tool: "curious__sample", input: { on: "What is six times nine?" } }] };
    const own = scriptedModel([sample, { say: "fifty-four" }, { say: "Done." }]);
    const agent = await wield.agent({ model: own });
    await agent.send("Go");
    expect(JSON.stringify(own.requests[1]?.prompt)).toContain("six times nine");
    expect(JSON.stringify(own.requests[2]?.prompt)).toContain("fifty-four");
    expect(model.requests).toHaveLength(before);
  });

  test("an address that the person shall open is shown, never opened, and only on the web", async () => {
    const wield = await open();
    answer = { action: "accept", content: {} };
    expect((await wield.callAny("curious__address", { on: "https://pay.example/1" })).text).toContain(
      "accept",
    );
    expect(asked.at(-1)?.message).toContain("https://pay.example/1");
    const before = asked.length;
    expect((await wield.callAny("curious__address", { on: "file:///etc/passwd" })).text).toContain("decline");
    expect(asked).toHaveLength(before);
  });

  test("nobody is there: the server is told so, and asks in vain", async () => {
    const wield = await place.reopen({
      settings: { mcp: { curious: { command: process.execPath, args: [curious] } } },
    });
    expect((await wield.callAny("curious__sample", { on: "x" })).text).toContain("refused");
  });

  test("prompts and resources: what they bring counts as content of others", async () => {
    const wield = await open();
    const [offer] = await wield.mcp.offers();
    expect(offer).toMatchObject({
      server: "curious",
      prompts: [{ name: "essay", arguments: [{ name: "topic", required: true }, { name: "tone" }] }],
      resources: [{ uri: "curious://facts", name: "Facts" }],
    });
    const into = { session: "c_test", signal: new AbortController().signal };
    expect(await wield.mcp.prompt("curious", "essay", { topic: "rain" }, into)).toBe(
      "The person chose the prompt essay of the MCP server curious:\n\nAn essay on rain, plain.",
    );
    expect(await wield.mcp.resource("curious", "curious://facts", into)).toMatch(
      /^<untrusted \w+> from curious:\/\/facts of MCP server curious.*\nWater is wet/,
    );
    await expect(wield.mcp.prompt("nobody", "essay", {}, into)).rejects.toThrow(/no MCP server "nobody"/);
  });
});
