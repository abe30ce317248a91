import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Rule } from "../approval/rules.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { no, scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";
import type { Given } from "./command.ts";
import { askerFor } from "./open.ts";
import type { Io } from "./terminal.ts";

const open: TestWield[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});
const start = async (...given: Parameters<typeof testWield>) => {
  const made = await testWield(...given);
  open.push(made);
  return made;
};
/** Leaves a mark beside the workspace, where nothing inside the sandbox can write. */
const code = 'echo "$MARK" > ../mark; echo done';
const outside = { language: "bash", code, env: { MARK: "here" }, outside: true, why: "it needs the machine" };
const mark = ({ root }: TestWield) => existsSync(join(root, "../mark"));
const exact: Rule = {
  decision: "allow",
  tool: "run_code",
  command: `${code}\n# call: {"language":"bash","variables":{"MARK":"here"}}`,
  outside: true,
};

describe("run_code outside the sandbox", () => {
  test("always asks, with the exact command and the reason; then it runs and says that it cannot be undone", async () => {
    const person = scriptedPerson(no, yes);
    const place = await start({}, { asker: person.asker });
    const denied = await place.wield.callAny("run_code", outside);
    expect(denied.result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(mark(place)).toBe(false);
    const { result, text } = await place.wield.callAny("run_code", outside);
    expect(result).toMatchObject({ ok: true, value: { stdout: "done\n", exitCode: 0, changes: null } });
    expect(text).toContain("cannot be undone");
    expect(readFileSync(join(place.root, "../mark"), "utf8")).toBe("here\n");
    const [ask] = person.asked[1] ?? [];
    expect(ask?.reason).toMatch(/outside the sandbox.*it needs the machine/);
    expect(ask?.args).toMatchObject({ code });
    expect(ask?.preview?.notes.join(" ")).toMatch(/cannot be undone/);
    expect(ask?.remember?.rules).toEqual([exact]);
    expect(await place.wield.workspace.changes()).toEqual([]);
  });

  test("with nobody there it is refused, and a reason is needed", async () => {
    const place = await start();
    const { result } = await place.wield.callAny("run_code", outside);
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_REQUIRED" } });
    const { result: bare } = await place.wield.callAny("run_code", { ...outside, why: undefined });
    expect(bare).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
    expect(mark(place)).toBe(false);
  });

  test.each<[string, Rule]>([
    ["everything", { decision: "allow" }],
    ["the tool", { decision: "allow", tool: "run_code" }],
    ["the tool, outside", { decision: "allow", tool: "run_code", outside: true }],
    ["the same command inside", { decision: "allow", tool: "run_code", command: exact.command ?? "" }],
    ["every tool with that command", { decision: "allow", command: exact.command ?? "", outside: true }],
    ["a pattern of tools", { ...exact, tool: "run_*" }],
    ["a pattern of commands", { ...exact, command: "*" }],
    ["another command", { ...exact, command: `${exact.command} ` }],
  ])("a rule that allows %s does not reach it", async (_name, rule) => {
    const place = await start({}, { settings: { rules: [rule] } });
    const { result } = await place.wield.callAny("run_code", outside);
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_REQUIRED" } });
    expect(mark(place)).toBe(false);
  });

  test("the rule for exactly this command does, and for nothing else; one of the folder never does", async () => {
    const place = await start({}, { settings: { rules: [exact] } });
    expect((await place.wield.callAny("run_code", outside)).result).toMatchObject({ ok: true });
    for (const other of [{ code: `${code} ` }, { args: ["x"] }, { env: {} }, { timeout: 3000 }])
      expect((await place.wield.callAny("run_code", { ...outside, ...other })).result).toMatchObject({
        error: { code: "APPROVAL_REQUIRED" },
      });
    const folder = await start({ ".wield/settings.json": JSON.stringify({ rules: [exact] }) });
    await folder.trust();
    const trusting = await folder.reopen();
    expect((await trusting.callAny("run_code", outside)).result).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    expect(mark(folder)).toBe(false);
  });

  test("what is remembered for one call allows no other call, however its code is written", async () => {
    const call = { language: "bash", code: "true", outside: true, why: "it needs the machine" };
    const pairs = [
      // Comments at the end of the code that look like what other calls are told apart by.
      [{ code: 'true\n# arguments: ["x"]' }, { args: ["x"] }],
      [{ code: 'true\n# variables: {"A":"b"}' }, { env: { A: "b" } }],
      [{ code: "true\n# time: up to 3000 s" }, { timeout: 3000 }],
      [{ code: 'true\n# call: {"language":"bash","arguments":["x"]}' }, { args: ["x"] }],
      [{ code: 'true\n# call: {"language":"python"}' }, { language: "python" }],
      [{}, { language: "python" }],
      [{ args: ['a","b'] }, { args: ["a", "b"] }],
    ];
    const rememberedFor = async (given: object) => {
      const person = scriptedPerson(no);
      const place = await start({}, { asker: person.asker });
      await place.wield.callAny("run_code", { ...call, ...given });
      return person.asked[0]?.[0]?.remember?.rules ?? [];
    };
    for (const [one = {}, other = {}] of [...pairs, ...pairs.map((pair) => pair.toReversed())]) {
      const rules = await rememberedFor(one);
      // Python looks for what it imports in the folder, so the same code may be other code next time; the word alone counts.
      const mayLoadFiles = JSON.stringify(one).includes("python");
      expect([one, rules.length]).toEqual([one, mayLoadFiles ? 0 : 1]);
      if (mayLoadFiles) continue;
      const place = await start({}, { settings: { rules: [...rules] } });
      expect((await place.wield.callAny("run_code", { ...call, ...other })).result).toMatchObject({
        error: { code: "APPROVAL_REQUIRED" },
      });
      expect((await place.wield.callAny("run_code", { ...call, ...one })).result.ok).toBe(true);
    }
  });

  test("deny rules hold, also for outside alone", async () => {
    const rules: Rule[] = [exact, { decision: "deny", outside: true }];
    const place = await start({}, { settings: { rules }, asker: scriptedPerson().asker });
    const { result } = await place.wield.callAny("run_code", outside);
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(
      (await place.wield.callAny("run_code", { language: "bash", code: "echo in" })).result,
    ).toMatchObject({
      ok: true,
    });
  });

  test("in auto mode an agent is asked too, whatever is remembered", async () => {
    const place = await start({}, { settings: { rules: [exact] } });
    const model = scriptedModel([{ calls: [{ tool: "run_code", input: outside }] }, { say: "done" }]);
    const agent = await place.wield.agent({ model, permissionMode: "auto" });
    await agent.send("go");
    expect(JSON.stringify(model.requests[1]?.prompt)).toMatch(/APPROVAL_REQUIRED/);
    expect(mark(place)).toBe(false);
  });

  test("an edit that moves a call outside is asked again", async () => {
    const inside = { language: "bash", code, memory: 4000 };
    const person = scriptedPerson(
      (ask) => ({ approved: true, modifiedArgs: { ...ask.args, outside: true, why: "x" } }),
      (ask) => ({ approved: ask.again === undefined }),
    );
    const place = await start({}, { asker: person.asker });
    expect((await place.wield.callAny("run_code", inside)).result).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(person.asked).toHaveLength(2);
    expect(mark(place)).toBe(false);
  });

  test("past its time it is stopped", async () => {
    const place = await start({}, { approve: () => ({ approved: true }) });
    const input = { ...outside, code: "echo begun; sleep 60", timeout: 5 };
    const { result, text } = await place.wield.callAny("run_code", input);
    expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
    expect(text).toMatch(/begun/);
    expect(text).toMatch(/cannot be undone/);
  });
});

test("--yes does not cover it", async () => {
  const place = await start();
  const asker = askerFor(
    { args: [], value: () => undefined, flag: (name: string) => name === "yes" } as unknown as Given,
    { interactive: false } as unknown as Io,
  );
  const wield = await place.reopen(asker ? { asker } : {});
  const { result, text } = await wield.callAny("run_code", outside);
  expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
  expect(text).toContain("--yes does not cover commands outside the sandbox");
  expect(mark(place)).toBe(false);
});

test.skipIf(!existsSync("/usr/bin/bwrap"))(
  "inside, the model is told what the sandbox is the reason for",
  async () => {
    const place = await start();
    const said = async (what: string) =>
      (await place.wield.call("run_code", { language: "bash", code: `echo '${what}' >&2; exit 1` })).text;
    expect(await said("Cannot connect to the Docker daemon at unix:///var/run/docker.sock.")).toMatch(
      /Containers cannot be started inside the sandbox.*outside: true and why/,
    );
    expect(await said("getaddrinfo ENOTFOUND example.com")).toMatch(/There is no network inside/);
    expect(await said("an ordinary failure")).not.toMatch(/outside: true/);
    const fine = await place.wield.call("run_code", { language: "bash", code: "echo ENOTFOUND" });
    expect(fine.text).not.toMatch(/outside: true/);
  },
);
