import { afterEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

async function used(): Promise<TestWield> {
  const made = await testWield(
    { "a.txt": "0\n" },
    { approve: ({ tool }) => ({ approved: tool !== "delete_file" }) },
  );
  for (let count = 1; count <= 6; count++) {
    await made.wield.call("write_file", { path: "a.txt", content: `${count}\n` });
    await made.wield.call("delete_file", { path: "a.txt" });
    await made.wield.call("read_file", { path: count > 4 ? "a.txt" : "missing.txt" });
  }
  return made;
}

test("calls, failures by code, times, tokens and answers, with bars", async () => {
  place = await used();
  const { out, code } = await runCli(place, ["stats"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^read_file +6 █{12} +\d.* ms +\d.* ms +\d+ +\d+$/m);
  expect(out).toMatch(/^read_file +4 █{8} +67% +FILE_NOT_FOUND 4$/m);
  expect(out).toMatch(/^write_file +6 █{12} 100% approved +0% edited$/m);
  expect(out).toMatch(/^delete_file +6 +0% approved/m);
});

test("what is always answered alike is proposed as a rule; accepting it ends the asking", async () => {
  place = await used();
  const { out } = await runCli(place, ["stats"]);
  expect(out).toContain(
    'write_file was approved 6 of 6 times, never edited. Make it a rule? {"decision":"allow","tool":"write_file"}',
  );
  expect(out).toContain("delete_file was rejected 6 of 6 times");
  expect((await runCli(place, ["stats", "--accept", "write_file"])).out).toContain("Saved:");
  const next = await place.reopen();
  expect((await next.call("write_file", { path: "a.txt", content: "x" })).result.ok).toBe(true);
  expect((await runCli(place, ["stats", "--accept", "read_file"])).code).toBe(2);
});

test("an edited approval is no reason to stop asking", async () => {
  place = await testWield(
    { "a.txt": "0\n" },
    { approve: ({ args }) => ({ approved: true, modifiedArgs: args }) },
  );
  for (let count = 1; count <= 6; count++) {
    await place.wield.call("write_file", { path: "a.txt", content: `${count}\n` });
  }
  const [tool] = JSON.parse((await runCli(place, ["stats", "--json"])).out);
  expect(tool).toMatchObject({ tool: "write_file", asked: 6, approved: 6, edited: 6, proposal: null });
});
