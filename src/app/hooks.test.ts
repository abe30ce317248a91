import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { no, scriptedModel, scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";

let opened: TestWield | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const writing = (path: string) =>
  scriptedModel([{ calls: [{ tool: "write_file", input: { path, content: "text" } }] }, { say: "done" }]);

async function withHooks(
  named: object,
  { files = {}, ...options }: { files?: Record<string, string> } & Parameters<TestWield["reopen"]>[0] = {},
) {
  opened = await testWield(files);
  opened.writeConfig("settings.json", JSON.stringify({ hooks: named }));
  return { place: opened, wield: await opened.reopen(options) };
}

const hooks = {
  beforeCall: [
    { command: "grep -q secret && { echo 'not this file' >&2; exit 2; } || exit 0", tools: ["write_*"] },
  ],
  afterCall: [{ command: "echo 'run the linter'; exit 1", tools: ["write_file"] }],
  endOfRun: [{ command: "cat > ../ended.json", outside: true }],
};

describe("hooks", () => {
  test.each(["auto", "edits"] as const)(
    "a file that a hook runs is asked about, in mode %s too",
    async (mode) => {
      opened = await testWield();
      const named = { afterCall: [{ command: "sh ./scripts/lint.sh --all", tools: ["*"] }] };
      opened.writeConfig("settings.json", JSON.stringify({ hooks: named }));
      const wield = await opened.reopen({ mode });
      const write = (path: string) => wield.call("write_file", { path, content: "exit 0", createDirs: true });
      expect((await write("scripts/lint.sh")).result).toMatchObject({
        error: { code: "APPROVAL_REQUIRED" },
      });
      expect((await write("scripts/other.sh")).result.ok).toBe(true);
    },
  );

  test("a folder's hook does not run once a file of what was trusted has changed", async () => {
    opened = await testWield({
      ".wield/settings.json": JSON.stringify({
        hooks: { afterCall: [{ command: "sh .wield/check.sh", tools: ["*"] }] },
      }),
      ".wield/check.sh": "echo one > ran-one.txt",
      "a.txt": "a",
    });
    await opened.trust();
    const wield = await opened.reopen();
    await wield.call("read_file", { path: "a.txt" });
    opened.write(".wield/check.sh", "echo two > ran-two.txt");
    await wield.call("read_file", { path: "a.txt" });
    expect(opened.read("ran-one.txt")).toBe("one\n");
    expect(existsSync(join(opened.root, "ran-two.txt"))).toBe(false);
  });

  test("a command before a call may refuse it, one after a call is told to the model, one at the end knows how it ended", async () => {
    opened = await testWield();
    opened.writeConfig("settings.json", JSON.stringify({ hooks }));
    const wield = await opened.reopen();
    const refused = writing("secret.txt");
    await (await wield.agent({ model: refused })).send("write");
    expect(JSON.stringify(refused.requests[1]?.prompt)).toContain(
      "A hook in the person's settings refused this call: not this file",
    );
    expect(() => opened?.read("secret.txt")).toThrow();
    const told = writing("fine.txt");
    const agent = await wield.agent({ model: told });
    await agent.send("write");
    expect(opened.read("fine.txt")).toBe("text");
    expect(JSON.stringify(told.requests[1]?.prompt)).toContain(
      "A hook in the person's settings says: run the linter",
    );
    // What the person does themselves is not checked by their own hooks.
    const own = await wield.call("write_file", { path: "secret2.txt", content: "x" }, { byPerson: true });
    expect(own.result.ok).toBe(true);
    await wield.close();
    expect(JSON.parse(opened.read("../ended.json"))).toMatchObject({
      event: "endOfRun",
      session: agent.session,
      stop: "done",
    });
  });

  test("a hook that cannot start or takes too long refuses the call", async () => {
    opened = await testWield();
    const slow = { beforeCall: [{ command: "exec sleep 60", seconds: 0.2 }] };
    opened.writeConfig("settings.json", JSON.stringify({ hooks: slow }));
    const wield = await opened.reopen();
    const { result } = await wield.call("write_file", { path: "a.txt", content: "x" });
    expect(result).toMatchObject({ ok: false, error: { code: "PERMISSION_DENIED" } });
    expect(JSON.stringify(result)).toContain("took longer than 0.2 seconds");
  });

  test("hooks of a folder run only while it is trusted", async () => {
    const settings = JSON.stringify({ hooks: { beforeCall: [{ command: "exit 1" }] } });
    opened = await testWield({ ".wield/settings.json": settings });
    const untrusted = await opened.wield.call("write_file", { path: "a.txt", content: "x" });
    expect(untrusted.result.ok).toBe(true);
    await opened.trust();
    const trusted = await opened.reopen();
    const { result } = await trusted.call("write_file", { path: "b.txt", content: "x" });
    expect(result.ok).toBe(false);
  });
});

/** What an agent may write unasked, and what each would do on the machine. */
const escaped = (home: string) => `${home}/escaped`;
const agentsCode: readonly [string, (home: string) => Record<string, string>][] = [
  [
    "npm test",
    (home) => ({ "package.json": JSON.stringify({ scripts: { test: `touch ${escaped(home)}` } }) }),
  ],
  ["python3 -m unittest", (home) => ({ "test_a.py": `open(${JSON.stringify(escaped(home))}, "w")\n` })],
  ["make lint", (home) => ({ Makefile: `lint:\n\ttouch ${escaped(home)}\n` })],
  [
    "node scripts/lint",
    (home) => ({ "scripts/lint.js": `require("fs").writeFileSync(${JSON.stringify(escaped(home))}, "")` }),
  ],
  [`sh "scripts/check"*`, (home) => ({ "scripts/check-all.sh": `touch ${escaped(home)}\n` })],
];

describe("hooks that run what an agent wrote", () => {
  test.each(agentsCode)("%s touches nothing outside the folder", async (command, code) => {
    const { place, wield } = await withHooks({
      beforeCall: [{ command: `${command}; true`, tools: ["read_file"] }],
      afterCall: [{ command, tools: ["read_file"] }],
      endOfRun: [{ command }],
    });
    const home = place.env["HOME"] ?? "";
    for (const [path, text] of Object.entries(code(home))) place.write(path, text);
    place.write("a.txt", "a");
    const model = scriptedModel([{ calls: [{ tool: "read_file", input: { path: "a.txt" } }] }, { say: "x" }]);
    await (await wield.agent({ model })).send("read");
    await wield.close();
    expect(existsSync(escaped(home))).toBe(false);
    // They did run: what they could not do is told.
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain("A hook in the person's settings says");
  });

  test.each(agentsCode)("%s is refused outside the sandbox", async (command, code) => {
    const { place, wield } = await withHooks({
      beforeCall: [{ command, tools: ["read_file"], outside: true }],
    });
    const home = place.env["HOME"] ?? "";
    for (const [path, text] of Object.entries(code(home))) place.write(path, text);
    place.write("a.txt", "a");
    const { result } = await wield.call("read_file", { path: "a.txt" });
    expect(result).toMatchObject({ ok: false, error: { code: "PERMISSION_DENIED" } });
    expect(JSON.stringify(result)).toContain("was not run outside the sandbox");
    expect(existsSync(escaped(home))).toBe(false);
  });

  test("a program that the folder's PATH holds does not stand in for the one that a hook names", async () => {
    opened = await testWield({ "a.txt": "a" });
    const home = opened.env["HOME"] ?? "";
    opened.writeConfig(
      "settings.json",
      JSON.stringify({ hooks: { beforeCall: [{ command: "checker", outside: true }] } }),
    );
    mkdirSync(join(home, "bin"));
    writeFileSync(join(home, "bin/checker"), `#!/bin/sh\ntouch ${home}/checked\n`, { mode: 0o755 });
    const path = `${opened.root}/bin:${home}/bin:${opened.env["PATH"]}`;
    const wield = await opened.reopen({ env: { ...opened.env, PATH: path } });
    expect((await wield.call("read_file", { path: "a.txt" })).result.ok).toBe(true);
    expect(existsSync(join(home, "checked"))).toBe(true);
    mkdirSync(join(opened.root, "bin"));
    writeFileSync(join(opened.root, "bin/checker"), `#!/bin/sh\ntouch ${escaped(home)}\n`, { mode: 0o755 });
    expect((await wield.call("read_file", { path: "a.txt" })).result.ok).toBe(false);
    expect(existsSync(escaped(home))).toBe(false);
  });

  test("a folder's own settings let none run outside, and say so", async () => {
    opened = await testWield({
      "a.txt": "a",
      ".wield/settings.json": JSON.stringify({
        hooks: { afterCall: [{ command: "touch ../escaped; echo inside > made.txt", outside: true }] },
      }),
    });
    await opened.trust();
    const wield = await opened.reopen();
    expect(wield.tools.problems().join("\n")).toMatch(/"outside" of the hook .* is ignored/);
    await wield.call("read_file", { path: "a.txt" });
    expect(opened.read("made.txt")).toBe("inside\n");
    expect(existsSync(join(opened.root, "../escaped"))).toBe(false);
  });

  test("what it prints holds no file that a rule hides, and it reaches no network", async () => {
    const { place, wield } = await withHooks(
      {},
      { files: { "a.txt": "a", "hidden.txt": "the hidden words" } },
    );
    place.writeConfig(
      "settings.json",
      JSON.stringify({
        hooks: {
          afterCall: [
            { command: "exec 2>&1; cat hidden.txt; tail -n +3 /proc/net/dev | cut -d: -f1; exit 1" },
          ],
        },
        rules: [{ decision: "deny", path: "hidden.txt" }],
      }),
    );
    const { text } = await wield.call("read_file", { path: "a.txt" });
    expect(text).toContain("A hook in the person's settings says");
    expect(text).not.toContain("the hidden words");
    expect(text).toMatch(/denied\s+lo\s/);
  });
});

describe("what a hook changes", () => {
  const format = { afterCall: [{ command: "sed -i 's/  */ /g' *.txt", tools: ["write_file"] }] };
  const write = { path: "a.txt", content: "a   b\n" };

  test("a formatter formats what the call wrote: told to the model, in the journal, undone with it", async () => {
    const { place, wield } = await withHooks(format, { files: { "a.txt": "a\n" }, mode: "edits" });
    const { text, details } = await wield.call("write_file", write);
    expect(place.read("a.txt")).toBe("a b\n");
    expect(text).toMatch(/The hook .*sed.* changed files:[\s\S]*modify a\.txt \(\+1 −1\)/);
    expect(details.changes.map(({ tool }) => tool)).toEqual(["write_file", "hook"]);
    await wield.call("undo", { steps: 2 }, { byPerson: true });
    expect(place.read("a.txt")).toBe("a\n");
  });

  test("where edits are asked about, so is what a hook replaces, unless a rule allows it to hooks", async () => {
    const person = scriptedPerson(yes, no);
    const files = { "a.txt": "a\n" };
    const { place, wield } = await withHooks(format, { files, asker: person.asker });
    const denied = await wield.call("write_file", write);
    expect(person.asked[1]?.[0]?.preview?.files[0]).toMatchObject({ path: "a.txt", added: 1, removed: 1 });
    expect(place.read("a.txt")).toBe("a   b\n");
    expect(denied.text).toContain("User rejected changes");
    place.writeConfig(
      "settings.json",
      JSON.stringify({ hooks: format, rules: [{ decision: "allow", tool: "hook", path: "*.txt" }] }),
    );
    const later = scriptedPerson(yes);
    const allowed = await place.reopen({ asker: later.asker });
    expect((await allowed.call("write_file", { ...write, content: "c   d\n" })).result.ok).toBe(true);
    expect(place.read("a.txt")).toBe("c d\n");
    expect(later.asked).toHaveLength(1);
  });

  test("a protected name waits for a person, also at the end of a run", async () => {
    const { place, wield } = await withHooks({ endOfRun: [{ command: "echo x > .envrc; echo y > b.txt" }] });
    await (await wield.agent({ model: scriptedModel([{ say: "done" }]) })).send("hello");
    await wield.close();
    expect(readFileSync(join(place.root, "b.txt"), "utf8")).toBe("y\n");
    expect(existsSync(join(place.root, ".envrc"))).toBe(false);
    const [open] = await (await place.reopen()).approvals.pending();
    expect(open?.reason).toContain(".envrc");
  });
});
