import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { conformanceMcp, conformanceTools } from "./conformance.suite.ts";
import { type McpHttp, serveMcpHttp } from "./http.ts";
import { listen } from "./node-http.suite.ts";

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

test.each([
  { revision: "2026-07-28", proof: "server-stateless", scored: 37 },
  { revision: "2025-11-25", proof: "server-session-lifecycle", scored: 26 },
])("conforms to $revision", async ({ revision, proof, scored }) => {
  const baseline = join(import.meta.dirname, `fixtures/conformance-${revision}.yml`);
  const args = ["server", "--url", endpoint.url, "--requirements", revision, "--expected-failures", baseline];
  const { code, stdout } = await promisify(execFile)(process.execPath, [suite, ...args], {
    cwd: place.root,
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  );
  const summary = stdout.slice(stdout.indexOf("=== SUMMARY ==="));
  expect(code, summary).toBe(0);
  expect(summary).toContain(`✓ ${proof}:`);
  expect(summary.match(/^✓ .*: [1-9]\d* passed, 0 failed$/gm)?.length).toBeGreaterThanOrEqual(scored);
});
