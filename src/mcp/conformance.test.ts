import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { conformanceMcp, conformanceTools } from "./conformance.suite.ts";
import { type McpHttp, serveMcpHttp } from "./http.ts";
import { listen } from "./node-http.suite.ts";
import { taskServer } from "./task-server.suite.ts";

const suite = join(import.meta.dirname, "../../node_modules/.bin/conformance");

let place: TestWield;
let served: McpHttp;
let endpoint: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  place = await testWield({}, { customTools: conformanceTools(() => place.wield.tools.registry) });
  served = serveMcpHttp(conformanceMcp(place.wield));
  endpoint = await listen(served.fetch);
});
afterAll(async () => {
  await served.close();
  await endpoint.close();
  await place.close();
});

async function runSuite(args: string[]): Promise<{ code: number; stdout: string }> {
  const options = { cwd: place.root, maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)(process.execPath, [suite, ...args], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  );
}

test.each([
  { revision: "2026-07-28", proof: "server-stateless", scored: 37 },
  { revision: "2025-11-25", proof: "server-session-lifecycle", scored: 26 },
])("conforms to $revision", async ({ revision, proof, scored }) => {
  const baseline = join(import.meta.dirname, `fixtures/conformance-${revision}.yml`);
  const args = ["server", "--url", endpoint.url, "--requirements", revision, "--expected-failures", baseline];
  const { code, stdout } = await runSuite(args);
  const summary = stdout.slice(stdout.indexOf("=== SUMMARY ==="));
  expect(code, summary).toBe(0);
  expect(summary).toContain(`✓ ${proof}:`);
  expect(summary.match(/^✓ .*: [1-9]\d* passed, 0 failed$/gm)?.length).toBeGreaterThanOrEqual(scored);
});

// The suite tests servers with tasks, and no clients of them: it shows that the client is tested with a server that conforms.
test("the server with tasks that the client is tested with conforms", async () => {
  const server = serveMcpHttp(taskServer());
  const { url, close } = await listen(server.fetch);
  const scenarios = [
    ...["lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input"],
    ...["request-headers", "dispatch-and-envelope", "required-task-error", "mrtr-composition"],
  ];
  const passed = scenarios.map(async (name) => {
    const { code, stdout } = await runSuite(["server", "--url", url, "--scenario", `tasks-${name}`]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^Passed: (\d+)\/\1, 0 failed, 0 warnings$/m);
  });
  await Promise.all(passed);
  await close();
  await server.close();
});
