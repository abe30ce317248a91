import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { launch, runInTerminal } from "../process/interactive.ts";
import { yes } from "../testing/testing.ts";
import { closeAfterEach, type Repository, repository } from "../tools/git/repository.suite.ts";

closeAfterEach();

/** What Wield or a program that it starts looks up by name outside the sandbox. */
const programs = [
  ...[
    "git",
    "git-remote-https",
    "ssh",
    "gpg",
    "ssh-keygen",
    "less",
    "sh",
    "bash",
    "env",
    "rg",
    "bwrap",
    "setpriv",
  ],
  ...[
    "unshare",
    "tar",
    "mkfifo",
    "ps",
    "prlimit",
    "npm",
    "npx",
    "node",
    "python3",
    "pip3",
    "go",
    "rustc",
    "cargo",
  ],
  ...["xdg-open", "vi", "chromium"],
];

/** How a person's PATH can come to hold programs that an agent may write: where they lie, and what PATH begins with. */
const ways: Record<string, (repo: Repository) => { at: string; path: string }> = {
  "a folder of the workspace": ({ root }) => ({ at: `${root}/bin`, path: `${root}/bin` }),
  "the workspace itself": ({ root }) => ({ at: root, path: root }),
  "npm's folder": ({ root }) => ({ at: `${root}/node_modules/.bin`, path: `${root}/node_modules/.bin` }),
  "npm's folder above the workspace": ({ env }) => ({
    at: `${env["HOME"]}/node_modules/.bin`,
    path: `${env["HOME"]}/node_modules/.bin`,
  }),
  "a folder spelt with dots": ({ root }) => ({ at: `${root}/bin`, path: `${root}/../workspace/./bin/` }),
  "a relative folder": ({ root }) => ({ at: `${root}/bin`, path: "bin" }),
  "an empty part": ({ root }) => ({ at: root, path: "" }),
  "a folder outside that is a link into it": ({ root, env }) => {
    mkdirSync(`${root}/bin`, { recursive: true });
    symlinkSync(`${root}/bin`, `${env["HOME"]}/bin`);
    return { at: `${root}/bin`, path: `${env["HOME"]}/bin` };
  },
  "a link of the workspace that leads outside for now": ({ root, env }) => {
    mkdirSync(`${env["HOME"]}/tools`);
    symlinkSync(`${env["HOME"]}/tools`, `${root}/tools`);
    return { at: `${env["HOME"]}/tools`, path: `${root}/tools` };
  },
};

function plant(repo: Repository, folders: readonly string[]): { mark: string; planted: number } {
  const mark = join(repo.env["HOME"] ?? "", "started");
  const files = folders.flatMap((at) => programs.map((name) => join(at, name)));
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho "${file} $*" >> ${mark}\nexit 1\n`, { mode: 0o755 });
  }
  return { mark, planted: files.length };
}

function started(mark: string): string {
  return existsSync(mark) ? readFileSync(mark, "utf8") : "";
}

async function useAll(repo: Repository, path: string): Promise<void> {
  const env = { ...repo.env, PATH: `${path}:${repo.env["PATH"]}` };
  const wield = await repo.reopen({ env, approve: () => yes });
  repo.write("a.txt", "changed\n");
  repo.write("pyproject.toml", "[tool.ruff]\n");
  const calls: [string, Record<string, unknown>][] = [
    ["git_status", {}],
    ["git_log", {}],
    ["git_commit", { message: "second", paths: ["a.txt"] }],
    ["git_stash", { action: "push" }],
    ["git_branch", { action: "create", name: "other" }],
    ["git_push", {}],
    ["search_code", { query: "changed" }],
    ["grep", { pattern: "changed" }],
    ["run_code", { language: "bash", code: "echo inside" }],
    ["run_tests", {}],
    ["format_code", { check: true }],
    ["install_package", { manager: "npm", packages: [""] }],
  ];
  for (const [tool, input] of calls) await wield.callAny(tool, input);
  await launch("xdg-open", ["about:blank"], env);
  await runInTerminal("vi", ["-es", "-c", "q"], env).catch(() => undefined);
}

describe("no program that an agent may write starts outside the sandbox", () => {
  test("whatever PATH holds", async () => {
    const repo = await repository();
    const places = Object.values(ways).map((way) => way(repo));
    const { mark, planted } = plant(repo, [...new Set(places.map(({ at }) => at))]);
    expect(places.length * programs.length).toBeGreaterThanOrEqual(200);
    await useAll(repo, places.map(({ path }) => path).join(":"));
    expect(planted).toBeGreaterThanOrEqual(100);
    expect(started(mark)).toBe("");
  });

  test("nor does one to which a link leads, or one of another workspace of the same person", async () => {
    const repo = await repository();
    const other = join(repo.env["HOME"] ?? "", "other");
    mkdirSync(other);
    const there = await repo.reopen({ workspace: other });
    // The first change makes Wield remember the folder, so a later process knows it too.
    await there.call("write_file", { path: "bin/x", content: "", createDirs: true });
    const { mark } = plant(repo, [`${repo.root}/bin`, `${other}/bin`]);
    const outside = `${repo.env["HOME"]}/links`;
    mkdirSync(outside);
    for (const name of programs) symlinkSync(`${repo.root}/bin/${name}`, join(outside, name));
    await useAll(repo, `${outside}:${other}/bin`);
    expect(started(mark)).toBe("");
  });
});

describe("what the person's PATH or settings would run", () => {
  test.each([
    ["bin/git", "your PATH holds this folder"],
    ["servers/notes.js", "an MCP server runs code of this folder"],
    ["servers/json.py", "an MCP server runs code of this folder"],
  ])("%s is asked about, in mode auto too", async (path, because) => {
    const repo = await repository();
    const mcp = { notes: { command: "node", args: ["servers/notes.js"] } };
    repo.writeConfig("settings.json", JSON.stringify({ mcp }));
    const asked: string[] = [];
    const wield = await repo.reopen({
      env: { ...repo.env, PATH: `${dirname(join(repo.root, "bin/git"))}:${repo.env["PATH"]}` },
      mode: "auto",
      approve: ({ reason }) => {
        asked.push(reason);
        return { approved: false };
      },
    });
    const write = (to: string) => wield.call("write_file", { path: to, content: "x", createDirs: true });
    expect((await write(path)).result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(asked.join()).toContain(because);
    expect((await write("src/a.js")).result.ok).toBe(true);
    const run = await wield.call("run_code", {
      language: "bash",
      code: `mkdir -p bin servers; echo x > ${path}`,
    });
    expect(run.result).not.toMatchObject({ value: { changes: { applied: true } } });
    expect(existsSync(join(repo.root, path))).toBe(false);
  });
});

test.each([
  [["node", "server"], "server.js"],
  [["python3", "-m", "server"], "json.py"],
  [["npm", "run", "mcp"], "lib/a.js"],
  [["npx", "tsx", "src/mcp/main.ts"], "src/mcp/helper.ts"],
  [["./tools/my server.sh"], "tools/part.sh"],
])("of a server that is started by %j, %s is asked about", async ([command = "", ...args], path) => {
  const repo = await repository();
  repo.writeConfig("settings.json", JSON.stringify({ mcp: { own: { command, args } } }));
  const wield = await repo.reopen({ mode: "auto" });
  const write = (to: string) => wield.call("write_file", { path: to, content: "x", createDirs: true });
  expect((await write(path)).result).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
});

test.each([
  ["npx", "-y", "@modelcontextprotocol/server-filesystem", "."],
  ["uvx", "mcp-server-git", "--repository", "."],
  ["docker", "run", "-i", "mcp/fetch"],
])("a server of a package asks about nothing in the folder: %s", async (command, ...args) => {
  const repo = await repository();
  repo.writeConfig("settings.json", JSON.stringify({ mcp: { own: { command, args } } }));
  const wield = await repo.reopen({ mode: "auto" });
  expect((await wield.call("write_file", { path: "a.txt", content: "x" })).result.ok).toBe(true);
});

test("a yes to a command outside the sandbox is not remembered where it runs files of the folder", async () => {
  const repo = await repository();
  repo.write("build.sh", "echo built\n");
  const offered: boolean[] = [];
  const wield = await repo.reopen({
    asker: async (asks) =>
      asks.map(({ remember }) => {
        offered.push(remember !== undefined);
        return { approved: false };
      }),
  });
  for (const code of ["sh ./build.sh", "echo hello"])
    await wield.call("run_code", { language: "bash", code, outside: true, why: "it needs the machine" });
  expect(offered).toEqual([false, true]);
});

test("where git's hooks are is asked about, and what a hook leads to", async () => {
  const repo = await repository();
  repo.git("config", "core.hooksPath", "tools/hooks");
  repo.write("scripts/pc.sh", "exit 0\n");
  mkdirSync(join(repo.root, ".git/hooks"), { recursive: true });
  symlinkSync("../../scripts/pc.sh", join(repo.root, ".git/hooks/pre-commit"));
  const wield = await repo.reopen({ mode: "auto" });
  const write = (path: string) => wield.call("write_file", { path, content: "x", createDirs: true });
  for (const path of ["tools/hooks/pre-commit", "scripts/pc.sh"])
    expect((await write(path)).result).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
  expect((await write("tools/other")).result.ok).toBe(true);
});
