import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, type LanguageModel } from "ai";
import { describe, expect, it } from "vitest";
import { json, startService } from "../fake-internet.suite.ts";
import { serverSearch } from "./server-search.ts";

/** What a provider is told of the tools when `web_search` is its own. */
async function toolsSent(provider: string, modelAt: (baseURL: string) => LanguageModel): Promise<unknown> {
  let sent: { tools?: unknown } = {};
  const service = await startService(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    sent = JSON.parse(body);
    json(response, { error: { message: "that was all" } }, 400);
  });
  const tool = await serverSearch(provider);
  if (!tool) throw new Error(`${provider} has no search`);
  await generateText({
    model: modelAt(service.url),
    prompt: "x",
    tools: { web_search: tool },
    maxRetries: 0,
  }).catch(() => {});
  await service.close();
  return sent.tools;
}

describe("the provider's own search under the name web_search", () => {
  it("Anthropic", async () => {
    const tools = await toolsSent("anthropic", (baseURL) =>
      createAnthropic({ apiKey: "k", baseURL })("claude-sonnet-4-5"),
    );
    expect(tools).toEqual([expect.objectContaining({ type: "web_search_20260318", name: "web_search" })]);
  });

  it("OpenAI", async () => {
    const tools = await toolsSent("openai", (baseURL) => createOpenAI({ apiKey: "k", baseURL })("gpt-5"));
    expect(tools).toEqual([expect.objectContaining({ type: "web_search" })]);
  });

  it("Google", async () => {
    const tools = await toolsSent("google", (baseURL) =>
      createGoogle({ apiKey: "k", baseURL })("gemini-2.5-pro"),
    );
    expect(tools).toEqual([{ googleSearch: {} }]);
  });

  it("others have none", async () => {
    expect(await serverSearch("ollama")).toBeUndefined();
  });
});
