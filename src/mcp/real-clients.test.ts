import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { testTools } from "./fixtures/tools.ts";
import { type McpHttp, serveMcpHttp } from "./http.ts";
import { listen } from "./node-http.suite.ts";
import { createMcp } from "./server.ts";

const node = process.execPath;
const program = (name: string) => join(import.meta.dirname, "../../node_modules/.bin", name);
const wieldMcp = [node, join(import.meta.dirname, "../cli/wield.ts"), "mcp"];
/** Milliseconds for a server to be up, on a machine that is busy with other tests. */
const patience = "120000";
const withTestTools = [node, join(import.meta.dirname, "fixtures/stdio-server.ts")];

let place: TestWield;
let served: McpHttp;
let endpoint: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  const begun = () => place.write("begun", "");
  const customTools = testTools(() => place.wield.tools.registry, begun);
  place = await testWield({}, { tools: "workspace", customTools });
  served = serveMcpHttp(createMcp(place.wield));
  endpoint = await listen(served.fetch);
});
beforeEach(() => {
  place.write("a.txt", "one\n");
  rmSync(join(place.root, "begun"), { force: true });
});
afterAll(async () => {
  await served.close();
  await endpoint.close();
  await place.close();
});

/** Resolves when the call that `act` leaves running was stopped. */
async function stopped(act: () => Promise<void>): Promise<void> {
  const count = async () =>
    (await place.wield.store.calls({ tool: "wait" })).filter((call) => call.errorCode === "ABORTED").length;
  const before = await count();
  await act();
  await vi.waitFor(async () => expect(await count()).toBe(before + 1), 60_000);
}
const untilBegun = () => vi.waitFor(() => expect(existsSync(join(place.root, "begun"))).toBe(true), 60_000);

/** What a command line printed, whether it ended well or not. */
async function run(...command: string[]): Promise<string> {
  const [file = "", ...args] = command;
  const options = { cwd: place.root, env: place.env, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(file, args, options).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

describe.each([
  { transport: "stdio", server: wieldMcp, waiting: withTestTools },
  { transport: "http", server: undefined, waiting: undefined },
])("over $transport", ({ server, waiting }) => {
  describe("MCP Inspector", () => {
    const inspector = (command: string[] | undefined, era: string, method: string, ...args: string[]) => [
      ...[node, program("mcp-inspector"), "--cli", ...(command ?? [endpoint.url])],
      // It hands on little of its environment by itself.
      ...Object.entries(place.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]),
      ...["--connect-timeout", patience, "--format", "json", "-q", "--protocol-era", era],
      ...["--method", method, ...args],
    ];

    test.each(["modern", "legacy"])("%s: lists, calls, is told what needs approval", async (era) => {
      const call = (tool: string, ...args: string[]) =>
        run(...inspector(server, era, "tools/call", "--tool-name", tool, "--tool-arg", ...args));
      const [list, read, write] = await Promise.all([
        run(...inspector(server, era, "tools/list", "--strict")),
        call("read_file", "path=a.txt"),
        call("write_file", "path=a.txt", "content=two"),
      ]);
      expect(JSON.parse(list).result.tools.map(({ name }: { name: string }) => name)).toContain("write_file");
      expect(JSON.parse(read).result.structuredContent.content).toBe("one\n");
      expect(write).toContain("APPROVAL_REQUIRED");
      expect(place.read("a.txt")).toBe("one\n");
    });

    test("killed in the middle of a call, it takes the call with it", async () => {
      const [file = "", ...args] = inspector(waiting, "modern", "tools/call", "--tool-name", "wait");
      await stopped(async () => {
        const client = spawn(file, args, { cwd: place.root, env: place.env, stdio: "ignore" });
        await untilBegun();
        client.kill("SIGKILL");
        await once(client, "exit");
      });
    });
  });

  describe("mcporter", () => {
    const mcporter = (verb: string, command: string[] | undefined, ...args: string[]) => [
      ...[node, program("mcporter"), verb],
      ...(command ? ["--stdio", command.join(" ")] : ["--http-url", endpoint.url, "--allow-http"]),
      ...args,
    ];

    test("lists, calls, is told what needs approval", async () => {
      const call = (...args: string[]) => run(...mcporter("call", server, ...args, "--timeout", patience));
      const [list, read, write] = await Promise.all([
        run(...mcporter("list", server, "--json", "--timeout", patience)),
        call("read_file", "path=a.txt", "--output", "json"),
        call("write_file", "path=a.txt", "content=two", "--output", "raw"),
      ]);
      expect(JSON.parse(list).tools.map(({ name }: { name: string }) => name)).toContain("write_file");
      expect(JSON.parse(read).content).toBe("one\n");
      expect(write).toContain("APPROVAL_REQUIRED");
      expect(place.read("a.txt")).toBe("one\n");
    });

    // Over HTTP it only drops the connection, which the 2025 protocol says is no cancellation.
    test.runIf(waiting)("gives up on a call, and the call is stopped", () =>
      stopped(async () => {
        // On a busy machine the server may not be up yet when it gives up: then it is more patient.
        for (const timeout of ["3000", "10000", "30000"]) {
          await run(...mcporter("call", waiting, "wait", "--timeout", timeout));
          if (existsSync(join(place.root, "begun"))) break;
        }
      }),
    );
  });

  describe("AI SDK", () => {
    const connect = async (command: string[] | undefined) => {
      const [file = "", ...args] = command ?? [];
      const transport = command
        ? new StdioTransport({ command: file, args, cwd: place.root, env: place.env })
        : ({ type: "http", url: endpoint.url } as const);
      const client = await createMCPClient({ transport, capabilities: { elicitation: {} } });
      client.onElicitationRequest(ElicitationRequestSchema, () => ({
        action: "accept",
        content: { decision: "approve", content_1: "mine\n" },
      }));
      return client;
    };
    const options = { toolCallId: "t", messages: [], context: {} };

    test("lists, calls, and approves what the person edited", async () => {
      const client = await connect(server);
      try {
        const { read_file, write_file } = await client.tools();
        expect(await read_file?.execute?.({ path: "a.txt" }, options)).toMatchObject({
          structuredContent: { content: "one\n" },
        });
        await write_file?.execute?.({ path: "a.txt", content: "two\n" }, options);
        expect(place.read("a.txt")).toBe("mine\n");
      } finally {
        await client.close();
      }
    });

    // Over stdio it sends no cancellation, but ends the server when it closes.
    test("aborts a call", async () => {
      const client = await connect(waiting);
      const { wait } = await client.tools();
      const abort = new AbortController();
      await stopped(async () => {
        const call = wait?.execute?.({}, { ...options, abortSignal: abort.signal });
        await Promise.all([expect(call).rejects.toThrow(), untilBegun().then(() => abort.abort())]);
        if (waiting) await client.close();
      });
      await client.close();
    });
  });
});

test("the rule that a refusal names allows the call", async () => {
  const call = [
    node,
    program("mcporter"),
    "call",
    "--stdio",
    wieldMcp.join(" "),
    "write_file",
    "path=a.txt",
    "content=two",
  ];
  const refused = await run(...call, "--output", "raw");
  const rule = JSON.parse(/\{"decision".*?\}/.exec(refused)?.[0] ?? "null");
  const folder = join(place.env["XDG_CONFIG_HOME"] ?? "", "wield");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ rules: [rule] }));
  await run(...call);
  expect(place.read("a.txt")).toBe("two");
});
