import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { generateText, jsonSchema, streamText } from "ai";
import { afterEach, describe, expect, test } from "vitest";
import { chooseModel } from "./model.ts";

/** Nobody answers there: without it, an Ollama on this machine would be found. */
const nobody = { OLLAMA_HOST: "127.0.0.1:1" };

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

/** A server that answers by path; returns its address and what it was sent. */
async function serve(answers: Record<string, (body: string) => string>) {
  const requests: { url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const server = createServer((incoming, response) => {
    void incoming.toArray().then((chunks) => {
      const body = Buffer.concat(chunks).toString();
      const url = incoming.url ?? "";
      requests.push({ url, headers: incoming.headers, body });
      const answer = answers[url];
      const type = body.includes('"stream":true') ? "text/event-stream" : "application/json";
      response.writeHead(answer ? 200 : 404, { "content-type": type }).end(answer?.(body) ?? "{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  close = async () => {
    server.close();
    await once(server, "close");
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const completion = (text: string) =>
  JSON.stringify({
    id: "x",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });

describe("the model is found by what is there", () => {
  test.each([
    [{ ANTHROPIC_API_KEY: "k" }, /^anthropic\/claude-/, "anthropic"],
    [{ OPENAI_API_KEY: "k" }, /^openai\/gpt-/, "openai"],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: "k" }, /^google\/gemini-/, "google"],
    [{ GEMINI_API_KEY: "k" }, /^google\/gemini-/, "google"],
    [{ OPENROUTER_API_KEY: "k" }, /^openrouter\//, "openrouter"],
    [{ ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "k" }, /^openai\//, "openai"],
  ])("%o", async (env, name, provider) => {
    const chosen = await chooseModel(undefined, { ...nobody, ...env });
    expect(chosen.name).toMatch(name);
    expect(chosen.model.provider).toContain(provider);
    expect(chosen.offline).toBe(false);
  });

  test("without a key, a running Ollama with its first model", async () => {
    const { host, requests } = await serve({
      "/api/tags": () => JSON.stringify({ models: [{ name: "qwen3:8b" }, { name: "other" }] }),
      "/v1/chat/completions": () => completion("hello from here"),
    });
    const { model, name } = await chooseModel(undefined, { OLLAMA_HOST: host });
    expect(name).toBe("ollama/qwen3:8b");
    expect((await generateText({ model, prompt: "hi" })).text).toBe("hello from here");
    expect(JSON.parse(requests.at(-1)?.body ?? "{}")).toMatchObject({ model: "qwen3:8b" });
  });

  test("with nothing at all, the offline model", async () => {
    expect(await chooseModel(undefined, nobody)).toMatchObject({ name: "offline", offline: true });
  });
});

describe("the model that a setting names", () => {
  test("an OpenAI-compatible server, with its key and a tool call", async () => {
    const { host, requests } = await serve({ "/v1/chat/completions": () => completion("ok") });
    const { model } = await chooseModel(`http://${host}/v1#local-model`, { WIELD_API_KEY: "secret" });
    const tools = {
      look: { description: "Looks.", inputSchema: jsonSchema({ type: "object", properties: {} }) },
    };
    expect((await generateText({ model, prompt: "hi", tools })).usage).toMatchObject({
      inputTokens: 3,
      outputTokens: 2,
    });
    expect(requests[0]?.headers.authorization).toBe("Bearer secret");
    expect(JSON.parse(requests[0]?.body ?? "{}")).toMatchObject({
      model: "local-model",
      tools: [{ type: "function", function: { name: "look" } }],
    });
  });

  test.each([
    ["anthropic", /needs a key for Anthropic/],
    ["openai/gpt-5.6", /needs a key for OpenAI/],
    ["ollama", /Ollama is not running/],
    ["nowhere/model", /Unknown model provider "nowhere"/],
    ["http:127.0.0.1:1/v1#m", /Unknown model provider/],
    ["http:/127.0.0.1:1/v1#m", /Unknown model provider/],
    ["http:\\\\127.0.0.1:1/v1#m", /Unknown model provider/],
    ["ollama/../../x", /is not the name of a model/],
    ["ollama/x?y", /is not the name of a model/],
    ["http://127.0.0.1:1/v1", /Write the model's name after the address/],
  ])("%s, when it cannot be had, is told with the choices", async (setting, message) => {
    const refused = chooseModel(setting, nobody);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/ANTHROPIC_API_KEY[\s\S]*OPENAI_API_KEY[\s\S]*OpenAI-compatible/),
    });
  });
});

test("the offline model streams words and calls, and reports usage", async () => {
  const { model } = await chooseModel("offline", {});
  const tools = { search_files: { description: "Searches.", inputSchema: jsonSchema({ type: "object" }) } };
  const result = streamText({ model, prompt: "Find all TODO comments", tools });
  const types: string[] = [];
  for await (const part of result.stream) types.push(part.type);
  expect(types.filter((type) => type === "text-delta").length).toBeGreaterThan(2);
  expect(types).toContain("tool-input-delta");
  expect((await result.toolCalls)[0]).toMatchObject({ toolName: "search_files", input: { pattern: "TODO" } });
  expect((await result.usage).inputTokens).toBeGreaterThan(10);
});
