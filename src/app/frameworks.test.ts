import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { withAnthropic } from "../../examples/anthropic-sdk.ts";
import { chatServer } from "../../examples/hono-stream.ts";
import { withLangGraph } from "../../examples/langgraph.ts";
import { withMastra } from "../../examples/mastra.ts";
import { withOpenAi } from "../../examples/openai-sdk.ts";
import type { Ask } from "../approval/approval.ts";
import { type AnthropicServer, anthropicServer } from "../testing/anthropic-server.ts";
import { scriptedModel, type TestWield, testWield } from "../testing/testing.ts";

/** What the model does in each of these: reads the title, writes it down, says how that went. */
const steps = [
  { tool: "read_file", input: { path: "README.md" } },
  { tool: "create_file", input: { path: "title.txt", content: "Title\n", description: "The title" } },
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
    const step = steps[results.length];
    const isValid =
      incoming.url === "/v1/chat/completions" &&
      request.tools?.some(
        (tool) => tool.function.name === "create_file" && tool.function.parameters.type === "object",
      );
    if (!isValid) return response.writeHead(400).end("{}");
    const call = { id: `call_${results.length}`, type: "function" };
    const message = step
      ? {
          content: null,
          tool_calls: [{ ...call, function: { name: step.tool, arguments: JSON.stringify(step.input) } }],
        }
      : { content: String(results.at(-1)?.content).split("\n")[0] };
    const choice = {
      index: 0,
      message: { role: "assistant", ...message },
      finish_reason: step ? "tool_calls" : "stop",
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
    const step = steps[results.length];
    if (!step) return { content: [{ type: "text", text: JSON.stringify(results.at(-1)) }] };
    const { tool: name, input } = step;
    return { content: [{ type: "tool_use", id: `t${results.length}`, name, input }], stop: "tool_use" };
  });
}

describe("other people's SDKs, with approvals", () => {
  let place: TestWield;
  let openai: Awaited<ReturnType<typeof openAiServer>>;
  let anthropic: AnthropicServer;
  let asked: Ask[] = [];
  const setEnvironment = (env: Record<string, string | undefined>) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  };
  const approving = (approved: boolean) => (ask: Ask) => {
    asked.push(ask);
    return { approved };
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
    expect(asked.map(({ tool }) => tool)).toEqual(["create_file"]);
    expect(place.read("title.txt")).toBe("Title\n");
  };
  const refused = (answer: string) => {
    expect(answer).toContain("APPROVAL_DENIED");
    expect(() => place.read("title.txt")).toThrow(/ENOENT/);
  };

  test("OpenAI SDK", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: openai.url });
    refused(await withOpenAi(place.root, client, "m", approving(false)));
    asked = [];
    await withOpenAi(place.root, client, "m", approving(true));
    created();
  });

  test("Anthropic SDK", async () => {
    const client = new Anthropic({ apiKey: "k", baseURL: anthropic.url.replace(/\/v1$/, "") });
    const answer = await withAnthropic(place.root, client, "m", approving(false));
    refused(answer);
    expect(answer).toContain('"is_error":true');
    asked = [];
    await withAnthropic(place.root, client, "m", approving(true));
    created();
  });

  test("LangGraph", async () => {
    const llm = new ChatOpenAI({ model: "m", apiKey: "k", configuration: { baseURL: openai.url } });
    refused(await withLangGraph(place.root, llm, approving(false)));
    asked = [];
    await withLangGraph(place.root, llm, approving(true));
    created();
  });

  test("Mastra", async () => {
    const model = "anthropic/claude-sonnet-5-5";
    setEnvironment({
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: anthropic.url,
      MASTRA_TELEMETRY_DISABLED: "1",
    });
    refused(await withMastra(place.root, model, approving(false)));
    asked = [];
    await withMastra(place.root, model, approving(true));
    created();
  });

  test("streamText behind a route of Hono", async () => {
    const model = scriptedModel([...steps.map((step) => ({ calls: [step] })), { say: "It is written." }]);
    const { app, close } = await chatServer(place.root, model, approving(true));
    const messages = [
      { id: "1", role: "user", parts: [{ type: "text", text: "Put the title into title.txt." }] },
    ];
    const response = await app.request("/api/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ messages }),
    });
    const stream = await response.text();
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(stream).toContain('"toolName":"create_file"');
    expect(stream).toContain("It is written.");
    created();
    await close();
  });
});
