import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { toolsets } from "../toolsets/toolsets.ts";
import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import { runCli } from "./run-cli.suite.ts";
import { bin, hasTmux, terminal } from "./terminal.suite.ts";

function installed(shell: string): boolean {
  try {
    execFileSync(shell, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A folder with a session whose title would run if a shell looked into it, and wield in the PATH. */
let place: TestWield;
let session = "";
let table: Command[];
beforeAll(async () => {
  place = await testWield({ "src/a.txt": "a\n", "two words/b.txt": "b\n" });
  const agent = await place.wield.agent({ model: scriptedModel([{ say: "Hello." }]) });
  session = agent.session;
  await agent.send("Please $(touch pwned) `touch pwned`; touch pwned");
  const programs = join(place.env["HOME"] ?? "", "bin");
  mkdirSync(programs);
  symlinkSync(bin, join(programs, "wield"));
  place.env["PATH"] = `${programs}:${place.env["PATH"]}`;
  table = await Promise.all(commands.map(({ load }) => load()));
});
afterAll(() => place.close());

const script = async (shell: string) => (await runCli(place, ["completion", shell])).out;
const longNames = ({ options }: Command) => [...Object.keys(options), "help"].map((name) => `--${name}`);

describe.skipIf(!installed("bash"))("in bash", () => {
  /** What a real bash offers for the last of these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const run = `eval "$(cat)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wield; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync("bash", ["--norc", "-c", run, "bash", ...words], {
      encoding: "utf8",
      cwd: place.root,
      env: place.env,
      input: await script("bash"),
    });
    return out.split("\n").filter(Boolean);
  }

  test("commands, and every option of every command", async () => {
    expect(await offered("wield", "")).toEqual([...commands.map(({ name }) => name), "help"]);
    expect(await offered("wield", "co")).toEqual(["console", "completion"]);
    expect(await offered("wield", "help", "und")).toEqual(["undo"]);
    expect(await offered("wield", "--wor")).toEqual(["--worktree", "--workspace"]);
    for (const command of table)
      expect(await offered("wield", command.name, "--"), command.name).toEqual(longNames(command));
  });

  test("values of options, in both spellings, and nothing where anything may stand", async () => {
    expect(await offered("wield", "mcp", "--toolset", "")).toEqual(Object.keys(toolsets));
    expect(await offered("wield", "mcp", "--toolset", "=", "ex")).toEqual(["explore"]);
    expect(await offered("wield", "explore", "--mode", "t")).toEqual(["thorough"]);
    expect(await offered("wield", "chat", "-w", "")).toEqual(expect.arrayContaining(["src", "two words"]));
    expect(await offered("wield", "chat", "--model", "")).toEqual([]);
    expect(await offered("wield", "chat", "What ")).toEqual([]);
  });

  test("names are looked up: sessions, tools, changes, approvals", async () => {
    expect(await offered("wield", "chat", "--resume", "a_")).toEqual([session]);
    expect(await offered("wield", "sessions", "--limit", "3", "a_")).toEqual([session]);
    expect(await offered("wield", "call", "read_f")).toEqual(["read_file"]);
    expect(await offered("wield", "call", "read_file", "")).toEqual([]);
    expect(await offered("wield", "tools", "pin", "read_f")).toEqual(["read_file"]);
    expect(await offered("wield", "approvals", "")).toEqual(["approve", "deny"]);
    expect(await offered("wield", "approvals", "deny", "")).toEqual([]);
    await place.wield.call("write_file", { path: "new.txt", content: "x\n" });
    const [change] = await place.wield.changes.list();
    expect(await offered("wield", "undo", "")).toEqual([change?.id]);
  });

  test("nothing that is typed or looked up is run", async () => {
    for (const word of ["$(touch pwned)", "`touch pwned`", "; touch pwned", "'; touch pwned; '"]) {
      expect(await offered("wield", word)).toEqual([]);
      expect(await offered("wield", "chat", "--resume", word)).toEqual([]);
      expect(await offered("wield", word, "")).toEqual([]);
    }
    await offered("wield", "chat", "--resume", "");
    expect(existsSync(join(place.root, "pwned"))).toBe(false);
  });

  test.skipIf(!hasTmux)("at a real prompt, Tab completes a command and an option", async () => {
    const { type, see } = await terminal({}, "bash --norc", { PATH: place.env["PATH"] ?? "" });
    type("source <(wield completion bash); PS1='> '; clear", "Enter");
    await see(/^> *$/m);
    type("wield sess", "Tab", "--js", "Tab");
    await see(/> wield sessions --json/);
  });
});

describe.skipIf(!installed("zsh"))("in zsh", () => {
  test("the script is well formed", async () => {
    execFileSync("zsh", ["-n"], { input: await script("zsh") });
  });

  test.skipIf(!hasTmux)("at a real prompt, Tab completes a command, an option and a session", async () => {
    const { type, see, place: own } = await terminal({}, "zsh -f", { PATH: place.env["PATH"] ?? "" });
    const agent = await own.wield.agent({ model: scriptedModel([{ say: "Hello." }]) });
    await agent.send("Hello");
    type("autoload -Uz compinit; compinit -u; source <(wield completion zsh); PS1='> '; clear", "Enter");
    await see(/^> *$/m);
    type("wield sess", "Tab", "--js", "Tab");
    await see(/> wield sessions --json/);
    type("C-u", "wield chat --resume ", "Tab");
    await see(new RegExp(`wield chat --resume ${agent.session}`));
  });
});

describe.skipIf(!installed("fish"))("in fish", () => {
  test("commands, options, values and sessions", async () => {
    const file = place.writeConfig("wield.fish", await script("fish"));
    const offered = (line: string) =>
      execFileSync("fish", ["--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, file, line], {
        encoding: "utf8",
        cwd: place.root,
        env: place.env,
      })
        .split("\n")
        .flatMap((each) => each.split("\t")[0] || []);
    expect(offered("wield co").toSorted()).toEqual(["completion", "console"]);
    for (const command of table)
      expect(offered(`wield ${command.name} --`), command.name).toEqual(
        expect.arrayContaining(longNames(command)),
      );
    expect(offered("wield mcp --toolset ").toSorted()).toEqual(Object.keys(toolsets).toSorted());
    expect(offered("wield chat --resume ")).toEqual([session]);
    expect(offered("wield call read_f")).toEqual(["read_file"]);
    expect(existsSync(join(place.root, "pwned"))).toBe(false);
  });
});

test("whoever takes a session, a folder, a toolset or a mode says so", () => {
  const open = table.flatMap(({ name, options }) =>
    ["resume", "workspace", "toolset", "mode"]
      .filter((option) => options[option] && !options[option].completes)
      .map((option) => `${name} --${option}`),
  );
  expect(open).toEqual([]);
});

test("pressing Tab loads no tool that was added", async () => {
  const loaded = join(place.root, "loaded");
  const file = place.writeConfig(
    "tools/spy.ts",
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(loaded)}, "");\n`,
  );
  const { out } = await runCli(place, ["completion", "names", "tool"]);
  expect(out).toMatch(/^read_file\t/m);
  expect(existsSync(loaded)).toBe(false);
  await runCli(place, ["tools"]);
  expect(existsSync(loaded)).toBe(true);
  rmSync(file);
});

test("names that a shell could take for more than a name are left out; other uses are told", async () => {
  const { out } = await runCli(place, ["completion", "names", "session"]);
  expect(out).toBe(`${session}\tPlease $(touch pwned) \`touch pwned\`; touch pwned\n`);
  for (const args of [[], ["csh"], ["names"], ["names", "folder"], ["names", "constructor"], ["bash", "zsh"]])
    expect(await runCli(place, ["completion", ...args]), args.join(" ")).toMatchObject({ code: 2 });
});
