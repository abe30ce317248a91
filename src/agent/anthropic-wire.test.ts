import { afterEach, describe, expect, test } from "vitest";
import type { WieldEvent } from "../events/events.ts";
import type { Block, MessagesRequest } from "../testing/anthropic-request.ts";
import {
  type AnthropicServer,
  anthropicServer,
  type WireBlock,
  type WireReply,
} from "../testing/anthropic-server.ts";
import { no, scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";

const project = {
  "package.json": '{ "name": "shop", "version": "1.4.0" }\n',
  "src/main.js":
    'import { ToolExecutionService } from "./services/ToolExecutionService.js"; // TODO: close it\n',
  "src/services/ToolExecutionService.js": "// TODO: retry\nexport class ToolExecutionService {}\n",
  "src/services/DatabaseService.js": "export class DatabaseService {}\n",
};

let place: TestWield | undefined;
let server: AnthropicServer | undefined;
afterEach(async () => {
  await place?.close();
  await server?.close();
  place = undefined;
  server = undefined;
});

let calls = 0;
const use = (name: string, input: unknown): WireBlock => ({
  type: "tool_use",
  id: `toolu_${++calls}`,
  name,
  input,
});
const say = (text: string): WireBlock => ({ type: "text", text });

async function runChat(
  replies: (WireReply | ((request: MessagesRequest) => WireReply))[],
  question: string,
  options: Parameters<typeof testWield>[1] = {},
  agentOptions: Parameters<TestWield["wield"]["agent"]>[0] = {},
) {
  server = await anthropicServer((request, index) => {
    const reply = replies[index];
    if (!reply)
      return { status: 400, error: { type: "invalid_request_error", message: "the script is at its end" } };
    return typeof reply === "function" ? reply(request) : reply;
  });
  place = await testWield(project, options);
  const env = { ...place.env, ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
  const wield = await place.reopen({ ...options, env });
  const events: WieldEvent[] = [];
  wield.on((event) => events.push(event));
  const waits: number[] = [];
  const clock = {
    now: () => new Date(),
    wait: async (ms: number) => {
      waits.push(ms);
    },
  };
  const agent = await wield.agent({ clock, ...agentOptions });
  const result = await agent.send(question);
  return { result, events, waits, agent, requests: server.requests, place };
}

function resultsIn(request: MessagesRequest | undefined): Block[] {
  const content = request?.messages.at(-1)?.content;
  return Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [];
}
const textOf = (block: Block | undefined) => JSON.stringify(block?.content);

describe("the five questions over the wire", () => {
  test("basic file reading", async () => {
    const { result, requests } = await runChat(
      [
        { content: [say("I'll read it."), use("read_file", { path: "package.json" })] },
        (request) => ({
          content: [say(/\\"name\\": \\"shop\\"/.test(textOf(resultsIn(request)[0])) ? "It is shop." : "?")],
        }),
      ],
      "Read package.json and tell me the project name",
    );
    expect(result).toMatchObject({ stop: "done", text: "It is shop.", steps: 2 });
    expect(requests).toHaveLength(2);
  });

  test("symbol lookup", async () => {
    const { result, requests } = await runChat(
      [
        { content: [use("find_definition", { symbol: "DatabaseService" })] },
        { content: [use("read_file", { path: "src/services/DatabaseService.js" })] },
        { content: [say("src/services/DatabaseService.js:1")] },
      ],
      "Find where DatabaseService is defined",
    );
    expect(textOf(resultsIn(requests[1])[0])).toContain("src/services/DatabaseService.js");
    expect(result.text).toBe("src/services/DatabaseService.js:1");
  });

  test("file edit with approval", async () => {
    const person = scriptedPerson(yes);
    const content = `// Starts the shop.\n${project["src/main.js"]}`;
    const { result, requests, place } = await runChat(
      [
        { content: [use("read_file", { path: "src/main.js" })] },
        { content: [use("edit_file", { path: "src/main.js", content, description: "explain the file" })] },
        { content: [say("Done.")] },
      ],
      "Add a comment to the top of main.js explaining what it does",
      { asker: person.asker },
    );
    expect(person.asked[0]?.[0]?.preview?.files[0]?.diff).toContain("+// Starts the shop.");
    expect(place.read("src/main.js")).toBe(content);
    expect(resultsIn(requests[2])[0]).not.toHaveProperty("is_error", true);
    expect(result.text).toBe("Done.");
  });

  test("multi-file search", async () => {
    const { requests } = await runChat(
      [{ content: [use("search_files", { pattern: "TODO" })] }, { content: [say("Two.")] }],
      "Find all TODO comments in the project",
    );
    expect(textOf(resultsIn(requests[1])[0])).toMatch(/2 matches in 2 files/);
  });

  test("impact analysis", async () => {
    const { requests, result } = await runChat(
      [
        { content: [use("find_importers", { modulePath: "src/services/ToolExecutionService" })] },
        { content: [say("src/main.js")] },
      ],
      "What files use ToolExecutionService?",
    );
    expect(textOf(resultsIn(requests[1])[0])).toContain("src/main.js");
    expect(result.stop).toBe("done");
  });
});

describe("requests are as the Messages API documents them", () => {
  test("system is a parameter with a cache mark, tools have schemas, the conversation alternates", async () => {
    const { requests } = await runChat(
      [{ content: [say("Looking."), use("read_file", { path: "package.json" })] }, { content: [say("ok")] }],
      "go",
    );
    const [first, second] = requests;
    expect(first?.system).toEqual([
      {
        type: "text",
        text: expect.stringContaining("coding agent"),
        cache_control: { type: "ephemeral" },
      },
    ]);
    expect(first?.stream).toBe(true);
    expect(first?.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "go", cache_control: { type: "ephemeral" } }] },
    ]);
    expect(first?.tools?.find(({ name }) => name === "read_file")).toMatchObject({
      description: expect.stringContaining("Read a file"),
      input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    });
    expect(second?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(second?.messages[1]?.content).toEqual([
      { type: "text", text: "Looking." },
      {
        type: "tool_use",
        id: expect.stringMatching(/^toolu_/),
        name: "read_file",
        input: { path: "package.json" },
      },
    ]);
    expect(second?.messages[2]?.content).toEqual([
      {
        type: "tool_result",
        tool_use_id: expect.stringMatching(/^toolu_/),
        content: expect.stringContaining('"shop"'),
        cache_control: { type: "ephemeral" },
      },
    ]);
    expect(second?.system).toEqual(first?.system);
    expect(second?.tools).toEqual(first?.tools);
  });

  test("failures are tool_result with is_error: a missing file, a rejection, malformed input, an unknown tool", async () => {
    const broken: WireBlock = {
      type: "tool_use",
      id: "toolu_broken",
      name: "read_file",
      input: {},
      json: '{"path": "a',
    };
    const { requests } = await runChat(
      [
        {
          content: [
            use("read_file", { path: "missing.txt" }),
            use("create_file", { path: "x.txt", content: "x", description: "x" }),
            broken,
            use("no_such_tool", {}),
          ],
        },
        { content: [say("I see.")] },
      ],
      "go",
      { asker: scriptedPerson(no).asker },
    );
    const results = resultsIn(requests[1]);
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, true, true]);
    expect(textOf(results[0])).toContain("FILE_NOT_FOUND");
    expect(textOf(results[1])).toContain("User rejected changes");
    expect(textOf(results[2])).toContain("INVALID_INPUT");
    expect(textOf(results[3])).toContain("UNKNOWN_TOOL");
  });

  test("thinking goes back with its signature", async () => {
    const { requests } = await runChat(
      [
        {
          content: [
            { type: "thinking", thinking: "I should look.", signature: "sig==" },
            use("read_file", { path: "package.json" }),
          ],
        },
        { content: [say("ok")] },
      ],
      "go",
    );
    expect(JSON.stringify(requests[1]?.messages[1])).toContain('"signature":"sig=="');
  });

  test("usage is counted step by step, cached tokens apart", async () => {
    const usage = {
      input_tokens: 50,
      cache_read_input_tokens: 400,
      cache_creation_input_tokens: 30,
      output_tokens: 7,
    };
    const { result } = await runChat(
      [
        { content: [use("read_file", { path: "package.json" })], usage },
        { content: [say("ok")], usage },
      ],
      "go",
    );
    expect(result.usage).toEqual({
      inputTokens: 960,
      outputTokens: 14,
      cachedTokens: 800,
      writtenTokens: 60,
    });
  });
});

describe("Anthropic's own web search", () => {
  const searching = { tools: ["web_search", "read_file"] };
  const searched: WireBlock[] = [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "node 24" } },
    {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [
        {
          type: "web_search_result",
          url: "https://nodejs.org/",
          title: "Node",
          encrypted_content: "e30=",
          page_age: null,
        },
      ],
    },
  ];

  test("stands in the place of ours, is run by the provider and goes back as it came", async () => {
    const { result, requests, events } = await runChat(
      [
        { content: [...searched, use("read_file", { path: "package.json" })] },
        { content: [say("Node 24 it is.")] },
      ],
      "go",
      {},
      searching,
    );
    expect(requests[0]?.tools?.find(({ name }) => name === "web_search")).toEqual({
      type: "web_search_20260318",
      name: "web_search",
      max_uses: 5,
    });
    expect(events.flatMap((event) => (event.type === "call-start" ? [event.tool] : []))).toEqual([
      "read_file",
    ]);
    const sent = requests[1]?.messages[1]?.content as Block[];
    expect(sent.map(({ type }) => type)).toEqual(["server_tool_use", "web_search_tool_result", "tool_use"]);
    expect(result).toMatchObject({ stop: "done", text: "Node 24 it is." });
  });

  test("is not left to the provider when a rule wants it asked or denied", async () => {
    const { requests } = await runChat(
      [{ content: [say("ok")] }],
      "go",
      { settings: { rules: [{ decision: "ask", tool: "web_*" }] } },
      searching,
    );
    expect(requests[0]?.tools?.find(({ name }) => name === "web_search")).toMatchObject({
      input_schema: { type: "object" },
    });
  });

  test("a turn that the provider pauses is gone on with", async () => {
    const { result, requests } = await runChat(
      [{ content: searched, stop: "pause_turn" }, { content: [say("found")] }],
      "go",
      {},
      searching,
    );
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(result).toMatchObject({ stop: "done", text: "found", steps: 2 });
  });
});

describe("a provider in trouble", () => {
  const answer: WireReply = { content: [say("at last")] };

  test.each<[string, WireReply]>([
    ["HTTP 529", { status: 529, error: { type: "overloaded_error", message: "Overloaded" } }],
    ["HTTP 429", { status: 429, error: { type: "rate_limit_error", message: "slow down" } }],
    ["an overloaded event in the stream", { content: [], wrong: "overloaded" }],
    [
      "a line that is cut in the midst of a word",
      { content: [say("half a sentence, then")], wrong: "breaks-off" },
    ],
    ["a stream that ends before its end", { content: [say("half a sentence, then")], wrong: "ends-early" }],
    [
      "a cut in the midst of a call",
      {
        content: [use("create_file", { path: "never.txt", content: "x", description: "x" })],
        wrong: "ends-early",
      },
    ],
  ])("%s is tried again", async (_name, trouble) => {
    const { result, events, waits } = await runChat([trouble, trouble, answer], "go", {
      asker: scriptedPerson().asker,
    });
    expect(result).toMatchObject({ stop: "done", text: "at last", steps: 1 });
    expect(waits).toEqual([1000, 2000]);
    expect(events.filter(({ type }) => type === "model-retry")).toHaveLength(2);
  });

  test("the wait that the provider asks for is kept", async () => {
    const headers = { "retry-after": "7" };
    const trouble = { status: 429, error: { type: "rate_limit_error", message: "slow down" }, headers };
    const { waits } = await runChat([trouble, answer], "go");
    expect(waits).toEqual([7000]);
  });

  test("after four tries it is reported, and the session can go on", async () => {
    const trouble: WireReply = { status: 529, error: { type: "overloaded_error", message: "Overloaded" } };
    const { result, agent } = await runChat([trouble, trouble, trouble, trouble, answer], "go");
    expect(result).toMatchObject({
      stop: "error",
      message: "Anthropic is overloaded or not working (HTTP 529: Overloaded). Continue later.",
    });
    expect(await agent.resume()).toMatchObject({ stop: "done", text: "at last" });
  });

  test("a wrong key is reported at once", async () => {
    const refusal = { status: 401, error: { type: "authentication_error", message: "invalid x-api-key" } };
    const { result, requests } = await runChat([refusal], "go");
    expect(result).toMatchObject({
      stop: "error",
      message:
        "Anthropic rejected the API key (HTTP 401: invalid x-api-key). Check ANTHROPIC_API_KEY in the environment, or store a new one with: wield login anthropic",
    });
    expect(requests).toHaveLength(1);
  });
});

test("a model that the provider's package does not know: a sensible output limit, a setting, one warning", async () => {
  const warnings: string[] = [];
  const hear = (warning: Error) => warnings.push(warning.message);
  process.on("warning", hear);
  const script = [{ content: [use("read_file", { path: "package.json" })] }, { content: [say("shop")] }];
  const ask = (settings = {}) =>
    runChat(script, "What is it?", { settings }, { model: "anthropic/our-own-model" });
  const { requests } = await ask();
  expect(requests.map(({ max_tokens }) => max_tokens)).toEqual([16_384, 16_384]);
  await place?.close();
  await server?.close();
  expect((await ask({ agent: { outputTokens: 9000 } })).requests[0]?.max_tokens).toBe(9000);
  await new Promise(setImmediate);
  process.off("warning", hear);
  expect(warnings.filter((text) => text.includes("our-own-model"))).toEqual([
    "The output limit of anthropic/our-own-model is not known; 16384 tokens are asked for. Another number: the setting agent.outputTokens.",
  ]);
});
