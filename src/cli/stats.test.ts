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
  const rule = {
    decision: "allow",
    tool: "write_file",
    path: "a.txt",
    workspace: place.wield.workspace.root,
  };
  expect(out).toContain(
    `write_file was approved 6 of 6 times in this folder, never edited. Make it a rule? ${JSON.stringify(rule)}`,
  );
  expect(out).toContain("delete_file was rejected 6 of 6 times");
  expect((await runCli(place, ["stats", "--accept", "write_file"])).out).toContain("Saved:");
  const next = await place.reopen();
  expect((await next.call("write_file", { path: "a.txt", content: "x" })).result.ok).toBe(true);
  expect((await runCli(place, ["stats", "--accept", "read_file"])).code).toBe(2);
});

test("only what a person answered is a reason, only for what they saw, and never for what always asks", async () => {
  const approve = () => ({ approved: true });
  const automatic = async (asks: readonly unknown[]) => asks.map(() => ({ approved: true, automatic: true }));
  place = await testWield({ "src/a.txt": "0\n", "src/b.txt": "0\n" });
  const byFlag = await place.reopen({ asker: automatic });
  const byPerson = await place.reopen({ approve });
  for (let count = 1; count <= 6; count++) {
    await byFlag.call("edit_file", { path: "src/a.txt", content: `${count}\n`, description: "d" });
    await byPerson.call("write_file", { path: `src/${count % 2 ? "a" : "b"}.txt`, content: `p${count}\n` });
    place.write("gone.txt", "x");
    await byPerson.call("delete_file", { path: "gone.txt" });
    await byPerson.call("write_file", { path: ".envrc", content: `${count}\n` });
  }
  const proposals = JSON.parse((await runCli(place, ["stats", "--json"])).out);
  const proposed = proposals.filter(({ proposal }: { proposal: unknown }) => proposal !== null);
  // Changes of a protected name are among those of write_file: no rule would cover them.
  expect(proposed).toEqual([]);
  const edits = proposals.find(({ tool }: { tool: string }) => tool === "edit_file");
  expect(edits).toMatchObject({ calls: 6, asked: 0 });
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
