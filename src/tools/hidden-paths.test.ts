import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";

const marker = "xyzzySecret";
const rules = [{ decision: "deny" as const, path: "vault/**" }];
const files = {
  "open/a.ts":
    "import { xyzzySecret } from '../vault/key.ts';\nexport function useIt() { return 'plain'; }\n",
  "open/b.txt": "plain\n",
  "vault/key.ts": `import { useIt } from '../open/a.ts';\nexport function ${marker}() { return useIt(); }\nexport class ${marker}Box {}\n`,
  "vault/deep/note.txt": `${marker} plain\n`,
  "vault/odd\nname.txt": `function ${marker}() plain\n`,
  "vault/odd\u2028name.ts": `export function ${marker}Odd() { return "plain"; }\n`,
};

let place: TestWield;
beforeEach(async () => {
  place = await testWield(files, { settings: { rules } });
});
afterEach(() => place.close());

const call = async (tool: string, input: Record<string, unknown>) => place.wield.callAny(tool, input);

describe("denied paths never appear in listings, searches or runs", () => {
  test.each<[string, Record<string, unknown>]>([
    ["search_files", { pattern: "Secret|plain" }],
    ["grep", { pattern: "Secret|plain" }],
    ["grep", { pattern: "xyzzySecret" }],
    ["find_files", { pattern: "*" }],
    ["glob", { pattern: "**/*" }],
    ["list_files", { path: ".", recursive: true }],
    ["list_directory", { path: "." }],
    ["tree", { path: ".", depth: 3 }],
    ["definition", { symbol: marker }],
    ["find_definition", { symbol: marker }],
    ["references", { symbol: "useIt" }],
    ["references", { symbol: marker }],
    ["graph", { operation: "callers", target: "useIt" }],
    ["graph", { operation: "importers", target: "open/a.ts" }],
    ["find_importers", { modulePath: "open/a.ts" }],
    ["search_types", { pattern: "*Box" }],
    ["search_code", { query: `${marker} plain` }],
  ])("%s %j", async (tool, input) => {
    // Twice: the second answer comes from a warm index.
    for (let turn = 0; turn < 2; turn++) {
      const { result, text } = await call(tool, input);
      const told = `${text} ${JSON.stringify(result.ok ? result.value : result.error)}`;
      // The one file outside that names it may be quoted.
      expect(told.replaceAll("'../vault/key.ts'", "")).not.toContain("vault");
      expect(told).not.toContain(`function ${marker}`);
      expect(told).not.toContain(`${marker}Box {`);
    }
  });

  test.each<[string, Record<string, unknown>]>([
    ["graph", { operation: "importers", target: "vault/key.ts" }],
    ["graph", { operation: "imports", target: "vault/key.ts" }],
    ["graph", { operation: "callees", target: marker }],
    ["find_importers", { modulePath: "vault/key.ts" }],
  ])("%s %j is as if nothing were there", async (tool, input) => {
    expect((await call(tool, input)).result).toMatchObject({ error: { code: "FILE_NOT_FOUND" } });
  });

  test("the model is told that something may be hidden, where it looks around", async () => {
    expect((await call("find_files", { pattern: "*" })).text).toMatch(
      /^\(The person's rules may hide paths from this tool\.\)/,
    );
    expect((await call("read_file", { path: "open/b.txt" })).text).not.toContain("hide");
  });
});

describe("a denied path is denied by every name it has", () => {
  test.each([
    "vault/key.ts",
    "./vault/key.ts",
    "open/../vault/key.ts",
    "vault//key.ts",
    "VAULT/key.ts",
    "vault/odd\u2028name.ts",
  ])("%s", async (path) => {
    const { result, text } = await call("read_file", { path });
    expect(result.ok).toBe(false);
    expect(text).not.toContain(`function ${marker}`);
  });

  test("through a link, for one file and for a folder", async () => {
    symlinkSync("../vault", join(place.root, "open/way"));
    symlinkSync("../vault/key.ts", join(place.root, "open/direct.ts"));
    for (const [tool, input] of [
      ["read_file", { path: "open/way/key.ts" }],
      ["read_file", { path: "open/direct.ts" }],
      ["batch_read", { reads: [{ file: "open/direct.ts" }] }],
      ["read", { file: "open/direct.ts" }],
      ["read", { file: "open/way/../../vault/key.ts" }],
      ["tree", { path: "open/way" }],
      ["glob", { pattern: "*", path: "open/way" }],
      ["search_code", { query: marker, path: "open/way" }],
      ["search_files", { pattern: marker, path: "open/direct.ts" }],
      ["references", { symbol: marker, path: "open/way" }],
      ["list_files", { path: "open/way" }],
      ["symbols", { file: "open/direct.ts" }],
      ["grep", { pattern: marker, path: "open/way" }],
    ] as const) {
      const { result, text } = await call(tool, input);
      expect(text, tool).not.toContain(`function ${marker}`);
      expect(text, tool).not.toContain("key.ts:");
      expect(result, tool).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    }
  });
});

test.each<[string, string, Record<string, unknown>]>([
  ["grep", "pattern", {}],
  ["grep", "pattern", { mode: "files" }],
  ["grep", "pattern", { mode: "count" }],
  ["search_files", "pattern", {}],
  ["search_code", "query", {}],
  ["definition", "symbol", {}],
  ["find_definition", "symbol", {}],
  ["references", "symbol", {}],
])("%s does not tell by its words what a hidden file holds: %s %j", async (tool, field, more) => {
  const about = async (words: string) => {
    const { text } = await call(tool, { [field]: words, ...more });
    return text.replaceAll(words, "");
  };
  for (let turn = 0; turn < 2; turn++)
    expect(await about("xyzzySecretBox")).toBe(await about("xyzzySecretBoy"));
});

describe.skipIf(process.platform !== "linux")("what no tool can open is hidden by its whole path", () => {
  const odd = (folder: string, ...name: number[]) =>
    Buffer.concat([Buffer.from(`${place.root}/${folder}/`), Buffer.from(name), Buffer.from("-merger.txt")]);
  /** No path leads so deep; each step is made by its own name. */
  const deep = (folder: string, last: string) => {
    const script =
      "import os, sys; os.makedirs(sys.argv[1], exist_ok=True); os.chdir(sys.argv[1])\nfor _ in range(25): os.mkdir('x' * 200); os.chdir('x' * 200)\nopen(sys.argv[2], 'w').write('plain')";
    execFileSync("/usr/bin/python3", ["-c", script, folder, last], { cwd: place.root });
  };
  const searches = [
    ["grep", { pattern: "plain" }],
    ["grep", { pattern: "plain", mode: "files" }],
    ["grep", { pattern: "nowhere at all" }],
    ["search_files", { pattern: "plain" }],
    ["search_files", { pattern: "nowhere at all" }],
    ["list_directory", { path: ".", recursive: true }],
    ["list_files", { path: ".", recursive: true }],
    ["find_files", { pattern: "*" }],
    ["glob", { pattern: "**/*" }],
  ] as const;
  const told = async (tool: string, input: Record<string, unknown>, isWarm = false) => {
    const wield = await place.reopen({ settings: { rules } });
    if (isWarm) await wield.callAny("definition", { symbol: "useIt" });
    const { result, text } = await wield.callAny(tool, input);
    expect(result.ok, tool).toBe(true);
    return `${text} ${JSON.stringify(result)}`.replaceAll("'../vault/key.ts'", "");
  };

  test.each(searches)("a name that is not UTF-8: %s %j", async (tool, input) => {
    writeFileSync(odd("vault", 0xff), "plain\n");
    place.write(".wieldignore", "caf?-merger.txt\n");
    writeFileSync(odd("open", 0x63, 0x61, 0x66, 0xe9), "plain\n");
    for (const isWarm of [false, true]) expect(await told(tool, input, isWarm)).not.toMatch(/merger|vault/);
  });

  test.each(searches)("a path that is too long: %s %j", async (tool, input) => {
    // In the middle, where it is not shown; at the beginning; and behind a line break.
    deep(`open/${"y".repeat(60)}/vault`, "merger.txt");
    deep("vault/far", "merger.txt");
    deep("vault/odd\nopen", "merger.txt");
    const other = [...rules, { decision: "deny" as const, path: "**/vault/**" }];
    const cold = await place.reopen({ settings: { rules: other } });
    const { result, text } = await cold.callAny(tool, input);
    expect(result.ok).toBe(true);
    expect(`${text} ${JSON.stringify(result)}`).not.toMatch(/xxxxx|merger/);
  });

  test("beside it, what may be seen is told, and no shortened path passes for a file", async () => {
    writeFileSync(odd("open", 0xff), "plain\n");
    deep("open/far", "merger.txt");
    for (const [tool, input] of searches) {
      const said = await told(tool, input);
      if (tool === "glob" || tool === "find_files") expect(said, tool).not.toContain("…");
      else expect(said, tool).toMatch(/x…x/);
      if (JSON.stringify(input).includes("nowhere")) expect(said, tool).not.toContain("merger");
      else expect(said, tool).toContain("\\xff-merger.txt");
    }
  });

  test.each(["caf?-merger.txt", "café-merger.txt"])("a rule for %s takes its odd spelling", async (path) => {
    writeFileSync(odd("open", 0x63, 0x61, 0x66, 0xe9), "plain\n");
    const cold = await place.reopen({ settings: { rules: [{ decision: "deny", path }] } });
    for (const [tool, input] of searches)
      expect(JSON.stringify(await cold.callAny(tool, input)), tool).not.toContain("merger");
  });
});

test("a rule that asks hides a path from a search, and not from a call that a person answered", async () => {
  const person = scriptedPerson(yes);
  const asking = [{ decision: "ask" as const, path: "vault/**" }];
  const other = await testWield(files, { settings: { rules: asking }, asker: person.asker });
  try {
    expect((await other.wield.call("grep", { pattern: marker })).text).not.toContain("function");
    expect(person.asked).toEqual([]);
    expect((await other.wield.call("grep", { pattern: marker, path: "vault" })).text).toContain(
      "vault/key.ts",
    );
    expect(person.asked).toHaveLength(1);
  } finally {
    await other.close();
  }
});

test("an allowed part of a denied folder is found", async () => {
  const except = [...rules, { decision: "allow" as const, path: "vault/deep/**" }];
  const other = await place.reopen({ settings: { rules: except } });
  const { text } = await other.call("search_files", { pattern: marker });
  expect(text).toContain("vault/deep/note.txt");
  expect(text).not.toContain("function");
});

test("git tools show neither its name nor its changes", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: place.root });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  place.write("open/b.txt", "changed\n");
  place.write("vault/key.ts", `// ${marker} changed\n`);
  place.write("vault/deep/note.txt", "renamed\n");
  for (const [tool, input] of [
    ["git_diff", {}],
    ["git_diff", { revision: "HEAD" }],
    ["git_status", {}],
  ] as const) {
    const { text } = await call(tool, input);
    expect(text, tool).toContain("open/b.txt");
    expect(text, tool).not.toContain("vault");
    expect(text, tool).not.toContain(marker);
    expect(text, tool).toContain("2 changed files are left out: the person's rules hide them.");
  }
  place.write("vault/deep/note.txt", `${marker} plain\n`);
  git("mv", "vault/deep/note.txt", "open/moved.txt");
  expect((await call("git_status", {})).text).not.toContain("vault");
});

test("a merge that is under way mixes up no parts of a diff", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: place.root });
  git("init", "-q", "--initial-branch=main");
  git("add", ".");
  git("commit", "-qm", "first");
  for (const branch of ["other", "main"]) {
    git("checkout", "-q", "-B", branch, ...(branch === "other" ? [] : ["HEAD~1"]));
    place.write("vault/key.ts", `// ${marker} ${branch}\n`);
    git("commit", "-qam", branch);
  }
  expect(() => git("merge", "-q", "other")).toThrow();
  // Told in two parts under one name, as the file with conflicts is told in one part under two.
  rmSync(join(place.root, "open/b.txt"));
  symlinkSync("a.ts", join(place.root, "open/b.txt"));
  for (const input of [{}, { staged: true }]) {
    const { result, text } = await call("git_diff", input);
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`vault|${marker}`));
    expect(text).toContain("Finish the merge, or name one path.");
  }
  const { text } = await call("git_diff", { path: "open" });
  expect(text).toContain("deleted file mode 100644");
  expect(text).toContain("new file mode 120000");
  expect(text).not.toContain(marker);
});

test("what is gone from the folder stays hidden in the history", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: place.root });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  git("rm", "-rq", "vault");
  git("commit", "-qm", "second");
  const revision = "HEAD~1..HEAD";
  for (const path of ["vault", "vault/key.ts", "./vault/deep/../key.ts"]) {
    for (const tool of ["git_diff", "git_log"])
      expect((await call(tool, { path, revision })).result).toMatchObject({
        error: { code: "APPROVAL_DENIED" },
      });
  }
  expect((await call("git_diff", { revision })).result).toMatchObject({
    value: { diff: "", files: [], leftOut: 4 },
  });
});

test("what became a link is shown whole beside what is hidden", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: place.root });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  rmSync(join(place.root, "open/b.txt"));
  symlinkSync("a.ts", join(place.root, "open/b.txt"));
  place.write("vault/key.ts", `// ${marker} changed\n`);
  const { result } = await call("git_diff", {});
  expect(result).toMatchObject({ value: { files: [{ path: "open/b.txt" }], leftOut: 1 } });
  expect(JSON.stringify(result)).toContain("new file mode 120000");
  expect(JSON.stringify(result)).not.toContain(marker);
});

test("git tools do not reach it by another way into the history", async () => {
  const person = scriptedPerson(yes, yes);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: place.root,
      encoding: "utf8",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  const tree = (path: string) => git("rev-parse", `HEAD:${path}`).trim();
  for (const revision of [
    "HEAD:vault..HEAD:open",
    "HEAD:open/b.txt..HEAD:vault/key.ts",
    `${tree("open")}..${tree("vault")}`,
    `${tree("vault")}...HEAD`,
    tree("vault"),
  ]) {
    const { result, text } = await call("git_diff", { revision });
    expect(result.ok, revision).toBe(false);
    expect(text, revision).not.toContain(marker);
  }
  place.write("vault/key.ts", "changed\n");
  const asked = await place.reopen({ settings: { rules }, asker: person.asker });
  const { result } = await asked.call("git_commit", { message: "m", paths: ["."] });
  expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  expect(JSON.stringify(result)).toContain("changed files: 1");
  expect(JSON.stringify(result)).not.toContain("vault");
  expect(git("log", "--oneline").trim().split("\n")).toHaveLength(1);
});

describe.skipIf(!existsSync("/usr/bin/bwrap"))("code in the sandbox", () => {
  const run = async (code: string) => (await call("run_code", { language: "bash", code })).result;

  test("finds the folder empty, and cannot change or move it", async () => {
    const result = await run(
      "cat open/b.txt; cat vault/key.ts; ls -A vault; mv vault elsewhere; rm -rf vault; cp -r vault copy; grep -r xyzzySecret . ; true",
    );
    expect(result).toMatchObject({ ok: true, value: { exitCode: 0 } });
    const told = JSON.stringify(result);
    expect(told).toContain("plain");
    expect(told).not.toContain("function xyzzySecret");
    expect(told).not.toContain("deep");
    expect(place.read("vault/key.ts")).toContain(marker);
    expect(place.read("vault/deep/note.txt")).toContain(marker);
  });

  test("what nobody works with is hidden, too: .git, and names that are not text", async () => {
    place.write(".git/config", `[x]\n${marker}\n`);
    const git = await place.reopen({ settings: { rules: [{ decision: "deny", path: ".git/**" }] } });
    const { text } = await git.call("run_code", { language: "bash", code: "cat .git/config; ls -A .git" });
    expect(text).not.toContain(marker);

    const odd = Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0xff])]);
    writeFileSync(Buffer.concat([odd, Buffer.from(".pem")]), `${marker}\n`);
    const code = { language: "bash", code: "cat *.pem" };
    const pem = await place.reopen({ settings: { rules: [{ decision: "deny", path: "*.pem" }] } });
    expect((await pem.callAny("run_code", code)).result).toMatchObject({
      error: { code: "SANDBOX_UNAVAILABLE" },
    });
    expect((await call("run_code", code)).text).toContain(marker);
    mkdirSync(odd);
    expect((await pem.callAny("run_code", code)).result.ok).toBe(false);
  });

  test("single files are empty where only they are denied", async () => {
    const other = await place.reopen({ settings: { rules: [{ decision: "deny", path: "**/*.ts" }] } });
    const { result } = await other.call("run_code", {
      language: "bash",
      code: "cat vault/key.ts open/a.ts; cat vault/deep/note.txt; echo x > open/a.ts; mv open opened; cat opened/a.ts",
    });
    expect(result).toMatchObject({ ok: true });
    expect(JSON.stringify(result)).toContain(`${marker} plain`);
    expect(JSON.stringify(result)).not.toContain("function");
    expect(place.read("vault/key.ts")).toContain(marker);
  });

  /** Runs code that says `ready`, and does something then. A name that was looked for in vain is not looked for again inside. */
  const whenReady = async (code: string, then: () => void) => {
    const off = place.wield.on((event) => {
      if (event.type !== "call-progress" || !event.output?.includes("ready")) return;
      off();
      then();
    });
    return call("run_code", { language: "bash", code: `echo ready; ${code}` });
  };

  test("what appears while it runs is not told, and nothing of the run is applied", async () => {
    await place.wield.settings.change((settings) => ({
      ...settings,
      rules: [{ decision: "deny", path: "**/*.pem" }],
    }));
    const { result, text } = await whenReady(
      "echo made > open/made.txt; until ls open | grep -q late; do sleep 0.05; done; cat open/late.pem",
      () => place.write("open/late.pem", `${marker}\n`),
    );
    expect(result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
    expect(text).not.toContain(marker);
    expect(text).not.toContain("late.pem");
    expect(existsSync(join(place.root, "open/made.txt"))).toBe(false);
    const again = await run("cat open/*.pem open/b.txt");
    expect(JSON.stringify(again)).toContain("plain");
    expect(JSON.stringify(again)).not.toContain(marker);
  });

  test("what is hidden stays so when it is saved anew, or gets another name, at the same time", async () => {
    const saved = await whenReady(
      "until ls open | grep -q saved; do sleep 0.05; done; cat vault/* vault/deep/*; true",
      () => {
        place.write("vault/key.tmp", `${marker} anew\n`);
        renameSync(join(place.root, "vault/key.tmp"), join(place.root, "vault/key.ts"));
        place.write("open/saved.txt", "x\n");
      },
    );
    expect(saved.result.ok).toBe(true);
    expect(saved.text).not.toContain(marker);
    const linked = await whenReady(
      "until ls open | grep -q late; do sleep 0.05; done; cat open/late.ts",
      () => linkSync(join(place.root, "vault/key.ts"), join(place.root, "open/late.ts")),
    );
    expect(linked.text).not.toContain(marker);
    expect(linked.result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
  });

  test("a file that is saved anew under its own denied name stays empty", async () => {
    const other = await place.reopen({ settings: { rules: [{ decision: "deny", path: "vault/key.ts" }] } });
    const off = other.on((event) => {
      if (event.type !== "call-progress" || !event.output?.includes("ready")) return;
      off();
      place.write("vault/key.tmp", `${marker} anew\n`);
      renameSync(join(place.root, "vault/key.tmp"), join(place.root, "vault/key.ts"));
      place.write("open/saved.txt", "x\n");
    });
    const code = "echo ready; until ls open | grep -q saved; do sleep 0.05; done; cat vault/key.ts";
    const { text } = await other.call("run_code", { language: "bash", code });
    expect(text).toContain("ready");
    expect(text).not.toContain(marker);
  });

  test("the session for other people's tools hides the same", async () => {
    const session = await place.wield.sandboxSession();
    expect((await session.run({ command: "cat vault/key.ts || true" })).stdout).toBe("");
    await expect(session.readTextFile({ path: "vault/key.ts" })).rejects.toMatchObject({
      code: "APPROVAL_DENIED",
    });
    expect(await session.listDirectory?.({ path: "." })).toEqual([{ name: "open", type: "directory" }]);
  });
});
