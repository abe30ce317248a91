import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Block, MessagesRequest } from "../testing/anthropic-request.ts";
import {
  type AnthropicServer,
  anthropicServer,
  type WireBlock,
  type WireReply,
} from "../testing/anthropic-server.ts";
import { createGitHub } from "../web/research/github.ts";
import { createToolExecutor } from "../web/research/tool-executor.ts";
import { ResearchClient, type ResearchReader } from "./research-client.ts";

let server: AnthropicServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Log {
  name: "read_research";
  path: string;
  ok: boolean;
}

/** Research kept in memory, told from by the same contract as a repository's. */
const reader: ResearchReader<Log> = {
  readResearch: async ({ path }, { onCall } = {}) => {
    const ok = path === "solar/research.md";
    onCall?.({ name: "read_research", path, ok });
    return ok
      ? { ok, content: "# Solar\nWorth it.", bytes: 17 }
      : { ok, error_type: "file_not_found", message: `File not found: ${path}` };
  },
};

const read = (path: string): WireBlock => ({
  type: "tool_use",
  id: `toolu_${path.length}`,
  name: "read_research",
  input: { path },
});
const report: WireReply = { content: [{ type: "text", text: "# Report" }] };

async function generate(
  replies: WireReply[] | ((request: MessagesRequest, index: number) => WireReply),
  options: { toolExecutor?: ResearchReader<Log>; collectToolStats?: boolean } = {},
) {
  server = await anthropicServer((request, index) =>
    typeof replies === "function" ? replies(request, index) : (replies[index] ?? report),
  );
  const client = new ResearchClient<Log>({
    apiKey: "key-for-tests",
    model: "claude-sonnet-5-5",
    baseURL: server.url,
    ...options,
  });
  return { result: await client.generate("Explore: solar roofs for sheds"), requests: server.requests };
}

const toolNames = (request: MessagesRequest | undefined) => request?.tools?.map(({ name }) => name);
const mayCall = (request: MessagesRequest) =>
  request.tools !== undefined && request.tool_choice?.type !== "none";
const searched: WireBlock[] = [
  { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "solar sheds" } },
  { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
];
const resultsIn = (request: MessagesRequest | undefined) =>
  ((request?.messages.at(-1)?.content ?? []) as Block[]).filter(({ type }) => type === "tool_result");

describe("Anthropic Client", () => {
  test("registers web_search always", async () => {
    const { requests } = await generate([report]);
    expect(requests[0]?.tools).toEqual([
      expect.objectContaining({ type: "web_search_20260318", name: "web_search" }),
    ]);
  });

  test("registers read_research only with executor", async () => {
    const without = await generate([report]);
    expect(toolNames(without.requests[0])).toEqual(["web_search"]);
    await server?.close();
    const { requests } = await generate([report], { toolExecutor: reader });
    expect(toolNames(requests[0])).toEqual(["web_search", "read_research"]);
    expect(requests[0]?.tools?.[1]).toMatchObject({
      input_schema: {
        properties: { path: { type: "string", minLength: 1, maxLength: 200 } },
        required: ["path"],
      },
    });
  });

  test("correct prompts", async () => {
    const { requests } = await generate([report], { toolExecutor: reader });
    const system = JSON.stringify(requests[0]?.system);
    expect(system).toMatch(/web_search for what may have changed .*markets/);
    expect(system).toMatch(/read_research for earlier research/);
    expect(system).toMatch(/Read each file once/);
    expect(system).toMatch(/Put together what you found/);
    expect(system).toMatch(/error_type says why/);
    expect(requests[0]?.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Explore: solar roofs for sheds", cache_control: { type: "ephemeral" } },
        ],
      },
    ]);
    await server?.close();
    const without = await generate([report]);
    expect(JSON.stringify(without.requests[0]?.system)).not.toContain("read_research");
  });

  test("stepCountIs(5)", async () => {
    const { result, requests } = await generate(
      (request, index) => (mayCall(request) ? { content: [read(`file-${index}.md`)] } : report),
      { toolExecutor: reader },
    );
    expect(requests).toHaveLength(5);
    expect(requests.map(mayCall)).toEqual([true, true, true, true, false]);
    expect(JSON.stringify(requests[4]?.messages.at(-1))).toContain("Write your final answer now");
    expect(result).toMatchObject({ content: "# Report", steps: 5 });
  });

  test("a model that only makes calls, to the last step, gave no answer", async () => {
    const calls = generate((_request, index) => ({ content: [read(`file-${index}.md`)] }), {
      toolExecutor: reader,
    });
    await expect(calls).rejects.toThrow(/no answer in 5 steps. The limit of 5 steps is reached/);
    expect(server?.requests).toHaveLength(5);
  });

  test("what was said before the last step failed is no answer", async () => {
    const answers = generate(
      (request, index) =>
        mayCall(request)
          ? { content: [{ type: "text", text: "Let me look." }, read(`file-${index}.md`)] }
          : { status: 400, error: { type: "invalid_request_error", message: "no" } },
      { toolExecutor: reader },
    );
    await expect(answers).rejects.toThrow(/no answer in 5 steps/);
  });

  test.each<[string, WireReply]>([
    ["nothing", { content: [] }],
    ["only white space", { content: [{ type: "text", text: " \n" }] }],
  ])("an empty answer is an error: %s", async (_what, reply) => {
    await expect(generate([reply])).rejects.toThrow("The model gave no answer in one step. Try again.");
  });

  test("an answer that the provider pauses is continued, and is one answer", async () => {
    const { result, requests } = await generate([
      { content: [{ type: "text", text: "# Rep" }, ...searched], stop: "pause_turn" },
      { content: [{ type: "text", text: "ort" }] },
    ]);
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(toolNames(requests[1])).toEqual(["web_search"]);
    expect(result).toMatchObject({ content: "# Report", inputTokens: 400, outputTokens: 40, steps: 2 });
  });

  test("what Claude's search cites is numbered, also across a pause, and listed with titles and addresses", async () => {
    const cited = (text: string, host: string): WireBlock => ({
      type: "text",
      text,
      citations: [
        {
          type: "web_search_result_location",
          url: `https://${host}/a`,
          title: `About ${host}`,
          cited_text: text,
          encrypted_index: "x",
        },
      ],
    });
    const found = ["one.com", "two.com", "unused.com"].map((host) => ({
      type: "web_search_result",
      url: `https://${host}/a`,
      title: `About ${host}`,
      encrypted_content: "x",
      page_age: null,
    }));
    const results: WireBlock = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: found };
    const { result, requests } = await generate([
      {
        content: [searched[0] as WireBlock, results, cited("Two is cheap.", "two.com")],
        stop: "pause_turn",
      },
      { content: [cited(" One is not.", "one.com"), { type: "text", text: "\n\nBoth last." }] },
    ]);
    expect(result.content).toBe(
      "Two is cheap. [1] One is not. [2]\n\nBoth last.\n\n## Sources\n\n1. About two.com. <https://two.com/a>\n2. About one.com. <https://one.com/a>\n",
    );
    expect(result.sources.map(({ url }) => url)).toEqual(["https://two.com/a", "https://one.com/a"]);
    // The provider gets its own blocks back as they were, without our numbers.
    const back = JSON.stringify(requests[1]?.messages.at(-1));
    expect(back).toContain("web_search_result_location");
    expect(back).not.toContain("[2]");
  });

  test("a refused request is an error in plain words", async () => {
    const refused = { status: 401, error: { type: "authentication_error", message: "invalid x-api-key" } };
    await expect(generate([refused])).rejects.toThrow(/rejected the API key \(HTTP 401: invalid x-api-key\)/);
    expect(server?.requests).toHaveLength(1);
  });

  test("an abort rejects with its reason", async () => {
    server = await anthropicServer(() => ({ content: [{ type: "text", text: "half" }], wrong: "hangs" }));
    const client = new ResearchClient<Log>({ apiKey: "k", model: "claude-sonnet-5-5", baseURL: server.url });
    const controller = new AbortController();
    const running = client.generate("Explore", controller.signal);
    await expect.poll(() => server?.requests).toHaveLength(1);
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  test("a call with wrong input is told so, and is not made", async () => {
    const { result, requests } = await generate([{ content: [read("x".repeat(201))] }, report], {
      toolExecutor: reader,
      collectToolStats: true,
    });
    expect(resultsIn(requests[1])).toEqual([
      expect.objectContaining({ is_error: true, content: expect.stringContaining("INVALID_INPUT") }),
    ]);
    expect(result.toolStats).toEqual([]);
  });

  test("at most 16,384 output tokens", async () => {
    const { requests } = await generate([report]);
    expect(requests[0]?.max_tokens).toBe(16_384);
  });

  test("maps totalUsage to tokens", async () => {
    const usage = { input_tokens: 1000, output_tokens: 30 };
    const { result } = await generate(
      [
        { content: [read("solar/research.md")], usage },
        { ...report, usage },
      ],
      {
        toolExecutor: reader,
      },
    );
    expect(result).toMatchObject({ inputTokens: 2000, outputTokens: 60, steps: 2 });
    const each = { inputTokens: 1000, outputTokens: 30 };
    expect(result.usagePerStep).toEqual([each, each]);
  });

  test("returns result.text as content", async () => {
    const { result } = await generate([report]);
    const usage = { inputTokens: 200, outputTokens: 20 };
    expect(result).toEqual({ content: "# Report", sources: [], ...usage, steps: 1, usagePerStep: [usage] });
  });

  test("structured tool payloads", async () => {
    const { requests } = await generate([{ content: [read("solar/research.md"), read("none.md")] }, report], {
      toolExecutor: reader,
    });
    const [found, missing] = resultsIn(requests[1]);
    expect(JSON.parse(String(found?.content))).toEqual({
      ok: true,
      content: "# Solar\nWorth it.",
      bytes: 17,
    });
    expect(JSON.parse(String(missing?.content))).toEqual({
      ok: false,
      error_type: "file_not_found",
      message: "File not found: none.md",
    });
  });

  test("with collectToolStats the log of every call comes back", async () => {
    const { result } = await generate([{ content: [read("solar/research.md"), read("none.md")] }, report], {
      toolExecutor: reader,
      collectToolStats: true,
    });
    expect(result.toolStats).toEqual([
      { name: "read_research", path: "solar/research.md", ok: true },
      { name: "read_research", path: "none.md", ok: false },
    ]);
  });

  test("without collectToolStats there are none", async () => {
    const { result } = await generate([{ content: [read("none.md")] }, report], { toolExecutor: reader });
    expect(result).not.toHaveProperty("toolStats");
  });

  test("with a reader of a GitHub repository, every call is logged and comes back", async () => {
    const github = createServer((request, response) => {
      const known = request.url === "/repos/me/notes/contents/ideas/solar/research.md";
      const content = Buffer.from("# Solar").toString("base64");
      response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
      response.end(
        JSON.stringify(
          known ? { type: "file", encoding: "base64", size: 7, content } : { message: "Not Found" },
        ),
      );
    });
    github.listen(0, "127.0.0.1");
    await once(github, "listening");
    try {
      const apiUrl = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
      const logged: unknown[] = [];
      const toolExecutor = createToolExecutor(
        createGitHub({ repository: "me/notes", apiUrl }),
        (event, log) => logged.push([event, log]),
      );
      server = await anthropicServer((_request, index) =>
        index === 0 ? { content: [read("solar/research.md"), read("none.md"), read("../x")] } : report,
      );
      const options = { apiKey: "key-for-tests", model: "claude-sonnet-5-5", baseURL: server.url };
      const client = new ResearchClient({ ...options, toolExecutor, collectToolStats: true });
      const { toolStats = [] } = await client.generate("Explore");
      expect(toolStats.toSorted((a, b) => b.path.localeCompare(a.path, "en"))).toEqual([
        {
          name: "read_research",
          path: "solar/research.md",
          durationMs: expect.any(Number),
          ok: true,
          bytes: 7,
          errorType: null,
        },
        expect.objectContaining({ path: "none.md", ok: false, errorType: "file_not_found" }),
        expect.objectContaining({ path: "../x", ok: false, errorType: "path_validation" }),
      ]);
      expect(logged).toEqual(toolStats.map((log) => ["tool_call", log]));
      expect(JSON.parse(String(resultsIn(server.requests[1])[0]?.content))).toEqual({
        ok: true,
        content: "# Solar",
        bytes: 7,
      });
    } finally {
      github.close();
    }
  });
});
