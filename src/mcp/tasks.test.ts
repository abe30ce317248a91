import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type AnthropicServer, anthropicServer, type TestWield, testWield } from "../testing/testing.ts";
import type { Elicit, Elicitation } from "./elicitation.ts";
import { serveMcpHttp } from "./http.ts";
import { freePort, listen } from "./node-http.suite.ts";
import type { ServerEntry } from "./server-config.ts";
import { taskServer } from "./task-server.suite.ts";

const program = (...args: string[]) => ({ command: process.execPath, args });
const overStdio = program(join(import.meta.dirname, "fixtures/task-stdio.ts"));
const legacyOverStdio = program(join(import.meta.dirname, "fixtures/task-stdio.ts"), "2025");

/**
 * A server with tasks on a port. It drops the next `drops` requests, and with `asInExample` it gives each state of a task the
 * type that an example of the specification shows.
 */
async function overHttp() {
  const line = { drops: 0, asInExample: false };
  const served = serveMcpHttp(taskServer());
  const at = await listen(async (request) => {
    if (line.drops-- > 0) throw new Error("dropped");
    const isState = request.headers.get("mcp-method") === "tasks/get";
    const response = await served.fetch(request);
    if (!line.asInExample || !isState) return response;
    const type = response.headers.get("content-type") ?? "";
    const text = (await response.text()).replace('"resultType":"complete"', '"resultType":"task"');
    return new Response(text, { headers: { "content-type": type } });
  });
  const close = async () => {
    await at.close();
    await served.close();
  };
  return { line, url: at.url, close };
}

let http: Awaited<ReturnType<typeof overHttp>>;
beforeAll(async () => {
  http = await overHttp();
});
afterAll(() => http.close());

/** A Wield that uses the server, and what it showed of its calls. */
async function open(entry: ServerEntry, elicit?: Elicit, env = {}) {
  const rules = [{ decision: "allow" as const, tool: "tasks__*" }];
  const place = await testWield();
  const wield = await place.reopen({
    settings: { model: "anthropic", mcp: { tasks: entry }, rules },
    env: { ...place.env, ...env },
    ...(elicit && { elicit }),
  });
  const shown: string[] = [];
  wield.on((event) => {
    if (event.type === "call-progress") shown.push(event.message);
  });
  return { wield, shown, close: place.close };
}

/** The same, for one test. */
async function openHere(...server: Parameters<typeof open>) {
  const opened = await open(...server);
  onTestFinished(opened.close);
  return opened;
}

const seenBy = async (wield: TestWield["wield"]) => (await wield.callAny("tasks__seen", {})).text;

describe.each([
  { protocol: "2026-07-28 over stdio", entry: () => overStdio },
  { protocol: "2026-07-28 over HTTP", entry: () => ({ url: http.url }) },
  { protocol: "2025-11-25 over stdio", entry: () => legacyOverStdio },
])("a call that becomes a task, $protocol", ({ protocol, entry }) => {
  let wield: TestWield["wield"];
  let shown: string[];
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ wield, shown, close } = await open(entry()));
  });
  afterAll(() => close());
  beforeEach(() => {
    shown.length = 0;
  });

  test("ends with the task's result; its status is the progress of the call", async () => {
    const { result, text } = await wield.callAny("tasks__steps", {});
    expect(text).toContain("all steps done");
    expect(result.ok).toBe(true);
    expect(shown).toEqual(expect.arrayContaining(["step 1", "step 2"]));
    if (protocol.startsWith("2025")) expect(shown).toContain("from afar");
  });

  test.each([
    ["failing_job", /The tool of tasks failed :\n<untrusted .*\nthe job failed\n/],
    ["protocol_error_job", /MCP server tasks answered with an error:\n<untrusted .*\n.*out of cheese\n/],
    [
      "quitting",
      /cancelled the task of this call.\n<untrusted .*\nthe queue is full\n.*\nCall the tool again/,
    ],
    [
      "forgetful",
      /does not know the task any more .*\n<untrusted .*\n.*Task not found\n.*\nIt may have done part/,
    ],
    ["swapping", /does not follow the protocol or is not the one .* check what it has done/],
    ["senseless", /does not follow the protocol|Invalid result/],
  ])("%s: it fails, and the text says what to do", async (tool, message) => {
    const { result, text } = await wield.callAny(`tasks__${tool}`, {});
    expect(result).toMatchObject({ ok: false, error: { code: "EXECUTION_ERROR" } });
    expect(text).toMatch(message);
  });

  test("a status of a million characters is shown in part, without its hidden ones", async () => {
    expect((await wield.callAny("tasks__shouting", {})).text).toContain("quiet now");
    const [longest] = shown.sort((a, b) => b.length - a.length);
    expect(longest).toMatch(/^\\u\{1b\}\[8mA+$/);
    expect(longest?.length).toBeLessThan(600);
  });

  test("stopped by its caller, it is cancelled, and the server goes on", async () => {
    const abort = new AbortController();
    const stop = wield.on((event) => {
      if (event.type === "call-progress") abort.abort();
    });
    const { result } = await wield.callAny("tasks__endless", {}, { signal: abort.signal });
    stop();
    expect(result).toMatchObject({ ok: false, error: { code: "ABORTED" } });
    await expect.poll(() => seenBy(wield)).toContain("tasks/cancel endless");
  });

  test("one that never ends is cancelled at our limit, and is not asked about more often for a server that wants it", async () => {
    const tool = wield.tools.registry.get("tasks__endless");
    if (!tool) throw new Error("no such tool");
    wield.tools.registry.register({ ...tool, name: "impatient", timeoutMs: 2_000 });
    const before = (await seenBy(wield)).split("tasks/get endless").length;
    const { result } = await wield.callAny("impatient", {});
    expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
    await expect.poll(() => seenBy(wield)).toMatch(/tasks\/cancel endless\s+<\/untrusted/);
    expect((await seenBy(wield)).split("tasks/get endless").length - before).toBeLessThanOrEqual(10);
  });

  test("a tool without tasks is called as before", async () => {
    expect((await wield.callAny("tasks__greet", { name: "you" })).text).toContain("Hello, you!");
  });
});

describe("what a task asks for", () => {
  let model: AnthropicServer;
  const asked: Elicitation[] = [];
  beforeAll(async () => {
    model = await anthropicServer(() => ({ content: [{ type: "text", text: "forty-two" }] }));
  });
  afterAll(() => model.close());
  beforeEach(() => {
    asked.length = 0;
  });
  const answering =
    (action: "accept" | "decline"): Elicit =>
    async (question) => {
      asked.push(question);
      const fields = Object.keys(question.schema["properties"] as object);
      return { action, content: Object.fromEntries(fields.map((field) => [field, "yes"])) };
    };
  const withModel = () => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: model.url });

  test.each([
    ["confirm_delete", ["Delete it?"], '{"confirm":{"action":"accept","content":{"really":"yes"}}}'],
    ["multi_input", ["First?", "Second?"], '"second":{"action":"accept","content":{"two":"yes"}}'],
    ["test_tool_with_task", ["Your name?"], "done for yes"],
  ])("%s: the person is asked each question once", async (tool, questions, answer) => {
    const { wield, shown } = await openHere({ url: http.url }, answering("accept"));
    expect((await wield.callAny(`tasks__${tool}`, {})).text).toContain(answer);
    expect(asked.map(({ server, message }) => [server, message])).toEqual(
      questions.map((question) => ["tasks", question]),
    );
    expect(shown.includes("waiting for you")).toBe(tool !== "test_tool_with_task");
  });

  test("an answer of the model, only after the person agreed", async () => {
    const { wield } = await openHere({ url: http.url }, answering("accept"), withModel());
    expect((await wield.callAny("tasks__ask_model", {})).text).toContain("forty-two");
    expect(asked).toMatchObject([{ server: "tasks", message: expect.stringContaining("Six times seven?") }]);
    expect(model.requests).toHaveLength(1);
  });

  test("not given: the call ends and the task is cancelled", async () => {
    const { wield } = await openHere({ url: http.url }, answering("decline"), withModel());
    const { result, text } = await wield.callAny("tasks__ask_model", {});
    expect(result.ok).toBe(false);
    expect(text).toContain(
      "asked for something during the call and did not get it, so the call was stopped: The person did not agree.",
    );
    expect(await seenBy(wield)).toContain("tasks/cancel ask_model");
    expect(model.requests).toHaveLength(1);
  });

  test("nobody is there", async () => {
    const { wield } = await openHere({ url: http.url });
    expect((await wield.callAny("tasks__confirm_delete", {})).text).toContain("Nobody is there to answer");
    expect(await seenBy(wield)).toContain("tasks/cancel confirm_delete");
  });

  test("a server of the 2025 protocol that gives no chance to ask is not waited for", async () => {
    const { wield } = await openHere(legacyOverStdio, answering("accept"));
    expect((await wield.callAny("tasks__ask_model", {})).text).toContain("No result yet.");
    expect(await seenBy(wield)).toContain("tasks/cancel ask_model");
  });

  test("a server that asks without end is stopped", async () => {
    const { wield } = await openHere({ url: http.url }, answering("accept"));
    const { result } = await wield.callAny("tasks__curious", {});
    expect(result).toMatchObject({ ok: false, error: { code: "LIMIT_EXCEEDED" } });
    expect(asked).toHaveLength(18);
    expect(await seenBy(wield)).toContain("tasks/cancel curious");
  });
});

describe("over HTTP", () => {
  test("a line that breaks for a moment does not end the task; one that stays broken does", async () => {
    const { wield } = await openHere({ url: http.url });
    const breaking = (drops: number) =>
      wield.on((event) => {
        if (event.type === "call-progress" && event.message === "step 1") http.line.drops = drops;
      });
    const stop = breaking(2);
    expect((await wield.callAny("tasks__steps", {})).text).toContain("all steps done");
    stop();
    breaking(100);
    expect((await wield.callAny("tasks__steps", {})).result.ok).toBe(false);
    http.line.drops = 0;
  });

  test("a state may have the type that the specification shows", async () => {
    const { wield } = await openHere({ url: http.url });
    http.line.asInExample = true;
    expect((await wield.callAny("tasks__steps", {})).text).toContain("all steps done");
    http.line.asInExample = false;
  });

  test("the task is cancelled even if Wield ends with the call", async () => {
    const { wield, close } = await open({ url: http.url });
    const abort = new AbortController();
    wield.on((event) => {
      if (event.type === "call-progress") abort.abort();
    });
    const before = (await seenBy(wield)).split("tasks/cancel").length;
    await wield.callAny("tasks__endless", {}, { signal: abort.signal });
    await close();
    const { wield: next } = await openHere({ url: http.url });
    await expect.poll(async () => (await seenBy(next)).split("tasks/cancel").length).toBe(before + 1);
  });
});

describe("the official server of the 2025 protocol", () => {
  const entry = join(
    dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")),
    "dist/index.js",
  );
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/mcp`;
    server = spawn(process.execPath, [entry, "streamableHttp"], {
      env: { PATH: process.env["PATH"], PORT: String(port) },
      stdio: "ignore",
    });
    await vi.waitFor(() => fetch(url), { timeout: 60_000 });
  });
  afterAll(() => {
    server.kill("SIGKILL");
  });

  test("its research runs as a task and asks the person, over stdio and over HTTP", async () => {
    const research = async (server: ServerEntry) => {
      const answer = { action: "accept", content: { interpretation: "snake" } } as const;
      const { wield, shown } = await openHere(server, async () => answer);
      const input = { topic: "python", ambiguous: true };
      const { text } = await wield.callAny("tasks__simulate-research-query", input);
      expect(text).toContain("Research Report: python (snake)");
      expect(shown).toContain('Found multiple interpretations for "python". Requesting clarification...');
    };
    await Promise.all([research(program(entry, "stdio")), research({ url })]);
  });
});
