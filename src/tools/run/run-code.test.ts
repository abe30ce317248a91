import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { no, scriptedPerson, type TestWield, testWield, yes } from "../../testing/testing.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const open: TestWield[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});
const start = async (...given: Parameters<typeof testWield>) => {
  const made = await testWield(...given);
  open.push(made);
  return made;
};
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever value the tool gave
async function run(place: TestWield, input: Record<string, unknown>): Promise<any> {
  const { result, text } = await place.wield.callAny("run_code", { language: "bash", ...input });
  if (!result.ok) throw new Error(text);
  return result.value;
}

describe.skipIf(!hasBubblewrap)("run_code", () => {
  test("gives exact streams, exit code and duration", async () => {
    const place = await start();
    const value = await run(place, {
      language: "python",
      code: "import sys\nprint('o')\nprint('e', file=sys.stderr)\nsys.exit(3)",
    });
    expect(value).toEqual({
      stdout: "o\n",
      stderr: "e\n",
      exitCode: 3,
      duration: expect.any(Number),
      limit: null,
      changes: null,
      ignored: null,
      held: null,
      refused: [],
    });
  });

  test("ignored files that a run changed are named, the first of many", async () => {
    const place = await start({ ".gitignore": "cache/\n", "cache/a": "" });
    const code = "cd cache && touch b c d e";
    const { text } = await place.wield.call("run_code", { language: "bash", code });
    expect(text).toMatch(
      /4 files that git ignores changed: cache\/b, cache\/c, cache\/d, … \(undo: change \w+\)/,
    );
  });

  test("npm fails at once where there is no network, and the result names install_package", async () => {
    const dependencies = { "left-pad": "1.3.0" };
    const place = await start({
      "package.json": JSON.stringify({ name: "shop", version: "1.0.0", dependencies }),
    });
    const { text, result } = await place.wield.call("run_code", {
      language: "bash",
      code: 'echo "retries would need: $NPM_CONFIG_OFFLINE"; npm install --no-audit --no-fund',
    });
    // With retries npm would still be at it when the time limit stops it, which is a failure.
    expect(result).toMatchObject({ ok: true, value: { limit: null } });
    expect(text).toContain("retries would need: true");
    expect(text).not.toContain("Exit code 0");
    expect(text).toContain('Call install_package, which asks the person: {"manager":"npm","packages":[]}');
  });

  test("what is true of every run of a session is said once in it", async () => {
    const place = await start({ ".nvmrc": "4.0.0\n" });
    const model = scriptedModel([
      { calls: [{ tool: "run_code", input: { language: "bash", code: "echo one" } }] },
      { calls: [{ tool: "run_code", input: { language: "bash", code: "echo two" } }] },
      { say: "done" },
    ]);
    await (await place.wield.agent({ model })).send("go");
    const [, one, two] = model.requests.map(({ prompt }) => JSON.stringify(prompt.at(-1)));
    expect(one).toContain(".nvmrc asks for Node 4.0.0, which is not installed here");
    expect(two).toContain("two");
    expect(two).not.toContain(".nvmrc asks");
  });

  test("arguments stay literal, variables arrive, modules of the workspace can be imported", async () => {
    const place = await start({ "mine.py": "answer = 42\n" });
    const args = ["--help", "-c", "$(id)", "a b", "", "é\n'\""];
    const bash = await run(place, { code: 'printf "%s|" "$0" "$@"', args });
    expect(bash.stdout).toBe(`bash|${args.join("|")}|`);
    const code = "import os, sys, mine\nprint(sys.argv[1:], os.environ['V'], mine.answer)";
    const python = await run(place, { language: "python", code, args, env: { V: "x\ny" } });
    expect(python.stdout).toBe("['--help', '-c', '$(id)', 'a b', '', 'é\\n\\'\"'] x\ny 42\n");
  });

  test("code longer than an argument may be", async () => {
    const place = await start();
    const filler = "# x\n".repeat(60_000);
    expect((await run(place, { code: `${filler}echo "$1" $0`, args: ["end"] })).stdout).toBe("end bash\n");
    const python = await run(place, {
      language: "python",
      code: `${filler}import sys\nprint(sys.argv[1])`,
      args: ["end"],
    });
    expect(python.stdout).toBe("end\n");
  });

  test("with nobody there, replacing and deleting waits; new files do not; the answer applies it later", async () => {
    const place = await start({ "src/index.ts": "old\n", "README.md": "r\n" });
    const outcome = await place.wield.call("run_code", {
      language: "bash",
      code: "echo x > src/index.ts; rm README.md; echo n > new",
    });
    expect(outcome.text).toMatch(
      /a person must approve it, on the page or by: wield approvals approve h_\w+/,
    );
    expect([place.read("src/index.ts"), place.read("README.md"), place.read("new")]).toEqual([
      "old\n",
      "r\n",
      "n\n",
    ]);
    const later = await place.reopen();
    const [open] = await later.approvals.pending();
    expect(open?.reason).toMatch(/delete README\.md, modify src\/index\.ts/);
    const applied = await later.approvals.answer(open?.id ?? "", yes);
    expect(applied.result).toMatchObject({ ok: true });
    expect(place.read("src/index.ts")).toBe("x\n");
    expect(existsSync(join(place.root, "README.md"))).toBe(false);
    expect(await later.approvals.pending()).toEqual([]);
  });

  test("an answer to files that changed since is not used", async () => {
    const place = await start({ "a.txt": "old\n" });
    await run(place, { code: "echo x > a.txt" });
    place.write("a.txt", "theirs\n");
    const [open] = await place.wield.approvals.pending();
    const answer = await place.wield.approvals.answer(open?.id ?? "", yes);
    expect(answer.result).toMatchObject({ ok: false });
    expect(place.read("a.txt")).toBe("theirs\n");
  });

  test.each([
    { decision: "allow" as const, path: "src/**" },
    { decision: "allow" as const, tool: "run_code", path: "src/**" },
    { decision: "allow" as const, tool: "edit_file", path: "src/**" },
  ])("an allow rule lets it through: %j", async (rule) => {
    const place = await start({ "src/a.ts": "1\n", "b.ts": "1\n" }, { settings: { rules: [rule] } });
    const value = await run(place, { code: "echo 2 > src/a.ts; echo 2 > b.ts" });
    expect([place.read("src/a.ts"), place.read("b.ts")]).toEqual(["2\n", "1\n"]);
    expect(value.held.files.map(({ path }: { path: string }) => path)).toEqual(["b.ts"]);
  });

  test("a file that starts by itself is held; a person sees the diff and decides", async () => {
    const person = scriptedPerson(yes);
    const place = await start({ "package.json": "{}\n" });
    const value = await run(place, { code: "echo '{\"x\":1}' > package.json; echo ok > plain" });
    expect(value.changes.files.map(({ path }: { path: string }) => path)).toEqual(["plain"]);
    expect(value.held.files).toEqual([
      { path: "package.json", change: "modify", diff: expect.stringContaining('+{"x":1}') },
    ]);
    expect(place.read("package.json")).toBe("{}\n");

    // The person may be asked by a later process, as every command of a terminal is one.
    const later = await place.reopen({ asker: person.asker });
    const applied = await later.call("apply_held_changes", { id: value.held.id });
    expect(applied.result).toMatchObject({ ok: true });
    expect(person.asked[0]?.[0]?.preview?.files[0]).toMatchObject({
      path: "package.json",
      diff: expect.stringContaining("-{}"),
    });
    expect(place.read("package.json")).toBe('{"x":1}\n');
    const again = await place.wield.call("apply_held_changes", { id: value.held.id });
    expect(again.text).toMatch(/INVALID_INPUT: No changes are held under the id/);
  });

  test("of very many changed files the first are named, and the rest counted", async () => {
    const place = await start({});
    const outcome = await place.wield.call("run_code", { language: "bash", code: "touch f{1..60}" });
    expect(outcome.text).toContain("60 files changed");
    expect(outcome.text).toMatch(/\n {2}and 35 more\b/);
    expect(outcome.text.split("\n").length).toBeLessThan(35);
  });

  test("held changes that a person denies are gone", async () => {
    const person = scriptedPerson(no, yes);
    const place = await start({ "package.json": "{}\n" });
    const { held } = await run(place, { code: "echo '{\"x\":1}' > package.json" });
    const asked = await place.reopen({ asker: person.asker });
    const denied = await asked.call("apply_held_changes", { id: held.id });
    expect(denied.result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    const again = await asked.call("apply_held_changes", { id: held.id });
    expect(again.text).toMatch(/INVALID_INPUT: No changes are held under the id/);
    expect(place.read("package.json")).toBe("{}\n");
  });

  test("rules of the person bind what code changes", async () => {
    const rules = [
      { decision: "deny" as const, path: "secret/**" },
      { decision: "deny" as const, path: "*.pem" },
      { decision: "ask" as const, path: "docs/**" },
    ];
    const place = await start({ "secret/key": "k", "docs/a": "a" }, { settings: { rules } });
    const value = await run(place, {
      code: "echo x > secret/key; echo x > new.pem; cat docs/a; echo x > docs/a; echo x > free",
    });
    expect(value.changes.files.map(({ path }: { path: string }) => path)).toEqual(["free"]);
    expect(value.held.files.map(({ path }: { path: string }) => path)).toEqual(["docs/a"]);
    expect(value.refused).toEqual([{ path: "new.pem", reason: "the policy does not allow it" }]);
    expect([value.stdout, place.read("secret/key")]).toEqual(["a", "k"]);
  });

  test("a limit is a failure that says which, with what there was until then", async () => {
    const place = await start();
    const outcome = await place.wield.call("run_code", {
      language: "bash",
      code: "echo early | tee f; sleep 60",
      timeout: 2.5,
    });
    expect(outcome.result).toMatchObject({
      ok: false,
      error: { code: "TIMEOUT", details: { stdout: "early\n", exitCode: 137, limit: "time" } },
    });
    expect(outcome.text).toContain("--- stdout\nearly");
    expect(outcome.text).toMatch(
      /^TIMEOUT: Exit code 137 after \d+ ms\.\nIt was stopped at the time limit of 2.5 s/,
    );
    expect(place.read("f")).toBe("early\n");
  });

  test("long output is shortened in the middle and says so; tricks of the terminal are shown", async () => {
    const place = await start();
    const long = await place.wield.call("run_code", { language: "bash", code: "seq 1 50000" });
    expect(long.text.length).toBeLessThan(32_000);
    expect(long.text).toMatch(/\n1\n2\n3\n(.|\n)*… \d+ lines left out …(.|\n)*49999\n50000/);
    const code = "printf '\\e[31mred\\e[0m\\u202E\\a'";
    const trick = await place.wield.call("run_code", { language: "bash", code });
    expect(trick.text).toContain("red\\u{202e}\\u{7}");
  });

  test("an abort changes nothing", async () => {
    const place = await start();
    const controller = new AbortController();
    const running = place.wield.call(
      "run_code",
      { language: "bash", code: "echo x > f; sleep 60" },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 300);
    expect((await running).result).toMatchObject({ ok: false, error: { code: "ABORTED" } });
    expect(existsSync(join(place.root, "f"))).toBe(false);
  });

  test("variables that steer loaders and shells work inside, and only there", async () => {
    const place = await start({ "env.sh": "echo from BASH_ENV\n" });
    const env = { BASH_ENV: "/ws/env.sh", LD_PRELOAD: "/ws/none.so", PATH: "/usr/bin:/bin" };
    const value = await run(place, { code: "echo code", env });
    expect(value.stdout).toBe("from BASH_ENV\ncode\n");
    expect(value.stderr).toMatch(/none\.so/);
  });
});

describe.skipIf(!hasBubblewrap)("run_code with more than usual", () => {
  const toolsInCode = { settings: { execution: { toolsInCode: true } } };

  test("tools from code go the usual way: what asks, asks; what is refused, is told", async () => {
    const person = scriptedPerson(yes, no);
    const place = await start(
      { "a.txt": "old\n", "b.txt": "keep\n" },
      { ...toolsInCode, asker: person.asker },
    );
    const code = `wield-tool read_file path=a.txt
wield-tool write_file path=a.txt content=new && wield-tool write_file path=b.txt content=new
wield-tool read_file path=../x; wield-tool run_code language=bash code=id; wield-tool no_such_tool`;
    const { stdout, stderr } = await run(place, { code });
    expect(stdout).toMatch(/old\n(.|\n)*Wrote a\.txt/);
    expect(stderr).toMatch(
      /APPROVAL_DENIED(.|\n)*INVALID_PATH(.|\n)*cannot be called from code(.|\n)*UNKNOWN_TOOL/,
    );
    expect([place.read("a.txt"), place.read("b.txt")]).toEqual(["new", "keep\n"]);
    expect(person.asked.map(([ask]) => ask?.tool)).toEqual(["write_file", "write_file"]);
  });

  test("rules, tools and asker of an agent hold for what its code changes and for tools that the code calls", async () => {
    const person = scriptedPerson();
    const place = await start(
      { "a.txt": "old\n", "b.txt": "old\n", "keep/b.txt": "old\n" },
      { ...toolsInCode, asker: person.asker },
    );
    await place.wield.settings.setMode("auto", { folder: true });
    const code = `echo new > keep/c.txt; rm a.txt; echo made > made.txt
wield-tool write_file path=keep/d.txt content=new
wield-tool write_file path=b.txt content=new
wield-tool delete_file path=b.txt`;
    const model = scriptedModel([
      { calls: [{ tool: "run_code", input: { language: "bash", code } }] },
      { say: "Done." },
    ]);
    const asked: string[] = [];
    const agent = await place.wield.agent({
      model,
      tools: ["run_code", "write_file"],
      rules: [
        { decision: "deny", path: "keep/**" },
        { decision: "deny", tool: "delete_file" },
        { decision: "ask", path: "b.txt" },
        { decision: "allow", path: "keep/c.txt" },
      ],
      asker: async (asks) => {
        asked.push(...asks.map(({ tool }) => tool));
        return asks.map(() => ({ approved: false }));
      },
    });
    await agent.send("Go.");
    expect(readdirSync(join(place.root, "keep"))).toEqual(["b.txt"]);
    expect([place.read("a.txt"), place.read("b.txt"), place.read("made.txt")]).toEqual([
      "old\n",
      "old\n",
      "made\n",
    ]);
    expect([asked, person.asked]).toEqual([["write_file"], []]);
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain("delete_file is not a tool of the agent");
  });

  test("the AI SDK's session works on the same workspace, under the same rules", async () => {
    const place = await start({ "a.txt": "1\n" });
    const session = await place.wield.sandboxSession();
    expect(
      await session.run({ command: "cat a.txt; echo 2 > b.txt; echo '{}' > package.json" }),
    ).toMatchObject({ stdout: "1\n" });
    expect(readdirSync(place.root).sort()).toEqual(["a.txt", "b.txt"]);
    expect((await place.wield.changes.list())[0]).toMatchObject({ tool: "sandbox_session" });
  });

  test("off unless switched on", async () => {
    expect((await run(await start(), { code: "wield-tool read_file path=a" })).exitCode).toBe(127);
  });

  test("full network asks each time; a list of hosts does not", async () => {
    const full = await start({}, { settings: { execution: { network: "full" } } });
    const refused = await full.wield.call("run_code", { language: "bash", code: "true" });
    expect(refused.result).toMatchObject({ ok: false, error: { code: "APPROVAL_REQUIRED" } });
    const listed = await start({}, { settings: { execution: { network: ["index.example.com"] } } });
    expect((await run(listed, { code: "echo $http_proxy" })).stdout).toBe("http://127.0.0.1:3128\n");
    expect(listed.wield.tools.list().find(({ name }) => name === "run_code")?.description).toContain(
      "index.example.com",
    );
  });

  test("executeCode has the network that the person allows, and none otherwise", async () => {
    const code = "import os\nprint(os.environ.get('https_proxy'))";
    const described = ({ wield }: TestWield) =>
      wield.tools.list().find(({ name }) => name === "executeCode")?.description;
    const off = await start();
    expect((await off.wield.call("executeCode", { code })).result).toMatchObject({
      value: { stdout: "None\n" },
    });
    expect(described(off)).toContain("without network");
    const listed = await start({}, { settings: { execution: { network: ["index.example.com"] } } });
    expect((await listed.wield.call("executeCode", { code })).result).toMatchObject({
      value: { stdout: "http://127.0.0.1:3128\n" },
    });
    expect(described(listed)).toContain("that reaches index.example.com only");
    const full = await start({}, { settings: { execution: { network: "full" } } });
    expect((await full.wield.call("executeCode", { code })).result).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    expect(described(full)).toContain("internet access");
  });
});

describe("bad input", () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ["an unknown language", { language: "ruby", code: "x" }, /python.*bash/],
    ["no code", { language: "bash", code: "" }, /must hold some code/],
    ["blank code", { language: "bash", code: " \n" }, /must hold some code/],
    ["no time", { language: "bash", code: "x", timeout: 0 }, /more than 0 seconds/],
    ["negative time", { language: "bash", code: "x", timeout: -1 }, /more than 0 seconds/],
    ["a day", { language: "bash", code: "x", timeout: 86_400 }, /at most 3600 seconds/],
    [
      "a variable with a line break in its name",
      { language: "bash", code: "x", env: { "A\nB": "x" } },
      /letters, digits and _ only/,
    ],
    [
      "a variable with = in its name",
      { language: "bash", code: "x", env: { "A=B": "x" } },
      /letters, digits and _ only/,
    ],
    ["a NUL in the code", { language: "bash", code: "a\0b" }, /NUL/],
    ["a NUL in an argument", { language: "bash", code: "x", args: ["\0"] }, /NUL/],
    ["a NUL in a variable", { language: "bash", code: "x", env: { A: "\0" } }, /NUL/],
  ])("%s is INVALID_INPUT with a hint", async (_name, input, hint) => {
    const place = await start();
    const { result, text } = await place.wield.callAny("run_code", input);
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
    expect(text).toMatch(hint);
  });
});

describe.skipIf(!hasBubblewrap)("on a machine where something is missing", () => {
  const cli = resolve(import.meta.dirname, "../../cli/wield.ts");
  /** Wield's command line, with a program of the machine hidden. */
  const without = (place: TestWield, program: string, input: Record<string, unknown>) => {
    const hide = `mount --bind /dev/null ${program}; exec "$@"`;
    const call = [process.execPath, cli, "call", "run_code", JSON.stringify(input)];
    try {
      return execFileSync("/usr/bin/unshare", ["-Urm", "/bin/sh", "-c", hide, "x", ...call], {
        cwd: place.root,
        env: place.env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return stdout + stderr;
    }
  };

  test("without python3 it says how to get it, and bash still works", async () => {
    const place = await start();
    writeFileSync(join(place.root, "f"), "x");
    const python = without(place, "/usr/bin/python3", { language: "python", code: "print(1)" });
    expect(python).toMatch(/UNAVAILABLE.*python3.*apt-get install python3/s);
  });

  test("without bubblewrap nothing runs", async () => {
    const place = await start();
    const refused = without(place, "/usr/bin/bwrap", { language: "bash", code: "touch ran" });
    expect(refused).toMatch(/SANDBOX_UNAVAILABLE.*apt-get install bubblewrap/s);
    expect(readdirSync(place.root)).toEqual([]);
  });
});
