import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";

let place: TestWield;
beforeEach(async () => {
  place = await testWield({ "a.txt": "one\n" });
});
afterEach(() => place.close());

/** `wield mcp` as a process; whatever is given as `preload` runs in it first. */
function start(args: string[], preload = "") {
  const program = join(import.meta.dirname, "wield.ts");
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${preload}`, program, "mcp", ...args],
    {
      cwd: place.root,
      env: place.env,
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const request = async (id: number, method: string, params: Record<string, unknown> = {}) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const line = (await lines.next()).value as string;
      if (line.startsWith("{")) return JSON.parse(line);
    }
  };
  const initialize = () =>
    request(0, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
  return { child, lines, request, initialize };
}

test("serves one toolset, and ends with its client", async () => {
  const { child, request, initialize } = start(["--toolset", "coding"]);
  await initialize();
  const { result } = await request(1, "tools/list");
  const names = result.tools.map(({ name }: { name: string }) => name);
  expect(names).toContain("replace_in_file");
  expect(names).not.toContain("write_file");
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("is asked to end, and ends well", async () => {
  const { child, initialize } = start([]);
  await initialize();
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("nothing but the protocol reaches standard output", async () => {
  const { child, lines, request, initialize } = start([], "setInterval(()=>console.log('noise'),1)");
  let noise = "";
  child.stderr.on("data", (chunk) => {
    noise += chunk;
  });
  await initialize();
  for (let id = 1; id <= 20; id++)
    await request(id, "tools/call", { name: "read_file", arguments: { path: "a.txt" } });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 99, method: "ping" })}\n`);
  expect(JSON.parse((await lines.next()).value as string)).toEqual({ jsonrpc: "2.0", id: 99, result: {} });
  await expect.poll(() => noise).toContain("noise");
  child.kill("SIGKILL");
});

test("a toolset that does not exist is a mistake of the command line", async () => {
  const { code, err } = await runCli(place, ["mcp", "--toolset", "nothing"]);
  expect([code, err]).toEqual([2, expect.stringContaining("workspace")]);
});
