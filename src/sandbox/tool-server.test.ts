import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { openSandbox } from "./open-sandbox.ts";
import { policies } from "./policy.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const home = mkdtempSync(join(tmpdir(), "tools-"));
beforeAll(() => void vi.stubEnv("TMPDIR", mkdtempSync(join(home, "tmp-"))));
afterAll(() => {
  vi.unstubAllEnvs();
  removeFolder(home);
});

describe.skipIf(!hasBubblewrap)("wield-tool inside a run", () => {
  const sandbox = openSandbox(() => Promise.reject(new Error("no network here")));
  const calls: [string, unknown][] = [];
  const tools = async (tool: string, input: unknown) => {
    calls.push([tool, input]);
    return tool === "fails" ? { ok: false, text: "FILE_NOT_FOUND: no" } : { ok: true, text: `did ${tool}` };
  };
  const bash = (code: string, withTools = true) =>
    sandbox.run(
      { workspace: home, command: ["/bin/bash", "-c", code], ...(withTools && { tools }) },
      policies.code,
    );

  test("calls with JSON or with key=value, and gets text and exit code", async () => {
    const code = `wield-tool read_file '{"path":"a b","startLine":2}'
wield-tool grep pattern=$'x=\\ny' limit=5 deep=true 'list=["a"]'
wield-tool nothing; wield-tool fails; echo $?`;
    const { stdout, stderr } = await bash(code);
    expect(stdout.text).toBe("did read_file\ndid grep\ndid nothing\n1\n");
    expect(stderr.text).toBe("FILE_NOT_FOUND: no\n");
    expect(calls).toEqual([
      ["read_file", { path: "a b", startLine: 2 }],
      ["grep", { pattern: "x=\ny", limit: 5, deep: true, list: ["a"] }],
      ["nothing", {}],
      ["fails", {}],
    ]);
  });

  test("from Python, many at once, with long input", async () => {
    calls.length = 0;
    const code = `python3 -c '
import subprocess
from concurrent.futures import ThreadPoolExecutor
def call(n): return subprocess.run(["wield-tool", "t%d" % n, "text=" + "x" * 100000], capture_output=True, text=True).stdout
print(len(set(ThreadPoolExecutor(8).map(call, range(20)))))'`;
    expect((await bash(code)).stdout.text).toBe("20\n");
    expect(calls).toHaveLength(20);
    expect(calls[0]?.[1]).toEqual({ text: "x".repeat(100_000) });
  });

  test("bad input is told; the network stays closed; nothing is left", async () => {
    const { stdout, stderr } = await bash(
      "wield-tool; wield-tool x nonsense; (exec 3<>/dev/tcp/127.0.0.1/22) || echo closed",
    );
    expect(stdout.text).toBe("closed\n");
    expect(stderr.text).toMatch(/usage: wield-tool(.|\n)*neither JSON nor a list/);
    expect(readdirSync(tmpdir())).toEqual([]);
  });

  test("without it there is no such command", async () => {
    expect((await bash("wield-tool read_file path=a", false)).exitCode).toBe(127);
  });
});
