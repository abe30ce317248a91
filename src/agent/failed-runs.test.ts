import { afterEach, expect, test } from "vitest";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const bash = (code: string) => ({ tool: "run_code", input: { language: "bash", code } });
const look = { tool: "read_file", input: { path: "a.txt" } };

/** What the model reads after one reply with these calls. */
async function toldAfter(...calls: { tool: string; input: object }[]): Promise<string> {
  place = await testWield({ "a.txt": "one\n" });
  const model = scriptedModel([{ calls }, { say: "done" }]);
  await (await place.wield.agent({ model })).send("go");
  return JSON.stringify(model.requests[1]?.prompt);
}

test("a run that failed before others of the same reply is pointed out", async () => {
  const told = await toldAfter(bash("echo building; exit 2"), bash("echo shipped | tee b.txt"), look);
  expect(told).toContain("shipped");
  expect(told).toContain("Call 1 of your last reply (run_code) failed: exit code 2.");
  expect(told).toContain("run_code came after it");
});

test("nothing is said when the failed run came last, or when what came after it changed nothing", async () => {
  expect(await toldAfter(bash("exit 2"), bash("cat a.txt"), look)).not.toContain("of your last reply");
  await place?.close();
  expect(await toldAfter(bash("exit 0"), bash("exit 2"), look)).not.toContain("of your last reply");
});
