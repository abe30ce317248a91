import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { ChatOpenAI } from "@langchain/openai";
import type { Hono } from "hono";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { withAiSdk } from "../../examples/ai-sdk.ts";
import { withAnthropic } from "../../examples/anthropic-sdk.ts";
import { chatServer } from "../../examples/hono-stream.ts";
import { withLangGraph } from "../../examples/langgraph.ts";
import { withMastra } from "../../examples/mastra.ts";
import { withOpenAi } from "../../examples/openai-sdk.ts";
import type { Ask } from "../approval/approval.ts";
import { type AnthropicServer, anthropicServer } from "../testing/anthropic-server.ts";
import { scriptedModel, type TestWield, testWield } from "../testing/testing.ts";

const create = (path: string) => ({
  tool: "create_file",
  input: { path, content: "Title\n", description: "The title" },
});
/** What the model does in each of these, reply by reply: reads the title, writes it down twice, says how that went. */
const replies = [
  [{ tool: "read_file", input: { path: "README.md" } }],
  [create("title.txt"), create("copy.txt")],
];

interface ChatRequest {
  messages: { role: string; content?: unknown }[];
  tools?: { type: string; function: { name: string; parameters: { type: string } } }[];
}

/** A server on this machine that speaks OpenAI's chat completions; a request without the tools or their results is refused. */
async function openAiServer() {
  const requests: ChatRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    const request = JSON.parse(body) as ChatRequest;
    requests.push(request);
    const results = request.messages.filter(({ role }) => role === "tool");
    const calls = replies[turnsIn(request.messages)];
    const isValid =
      incoming.url === "/v1/chat/completions" &&
      request.tools?.some(
        (tool) => tool.function.name === "create_file" && tool.function.parameters.type === "object",
      );
    if (!isValid) return response.writeHead(400).end("{}");
    const message = calls
      ? {
          content: null,
          tool_calls: calls.map(({ tool, input }, at) => ({
            id: `call_${results.length}_${at}`,
            type: "function",
            function: { name: tool, arguments: JSON.stringify(input) },
          })),
        }
      : { content: String(results.at(-1)?.content).split("\n")[0] };
    const choice = {
      index: 0,
      message: { role: "assistant", ...message },
      finish_reason: calls ? "tool_calls" : "stop",
    };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        id: `chatcmpl-${requests.length}`,
        object: "chat.completion",
        created: 1,
        model: "m",
        choices: [choice],
        usage,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The same with Anthropic's Messages; its last answer repeats what the model was told. */
function anthropicSteps(): Promise<AnthropicServer> {
  return anthropicServer(({ messages }) => {
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    const results = blocks.filter(({ type }) => type === "tool_result");
    const calls = replies[turnsIn(messages)];
    if (!calls) return { content: [{ type: "text", text: JSON.stringify(results.at(-1)) }] };
    const content = calls.map(({ tool: name, input }, at) => ({
      ...{ type: "tool_use" as const, id: `t${results.length}_${at}`, name, input },
    }));
    return { content, stop: "tool_use" };
  });
}

function turnsIn(messages: readonly { role: string }[]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

describe("other people's SDKs, with approvals", () => {
  let place: TestWield;
  let openai: Awaited<ReturnType<typeof openAiServer>>;
  let anthropic: AnthropicServer;
  /** Each dialog, with the questions in it. */
  let asked: (readonly Ask[])[] = [];
  const setEnvironment = (env: Record<string, string | undefined>) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  };
  const confirming = (approved: boolean) => async (ask: Ask) => {
    asked.push([ask]);
    return approved;
  };
  const confirmingAll = (approved: boolean) => async (asks: readonly Ask[]) => {
    asked.push(asks);
    return asks.map(() => approved);
  };
  beforeAll(async () => {
    openai = await openAiServer();
    anthropic = await anthropicSteps();
  });
  afterAll(() => {
    openai.close();
    return anthropic.close();
  });
  beforeEach(async () => {
    asked = [];
    place = await testWield({ "README.md": "# Title\n" });
    setEnvironment(place.env);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await place.close();
  });
  const created = () => {
    for (const { tool, preview } of asked.flat()) {
      expect(tool).toBe("create_file");
      expect(preview?.files[0]?.diff).toContain("+Title");
    }
    expect(asked.flat()).toHaveLength(2);
    expect([place.read("title.txt"), place.read("copy.txt")]).toEqual(["Title\n", "Title\n"]);
  };
  const refused = (answer: string) => {
    expect(answer).toContain("APPROVAL_DENIED");
    expect(() => place.read("title.txt")).toThrow(/ENOENT/);
  };

  test("AI SDK", async () => {
    const model = () =>
      scriptedModel(({ prompt }) => {
        const calls = replies[turnsIn(prompt)];
        return calls ? { calls } : { say: JSON.stringify(prompt.at(-1)?.content) };
      });
    refused(await withAiSdk(place.root, model(), confirming(false)));
    asked = [];
    await withAiSdk(place.root, model(), confirming(true));
    created();
  });

  test("OpenAI SDK: one dialog for the calls of a reply", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: openai.url });
    refused(await withOpenAi(place.root, client, "m", confirmingAll(false)));
    asked = [];
    await withOpenAi(place.root, client, "m", confirmingAll(true));
    created();
    expect(asked).toHaveLength(1);
  });

  test("Anthropic SDK: one dialog for the calls of a message", async () => {
    const client = new Anthropic({ apiKey: "k", baseURL: anthropic.url.replace(/\/v1$/, "") });
    const answer = await withAnthropic(place.root, client, "m", confirmingAll(false));
    refused(answer);
    expect(answer).toContain('"is_error":true');
    asked = [];
    await withAnthropic(place.root, client, "m", confirmingAll(true));
    created();
    expect(asked).toHaveLength(1);
  });

  test("LangGraph", async () => {
    const llm = new ChatOpenAI({ model: "m", apiKey: "k", configuration: { baseURL: openai.url } });
    refused(await withLangGraph(place.root, llm, confirming(false)));
    asked = [];
    await withLangGraph(place.root, llm, confirming(true));
    created();
  });

  test("Mastra", async () => {
    const model = "anthropic/claude-sonnet-5-5";
    setEnvironment({
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: anthropic.url,
      MASTRA_TELEMETRY_DISABLED: "1",
    });
    refused(await withMastra(place.root, model, confirming(false)));
    asked = [];
    await withMastra(place.root, model, confirming(true));
    created();
  });

  describe("streamText behind a route of Hono", () => {
    const chat = async (app: Hono, signal?: AbortSignal) =>
      app.request("/api/chat", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "Go" }] }],
        }),
        ...(signal && { signal }),
      });
    const open = async (app: Hono) => (await (await app.request("/api/approvals")).json()) as Ask[];
    const answer = async (app: Hono, id: string, approved: unknown) =>
      (await app.request(`/api/approvals/${id}`, { method: "POST", body: JSON.stringify({ approved }) }))
        .status;
    const model = () =>
      scriptedModel([...replies.map((calls) => ({ calls })), { say: "That is what became of it." }]);

    test.each([true, false, "true"])(
      "answered with %j on the page while the stream is open",
      async (approved) => {
        const { app, close } = await chatServer(place.root, model());
        const response = await chat(app);
        expect(response.headers.get("content-type")).toContain("text/event-stream");
        const stream = response.text();
        await expect.poll(() => open(app)).toHaveLength(2);
        asked = [await open(app)];
        for (const { id } of asked.flat()) expect(await answer(app, id, approved)).toBe(200);
        expect(await answer(app, asked.flat()[0]?.id ?? "", true)).toBe(404);
        expect(await stream).toMatch(/"tool-input-available".*"toolName":"create_file"/);
        expect(await stream).toContain("That is what became of it.");
        if (approved === true) created();
        else refused(await stream);
        await close();
      },
    );

    test("closing the request withdraws its questions", async () => {
      const { app, close } = await chatServer(place.root, model());
      const abort = new AbortController();
      const stream = (await chat(app, abort.signal)).text().catch(() => "");
      await expect.poll(() => open(app)).toHaveLength(2);
      abort.abort();
      await expect.poll(() => open(app)).toEqual([]);
      await stream;
      expect(() => place.read("title.txt")).toThrow(/ENOENT/);
      await close();
    });
  });
});
