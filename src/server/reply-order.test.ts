import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/scripted-model.ts";
import { testServer } from "./server.suite.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const project = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "price.js": "export const price = () => 1;\n",
  "price.test.js": `import assert from "node:assert";
import { test } from "node:test";
import { price } from "./price.js";
test("the price is two", () => assert.equal(price(), 2));\n`,
};
const edit = {
  tool: "replace_in_file",
  input: { path: "price.js", edits: [{ oldText: "=> 1", newText: "=> 2" }], description: "two" },
};
const read = { tool: "read_file", input: { path: "price.js" } };
const runTests = { tool: "run_tests", input: {} };

/** One reply with these calls, in a chat of the page whose person answers the edit; what the model reads afterwards. */
async function toldAfter(approved: boolean, ...calls: { tool: string; input: object }[]): Promise<string> {
  const model = scriptedModel([{ calls }, { say: "done" }]);
  const server = await testServer(project, { model });
  const { session } = await server.api<{ session: string }>("/sessions", { profile: "code", text: "go" });
  await server.api(`/approvals/${(await server.asked()).id}`, { approved });
  await server.ended(session);
  return JSON.stringify(model.requests[1]?.prompt.at(-1));
}

describe("calls of one reply on the page", { timeout: 60_000 }, () => {
  test("an edit and a read: the text that is read is the new one", async () => {
    const told = await toldAfter(true, edit, read);
    expect(told).toContain("1\\texport const price = () => 2;");
    expect(told).not.toContain("1\\texport const price = () => 1;");
  });

  test.skipIf(!hasBubblewrap)("an edit and the tests: the edited code is what is tested", async () => {
    expect(await toldAfter(true, edit, runTests)).toContain("node:test: 1 passed, 0 failed");
  });

  test("a denied edit: what was to follow it is not run, and says so", async () => {
    const told = await toldAfter(false, edit, read, runTests);
    expect(told.match(/This was not run: it was to follow replace_in_file/g)).toHaveLength(2);
  });
});
