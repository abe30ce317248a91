import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

/** A runner for tests that consist of one word which the tested file must hold. */
const runTests = defineTool({
  name: "run_tests",
  title: "Run tests",
  description: "Runs tests.",
  category: "Test",
  input: z.object({ path: z.string() }),
  output: z.object({ passed: z.number(), failed: z.number(), output: z.string() }),
  can: ["run"],
  approval: "auto",
  execute: async ({ path }, { workspace }) => {
    const wanted = (await workspace.read(path)).bytes.toString().trim();
    const held = (await workspace.read(path.replace(".test", ""))).bytes.toString().includes(wanted);
    return { passed: held ? 1 : 0, failed: held ? 0 : 1, output: held ? "ok" : `${path}: wanted ${wanted}` };
  },
  render: ({ output }) => output,
});

const edit = (oldText: string, newText: string) => ({
  calls: [
    {
      tool: "replace_in_file",
      input: { path: "src/sum.js", edits: [{ oldText, newText }], description: "x" },
    },
  ],
});

async function run(testDriven: boolean) {
  const files = {
    "src/sum.js": "old\n",
    "src/sum.test.js": "right\n",
    "src/other.test.js": "never\n",
    "src/other.js": "",
  };
  const options = { tools: "coding" as const, customTools: [runTests as never] };
  place = await testWield(files, { approve: () => ({ approved: true }), ...options });
  const ran: unknown[] = [];
  place.wield.on((event) => {
    if (event.type === "call-start" && event.tool === "run_tests") ran.push(event.input);
  });
  const model = scriptedModel([edit("old", "wrong"), edit("wrong", "right"), { say: "done" }]);
  const agent = await place.wield.agent({ model, testDriven });
  await agent.send("make it right");
  return { ran, prompts: model.requests.map(({ prompt }) => JSON.stringify(prompt)) };
}

test("after each change its own tests run; failures go to the model, success is silent", async () => {
  const { ran, prompts } = await run(true);
  expect(ran).toEqual([{ path: "src/sum.test.js" }, { path: "src/sum.test.js" }]);
  expect(prompts[1]).toContain("Tests fail after this change:\\nsrc/sum.test.js: wanted right");
  expect(prompts[2]?.match(/Tests fail after this change/g)).toHaveLength(1);
});

test("tests that use a changed file by way of others run too; one that cannot be run is told", async () => {
  const failing = { ...runTests, execute: async () => Promise.reject(new Error("no runner")) };
  const files = {
    "src/sum.js": "export const old = 1;\n",
    "src/total.js": 'import { old } from "./sum.js";\nexport const total = old;\n',
    "src/report.js": 'import { total } from "./total.js";\nexport const report = total;\n',
    "test/report.test.js": 'import { report } from "../src/report.js";\n',
    "test/unrelated.test.js": "",
  };
  const options = { tools: "coding" as const, customTools: [failing as never] };
  place = await testWield(files, { approve: () => ({ approved: true }), ...options });
  const ran: unknown[] = [];
  place.wield.on((event) => {
    if (event.type === "call-start" && event.tool === "run_tests") ran.push(event.input);
  });
  const model = scriptedModel([edit("old = 1", "old = 2"), { say: "done" }]);
  await (await place.wield.agent({ model, testDriven: true })).send("change it");
  expect(ran).toEqual([{ path: "test/report.test.js" }]);
  expect(JSON.stringify(model.requests[1]?.prompt)).toMatch(/Tests fail after this change:\\n\w+_ERROR/);
});

test("without the mode nothing is run", async () => {
  expect((await run(false)).ran).toEqual([]);
});
