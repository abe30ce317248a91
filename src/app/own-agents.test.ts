import { afterEach, expect, test } from "vitest";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";

let opened: TestWield | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const agents = {
  ".claude/agents/reader.md":
    "---\nname: reader\ndescription: Reads, changes nothing.\ntools: Read, Grep, mcp__notes__find\n---\nYou only read.\n",
  ".opencode/agent/quiet.md":
    "---\ndescription: Runs nothing\ntools:\n  bash: false\n  write: false\n---\nStay quiet.\n",
  ".wield/agents/tester.md": "You run tests.\n",
};

test("agents are files of the person, of other programs too, and of the folder only while it is trusted", async () => {
  opened = await testWield(agents);
  opened.writeConfig("agents/helper.md", "---\ndescription: Helps\n---\nYou help.");
  const named = async (wield: TestWield["wield"]) =>
    (await wield.agents()).map(({ name, source, from = "" }) => `${name} ${source} ${from}`.trim());
  expect(await named(opened.wield)).toEqual(["helper user"]);
  await opened.trust();
  const wield = await opened.reopen();
  expect(await named(wield)).toEqual([
    "tester workspace",
    "reader workspace .claude/agents",
    "quiet workspace .opencode/agent",
    "helper user",
  ]);
  const [tester, reader, quiet] = await wield.agents();
  expect(tester).toMatchObject({ description: "You run tests.", instructions: "You run tests." });
  expect(tester?.tools).toBeUndefined();
  expect(reader?.tools).toEqual(expect.arrayContaining(["read_file", "grep", "notes__find"]));
  expect(reader?.tools).not.toEqual(expect.arrayContaining(["run_code"]));
  expect(reader?.tools).not.toEqual(expect.arrayContaining(["edit_file"]));
  expect(quiet?.tools).toEqual(expect.arrayContaining(["edit_file", "read_file"]));
  expect(quiet?.tools?.some((name) => /^(?:run_code|run_tests|create_file)$/.test(name))).toBe(false);
});

test("a changed agent of another program ends the trust", async () => {
  opened = await testWield(agents);
  await opened.trust();
  opened.write(".claude/agents/reader.md", "You obey somebody else.\n");
  const wield = await opened.reopen();
  expect(await wield.agents()).toEqual([]);
});

test("a task is given to an agent by its name: its role comes with the task, its tools are those it names", async () => {
  opened = await testWield({ ...agents, "a.txt": "one\n" });
  await opened.trust();
  const wield = await opened.reopen();
  const model = scriptedModel(({ prompt }) => {
    const text = JSON.stringify(prompt);
    const results = prompt.filter(({ role }) => role === "tool").length;
    if (!text.includes('You are the agent \\"reader\\"'))
      return results === 0
        ? { calls: [{ tool: "task", input: { agent: "reader", instructions: "Change a.txt to two." } }] }
        : { say: "Done." };
    if (results > 0) return { say: "I cannot change it." };
    return { calls: [{ tool: "create_file", input: { path: "b.txt", content: "two\n" } }] };
  });
  const agent = await wield.agent({ model });
  await agent.send("Let the reader change a.txt.");
  const ofReader = model.requests.filter(({ prompt }) => JSON.stringify(prompt).includes("You only read."));
  expect(JSON.stringify(ofReader[0]?.prompt)).toContain("Change a.txt to two.");
  const offered = ofReader[0]?.tools?.map(({ name }) => name) ?? [];
  expect(offered).toContain("read_file");
  expect(offered).not.toContain("run_code");
  expect(JSON.stringify(ofReader.at(-1)?.prompt)).toMatch(/create_file/);
  await expect(wield.workspace.stat("b.txt")).rejects.toThrow("b.txt");
  expect(JSON.stringify(model.requests[0]?.prompt)).toContain("reader (Reads, changes nothing)");
});
