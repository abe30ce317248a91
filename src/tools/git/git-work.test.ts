import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../process/run.ts";
import { no, scriptedPerson, yes } from "../../testing/testing.ts";
import { conventionIn } from "./commit-convention.ts";
import { closeAfterEach, type Repository, repository } from "./repository.suite.ts";
import { type GitOptions, git } from "./run-git.ts";

closeAfterEach();
const approving = { approve: () => yes };

function commit(repo: Repository, path: string, content: string, message: string): void {
  repo.write(path, content);
  repo.git("add", "--all");
  repo.git("commit", "--quiet", `--message=${message}`);
}

describe("git_branch", () => {
  test("lists without asking; creates, switches and deletes after it", async () => {
    const person = scriptedPerson(yes, yes, yes);
    const repo = await repository({ asker: person.asker });
    expect((await repo.wield.call("git_branch", {})).text).toMatch(
      /^\* main [0-9a-f]{9} \d{4}-\d\d-\d\d first$/,
    );
    expect(person.asked).toEqual([]);

    const made = await repo.wield.call("git_branch", { action: "create", name: "topic" });
    expect(made.text).toMatch(/^Created topic at [0-9a-f]{9} and switched to it\.$/);
    commit(repo, "a.txt", "two\n", "second");
    repo.write("untracked.txt", "stays\n");

    const { text } = await repo.wield.call("git_branch", { action: "switch", name: "main" });
    expect(text).toBe("Switched from topic to main. Files changed: a.txt.");
    expect(repo.read("a.txt")).toBe("one\n");
    const asked = person.asked[1]?.[0];
    expect(asked?.preview?.files.map(({ path, change }) => [path, change])).toEqual([["a.txt", "modify"]]);
    expect(asked?.preview?.notes.join()).toContain(
      "undo does not take this back; switch back with git_branch to topic",
    );

    repo.git("merge", "--quiet", "topic");
    const gone = await repo.wield.call("git_branch", { action: "delete", name: "topic" });
    expect(gone.text).toMatch(/^Deleted topic; it was at [0-9a-f]{40}\.$/);
    expect(repo.git("branch", "--list", "topic")).toBe("");
  });

  test("a branch that is not merged stays, and changes that would be lost stop a switch", async () => {
    const repo = await repository(approving);
    repo.git("switch", "--quiet", "--create", "topic");
    commit(repo, "a.txt", "two\n", "second");
    repo.git("switch", "--quiet", "main");
    const { text } = await repo.wield.call("git_branch", { action: "delete", name: "topic" });
    expect(text).toContain("not fully merged");
    repo.write("a.txt", "mine\n");
    const refused = await repo.wield.call("git_branch", { action: "switch", name: "topic" });
    expect(refused.text).toContain("would be overwritten");
    expect(repo.read("a.txt")).toBe("mine\n");
  });

  test("a rule about a path holds for a switch that changes it", async () => {
    const rules = [{ decision: "deny" as const, path: "secret/**", tool: "git_branch" }];
    const repo = await repository({ ...approving, settings: { rules } });
    repo.git("switch", "--quiet", "--create", "topic");
    commit(repo, "secret/key", "k\n", "second");
    const { result } = await repo.wield.call("git_branch", { action: "switch", name: "main" });
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(repo.git("branch", "--show-current")).toBe("topic\n");
  });

  test.each(["--force", "a..b", "-d", "x y", "refs/../x"])("the name %j is refused", async (name) => {
    const repo = await repository(approving);
    for (const action of ["create", "switch", "delete"] as const) {
      const { result } = await repo.wield.call("git_branch", { action, name });
      expect(result).toMatchObject({ error: { code: "INVALID_INPUT" } });
    }
  });
});

describe("git_stash", () => {
  test("sets changes aside and brings them back", async () => {
    const person = scriptedPerson(yes, yes, yes, yes);
    const repo = await repository({ asker: person.asker });
    expect((await repo.wield.call("git_stash", {})).text).toBe("No stashes.");
    repo.write("a.txt", "two\n");
    repo.write("new.txt", "n\n");
    const pushed = await repo.wield.call("git_stash", { action: "push", message: "half", untracked: true });
    expect(pushed.text).toMatch(/^Stashed as [0-9a-f]{9}: a\.txt, new\.txt\./);
    expect(repo.read("a.txt")).toBe("one\n");
    expect(existsSync(join(repo.root, "new.txt"))).toBe(false);
    expect((await repo.wield.call("git_stash", {})).text).toMatch(/^0: \d{4}-\d\d-\d\d On main: half$/);
    expect((await repo.wield.call("git_stash", { action: "pop" })).result.ok).toBe(true);
    expect([repo.read("a.txt"), repo.read("new.txt")]).toEqual(["two\n", "n\n"]);
    expect(person.asked[0]?.[0]?.preview?.notes).toEqual([
      "undo does not take this back; git_stash pop does.",
    ]);
    expect((await repo.wield.call("git_stash", { action: "drop" })).text).toContain("There are no stashes");
  });

  test("a conflict is told, and the stash is kept", async () => {
    const repo = await repository(approving);
    repo.write("a.txt", "two\n");
    await repo.wield.call("git_stash", { action: "push" });
    commit(repo, "a.txt", "three\n", "second");
    const { result, text } = await repo.wield.call("git_stash", { action: "pop" });
    expect(result).toMatchObject({ error: { code: "CONFLICT" } });
    expect(text).toContain("the stash is kept");
    expect(repo.git("stash", "list")).toContain("stash@{0}");
  });
});

describe("git_restore", () => {
  test("discards changes like any other change of files: shown, in the journal, undone", async () => {
    const person = scriptedPerson(yes, yes);
    const repo = await repository({ asker: person.asker });
    repo.write("a.txt", "mine\n");
    repo.write("untracked.txt", "u\n");
    const { text } = await repo.wield.call("git_restore", { paths: ["."] });
    expect(text).toMatch(/changed a\.txt \(\+1 −1\); undo \w+/);
    expect(person.asked[0]?.[0]?.preview?.files[0]?.diff).toContain("-mine\n+one");
    expect([repo.read("a.txt"), repo.read("untracked.txt")]).toEqual(["one\n", "u\n"]);
    await repo.wield.call("undo", {});
    expect(repo.read("a.txt")).toBe("mine\n");
  });

  test("from a commit: binary files, modes, links, files that came later", async () => {
    const repo = await repository(approving);
    const bytes = Buffer.from([0, 255, 10, 13, 10, 128]);
    repo.write("b.bin", bytes);
    repo.write("run.sh", "#!/bin/sh\n");
    chmodSync(join(repo.root, "run.sh"), 0o755);
    symlinkSync("a.txt", join(repo.root, "link"));
    repo.git("add", "--all");
    repo.git("commit", "--quiet", "--message=second");
    repo.git("rm", "--quiet", "b.bin", "run.sh", "link");
    commit(repo, "later.txt", "l\n", "third");
    const { result } = await repo.wield.call("git_restore", { paths: ["."], revision: "HEAD~1" });
    expect(result.ok).toBe(true);
    expect(readFileSync(join(repo.root, "b.bin"))).toEqual(bytes);
    expect(existsSync(join(repo.root, "later.txt"))).toBe(false);
    repo.git("add", "--all");
    expect(repo.git("diff", "--cached", "--stat", "HEAD~1")).toBe("");
    expect((await repo.wield.call("git_restore", { paths: ["a.txt"] })).text).toContain(
      "Nothing in a.txt differs",
    );
  });
});

describe("git_show and git_blame", () => {
  test("a commit with its diff, the first one too; a file as it was", async () => {
    const repo = await repository();
    commit(repo, "a.txt", "two\n", "second\n\nwhy");
    const { text } = await repo.wield.call("git_show", {});
    expect(text).toMatch(/^[0-9a-f]{9} \d{4}-\d\d-\d\d Test\nsecond\n\nwhy\ndiff --git/);
    expect(text).toContain("-one\n+two");
    expect((await repo.wield.call("git_show", { revision: "HEAD~1" })).text).toContain("+one");
    const short = await repo.wield.call("git_show", { stat: true });
    expect(short.text).toMatch(/^[0-9a-f]{9} \S+ Test\nsecond\n\nwhy\na\.txt \(\+1 −1\)$/);
    const then = await repo.wield.call("git_show", { revision: "HEAD~1", path: "a.txt" });
    expect(then.text).toMatch(/^a\.txt in [0-9a-f]{9} .* Test\n1\tone$/);
    expect((await repo.wield.call("git_show", { path: "none.txt" })).result).toMatchObject({
      error: { code: "FILE_NOT_FOUND" },
    });
  });

  test("hidden files are left out of a commit", async () => {
    const rules = [{ decision: "deny" as const, path: "secret/**" }];
    const repo = await repository({ settings: { rules } });
    commit(repo, "secret/key", "topsecret\n", "second");
    const { text } = await repo.wield.call("git_show", {});
    expect(text).toContain("1 changed file is left out");
    expect(text).not.toContain("topsecret");
    const direct = await repo.wield.call("git_show", { path: "secret/key" });
    expect(direct.result.ok).toBe(false);
    expect((await repo.wield.call("git_blame", { path: "secret/key" })).result.ok).toBe(false);
  });

  test("blocks of lines with their commits; lines that are not committed", async () => {
    const repo = await repository();
    commit(repo, "a.txt", "one\ntwo\nthree\n", "second");
    repo.write("a.txt", "one\ntwo\nnew\nthree\n");
    const { text } = await repo.wield.call("git_blame", { path: "a.txt" });
    expect(text.replaceAll(/[0-9a-f]{9}|\d{4}-\d\d-\d\d/g, "…")).toBe(
      "1: … … Test: first\n2: … … Test: second\n3: not committed yet\n4: …",
    );
    const part = await repo.wield.call("git_blame", {
      path: "a.txt",
      startLine: 2,
      endLine: 2,
      revision: "HEAD",
    });
    expect(part.text).toMatch(/^2: [0-9a-f]{9} .* Test: second$/);
  });
});

describe("git_worktree", () => {
  test("adds, lists and removes one inside the workspace", async () => {
    const repo = await repository(approving);
    const added = await repo.wield.call("git_worktree", { action: "add", path: "trees/fix", branch: "fix" });
    expect(added.text).toBe("Added the worktree trees/fix on fix.");
    expect(repo.read("trees/fix/a.txt")).toBe("one\n");
    expect((await repo.wield.call("git_worktree", {})).text).toMatch(
      /^\. .* main\ntrees\/fix [0-9a-f]{9} fix$/,
    );
    repo.write("trees/fix/a.txt", "work\n");
    const dirty = await repo.wield.call("git_worktree", { action: "remove", path: "trees/fix" });
    expect(dirty.text).toContain("modified or untracked files");
    repo.write("trees/fix/a.txt", "one\n");
    const gone = await repo.wield.call("git_worktree", { action: "remove", path: "trees/fix" });
    expect(gone.text).toContain("Removed the worktree trees/fix.");
    expect(existsSync(join(repo.root, "trees/fix"))).toBe(false);
  });

  test("never outside: not through a link, not by the end of another worktree's path", async () => {
    const repo = await repository(approving);
    const outside = join(repo.env["HOME"] ?? "", "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(repo.root, "way"));
    for (const path of ["way/in", "way/deep/er", "../beside", "x/../../beside", ".git/x", "."]) {
      const { result } = await repo.wield.call("git_worktree", { action: "add", path, branch: "x" });
      expect(result.ok).toBe(false);
    }
    expect(existsSync(join(outside, "in")) || existsSync(join(outside, "deep"))).toBe(false);
    repo.git("worktree", "add", "--quiet", "-b", "far", join(outside, "far"));
    const { result } = await repo.wield.call("git_worktree", { action: "remove", path: "far" });
    expect(result.ok).toBe(false);
    expect(existsSync(join(outside, "far/a.txt"))).toBe(true);
  });
});

describe("rules and protected names hold for what git writes", () => {
  /** main with a.txt; the branch other and a stash of untracked files, both with the given file. */
  async function withFile(path: string): Promise<Repository> {
    const repo = await repository();
    repo.git("switch", "--quiet", "--create", "other");
    commit(repo, path, "from the branch\n", "second");
    repo.git("switch", "--quiet", "main");
    repo.write(path, "from the stash\n");
    repo.git("stash", "push", "--quiet", "--include-untracked");
    return repo;
  }
  const calls = [
    ["git_worktree", { action: "add", path: "tree", branch: "other" }, "tree/"],
    ["git_stash", { action: "pop" }, ""],
  ] as const;

  test.each(calls)("%s: a path that a rule denies is not written", async (tool, input, under) => {
    const repo = await withFile("locked/x.txt");
    const rules = [{ decision: "deny" as const, path: "**/locked/**", tool }];
    const wield = await repo.reopen({ ...approving, mode: "auto", settings: { rules } });
    const { result } = await wield.callAny(tool, input);
    expect(result.ok).toBe(false);
    expect(existsSync(join(repo.root, `${under}locked/x.txt`))).toBe(false);
  });

  test.each(calls)("%s: a protected name is asked about and shown", async (tool, input, under) => {
    const person = scriptedPerson(no);
    const repo = await withFile(".envrc");
    const wield = await repo.reopen({ asker: person.asker, mode: "auto" });
    const { result } = await wield.callAny(tool, input);
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(person.asked[0]?.[0]?.reason).toContain(".envrc");
    expect(person.asked[0]?.[0]?.preview?.files.map(({ path }) => path)).toContain(`${under}.envrc`);
    expect(existsSync(join(repo.root, `${under}.envrc`))).toBe(false);
  });

  test("a worktree does not bring hidden files to a place where no rule hides them", async () => {
    const repo = await withFile("secret/key");
    const rules = [{ decision: "deny" as const, path: "secret/**" }];
    const wield = await repo.reopen({ ...approving, settings: { rules } });
    const { result } = await wield.call("git_worktree", { action: "add", path: "tree", branch: "other" });
    expect(result.ok).toBe(false);
    expect(existsSync(join(repo.root, "tree"))).toBe(false);
  });

  test("the yes to a worktree is for the commit that was shown", async () => {
    const person = scriptedPerson(() => {
      repo.git("branch", "--force", "other", "main");
      return yes;
    }, no);
    const repo = await withFile("b.txt");
    const wield = await repo.reopen({ asker: person.asker });
    const { result } = await wield.call("git_worktree", { action: "add", path: "tree", branch: "other" });
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(existsSync(join(repo.root, "tree"))).toBe(false);
  });
});

describe("commit messages", () => {
  test("without a name and an address git commits nothing: that is said before anybody is asked", async () => {
    const person = scriptedPerson();
    const repo = await repository({ asker: person.asker });
    for (const key of ["user.name", "user.email"]) repo.git("config", "--global", "--unset-all", key);
    repo.git("config", "--global", "user.useConfigOnly", "true");
    repo.write("a.txt", "x\n");
    const { text } = await repo.wield.call("git_commit", { message: "feat: x", paths: ["a.txt"] });
    expect(text).toContain("UNAVAILABLE: Git does not know who commits here");
    expect(person.asked).toEqual([]);
    expect(repo.git("status", "--porcelain")).toMatch(/^ M a\.txt|^\?\? a\.txt/);
  });

  test("a message unlike the others is told to the person and to the model, as is the form beforehand", async () => {
    const person = scriptedPerson(yes, yes, yes);
    const repo = await repository({ asker: person.asker });
    for (const n of [1, 2, 3, 4, 5, 6]) commit(repo, "a.txt", `${n}\n`, `fix(core): step ${n}`);
    repo.write("a.txt", "x\n");
    expect((await repo.wield.call("git_status", {})).text).toContain(
      'Commit messages here have a type, perhaps a scope, and a colon, such as "fix(core): step 6".',
    );
    const { text } = await repo.wield.call("git_commit", { message: "changed something", paths: ["a.txt"] });
    expect(text).toContain("The message is unlike the other commits here");
    expect(person.asked[0]?.[0]?.preview?.notes.join()).toContain("unlike the other commits");
    repo.write("a.txt", "y\n");
    const fitting = await repo.wield.call("git_commit", { message: "feat: y", paths: ["a.txt"] });
    expect(fitting.text).toMatch(/^Committed [0-9a-f]{9} on main: a\.txt$/);
    writeFileSync(join(repo.root, ".git/hooks/pre-commit"), "#!/bin/sh\ntrue\n", { mode: 0o755 });
    repo.write("a.txt", "hooked\n");
    const hooked = await repo.wield.call("git_commit", { message: "feat: hooked", paths: ["a.txt"] });
    expect(hooked.text).toMatch(/\nHooks did not run \(pre-commit\): this workspace is not trusted\.$/);
    // The example is the person's, not what an agent has just committed.
    repo.write("a.txt", "z\n");
    expect((await repo.wield.call("git_status", {})).text).toContain('such as "fix(core): step 6"');
  });

  test("forms are seen where most messages have them", () => {
    const five = (form: (n: number) => string) => [1, 2, 3, 4, 5].map(form);
    expect(conventionIn(five((n) => `ABC-${n} do it`))?.description).toContain("ticket");
    expect(conventionIn(five((n) => `net/http: part ${n}`))?.description).toContain("area");
    expect(conventionIn(five((n) => `Part ${n}\n\nSigned-off-by: A <a@b.c>`))?.fits("Part 6")).toBe(false);
    expect(conventionIn(["fix: a", "Other", "Thing", "More", "feat: b"])).toBeUndefined();
    expect(conventionIn(["fix: a"])).toBeUndefined();
  });
});

describe("a hostile repository", () => {
  const calls: [string, Record<string, unknown>][] = [
    ["git_show", {}],
    ["git_blame", { path: "a.txt" }],
    ["git_branch", { action: "switch", name: "other" }],
    ["git_stash", { action: "push" }],
    ["git_restore", { paths: ["a.txt"] }],
    ["git_worktree", { action: "add", path: "tree", branch: "other" }],
    ["pull_request", {}],
  ];
  const settings = [
    "core.fsmonitor",
    "core.sshCommand",
    "diff.external",
    "diff.x.textconv",
    "filter.x.smudge",
    "filter.x.clean",
    "merge.x.driver",
    "credential.helper",
    "gpg.program",
  ];

  test.each(calls)("%s runs no program of it", async (tool, input) => {
    const repo = await repository(approving);
    const marker = join(repo.env["HOME"] ?? "", "ran");
    repo.git("branch", "other");
    repo.git("remote", "add", "origin", "https://github.com/owner/name.git");
    repo.write(".gitattributes", "* filter=x diff=x merge=x\n");
    repo.write("a.txt", "changed\n");
    for (const key of settings) {
      repo.git("config", key, `touch ${marker}; cat`);
      const { result } = await repo.wield.callAny(tool, input);
      expect(result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
      repo.git("config", "--unset", key);
    }
    expect(existsSync(marker)).toBe(false);
  });

  test.each(calls)(
    "%s runs no hook and no alias, and reads no file that a setting names",
    async (tool, input) => {
      const repo = await repository(approving);
      const marker = join(repo.env["HOME"] ?? "", "ran");
      repo.git("branch", "other");
      mkdirSync(join(repo.root, ".git/hooks"), { recursive: true });
      for (const hook of [
        "post-checkout",
        "pre-commit",
        "post-index-change",
        "reference-transaction",
        "post-commit",
      ])
        writeFileSync(join(repo.root, ".git/hooks", hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
      const name = { git_worktree: "worktree", pull_request: "remote" }[tool] ?? tool.slice(4);
      repo.git("config", `alias.${name}`, `!touch ${marker}`);
      repo.git("config", "core.hooksPath", join(repo.root, ".git/hooks"));
      repo.git("config", "blame.ignoreRevsFile", "/etc/passwd");
      repo.git("config", "mailmap.file", "/etc/passwd");
      repo.write("a.txt", "changed\n");
      const { text } = await repo.wield.callAny(tool, input);
      expect(text).not.toContain("root:");
      expect(existsSync(marker)).toBe(false);
    },
  );

  test.each([
    "blame.ignoreRevsFile",
    "core.attributesFile",
    "core.excludesFile",
    "diff.orderFile",
    "mailmap.file",
    "commit.template",
  ])("no tool repeats a line of the file that %s names, however it is set", async (name) => {
    const repo = await repository(approving);
    const secret = join(repo.env["HOME"] ?? "", "secret");
    writeFileSync(secret, "$hidden $hidden\n");
    const included = join(repo.root, "included");
    const ways = [
      () => repo.git("config", name, secret),
      () => {
        repo.git("config", "--unset", name);
        repo.git("config", "extensions.worktreeConfig", "true");
        repo.git("config", "--worktree", name, secret);
      },
      () => {
        repo.git("config", "--worktree", "--unset", name);
        repo.git("config", "--file", included, name, secret);
        repo.git("config", "include.path", included);
      },
    ];
    for (const set of ways) {
      set();
      repo.write("a.txt", "changed\n");
      // The lines that are asked for are not there, so git fails with all that it has to say.
      for (const [tool, input] of [
        ...calls,
        ["git_blame", { path: "a.txt", startLine: 9 }] as const,
        ["git_status", {}] as const,
        ["git_diff", {}] as const,
        ["git_commit", { message: "m", paths: ["a.txt"] }] as const,
      ])
        expect((await repo.wield.callAny(tool, input)).text).not.toContain("$hidden");
    }
  });

  test("the commits that a file of the workspace names are left out of a blame", async () => {
    const repo = await repository();
    const [first = ""] = repo.git("rev-parse", "HEAD").split("\n");
    repo.write("a.txt", "one \n");
    repo.git("commit", "--quiet", "--all", "--message=format");
    repo.write(
      "ignored-commits",
      `# formatting\n${repo.git("rev-parse", "HEAD")}${"1".repeat(40)}\nno commit\n`,
    );
    const blame = async () => (await repo.wield.callAny("git_blame", { path: "a.txt" })).text;
    expect(await blame()).not.toContain(first.slice(0, 9));
    repo.git("config", "blame.ignoreRevsFile", "ignored-commits");
    expect(await blame()).toContain(first.slice(0, 9));
  });

  test.each(["git_status", "git_diff"])("%s repeats no file that a submodule links to", async (tool) => {
    const repo = await repository(approving);
    const secret = join(repo.env["HOME"] ?? "", "secret");
    writeFileSync(secret, "hidden\n");
    repo.git("init", "--quiet", "sub");
    repo.git("-C", "sub", "commit", "--quiet", "--allow-empty", "--message=first");
    const head = repo.git("-C", "sub", "rev-parse", "HEAD").trim();
    repo.git("update-index", "--add", "--cacheinfo", `160000,${head},sub`);
    const objects = join(repo.root, "sub/.git/objects");
    rmSync(join(objects, head.slice(0, 2)), { recursive: true });
    symlinkSync(secret, join(objects, "info/alternates"));
    const { result, text } = await repo.wield.callAny(tool, {});
    expect(result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
    expect(text).toContain("a link at sub/.git/objects/info/alternates");
    expect(text).not.toContain("hidden");
  });

  test.each(calls)("%s does not follow a .git that leads elsewhere", async (tool, input) => {
    const other = await repository();
    const repo = await repository(approving);
    writeFileSync(join(repo.root, ".git/objects/info/alternates"), `${join(other.root, ".git/objects")}\n`);
    const { result } = await repo.wield.callAny(tool, input);
    expect(result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
  });

  test.each(["--output=x", "-c", "a b", "HEAD:a.txt"])("the revision %j is refused", async (revision) => {
    const repo = await repository(approving);
    for (const [tool, input] of [
      ["git_show", { revision }],
      ["git_blame", { path: "a.txt", revision }],
      ["git_restore", { paths: ["a.txt"], revision }],
      ["git_branch", { action: "create", name: "new", from: revision }],
    ] as const) {
      expect((await repo.wield.callAny(tool, input)).result).toMatchObject({
        error: { code: "INVALID_INPUT" },
      });
    }
  });
});

describe("what the git directory of a repository that nobody trusts leads to", () => {
  const leads: Record<string, (gitDir: string, victim: string) => void> = {
    "a link of a reflog": (gitDir, victim) => {
      mkdirSync(join(gitDir, "logs/refs/heads"), { recursive: true });
      rmSync(join(gitDir, "logs/refs/heads/main"), { force: true });
      symlinkSync(victim, join(gitDir, "logs/refs/heads/main"));
    },
    "a folder of reflogs": (gitDir, victim) => {
      rmSync(join(gitDir, "logs/refs/heads"), { recursive: true, force: true });
      mkdirSync(join(gitDir, "logs/refs"), { recursive: true });
      symlinkSync(join(victim, ".."), join(gitDir, "logs/refs/heads"));
    },
    "a second name of a file": (gitDir, victim) => {
      rmSync(join(gitDir, "COMMIT_EDITMSG"), { force: true });
      linkSync(victim, join(gitDir, "COMMIT_EDITMSG"));
    },
    "a link deep in its own folders": (gitDir, victim) => {
      mkdirSync(join(gitDir, "rebase-merge/a/b/c"), { recursive: true });
      symlinkSync(victim, join(gitDir, "rebase-merge/a/b/c/d"));
    },
  };
  const calls: [string, Record<string, unknown>][] = [
    ["git_commit", { message: "m", paths: ["a.txt"] }],
    ["git_stash", { action: "push" }],
    ["git_branch", { action: "create", name: "other" }],
    ["git_status", {}],
  ];
  test.each(Object.entries(leads))("%s: nothing is written there, and it is named", async (_, lead) => {
    const repo = await repository(approving);
    const victim = join(repo.env["HOME"] ?? "", "main");
    writeFileSync(victim, "the person's own\n");
    repo.git("config", "user.name", "$(touch ran)");
    lead(join(repo.root, ".git"), victim);
    repo.write("a.txt", "changed\n");
    for (const [tool, input] of calls) {
      const { result, text } = await repo.wield.callAny(tool, input);
      expect(result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
      expect(text).toMatch(/a (hard )?link at \.git\//);
    }
    expect(readFileSync(victim, "utf8")).toBe("the person's own\n");
  });

  test("git itself writes nothing outside the repository, whatever it follows", async () => {
    const repo = await repository(approving);
    const victim = join(repo.env["HOME"] ?? "", "main");
    writeFileSync(victim, "the person's own\n");
    for (const lead of [leads["a link of a reflog"], leads["a folder of reflogs"]]) {
      lead?.(join(repo.root, ".git"), victim);
      const { workspace } = repo.wield;
      const options = { env: () => repo.env, trusted: () => false, forge: () => ({}) };
      const commit = ["commit", "--allow-empty", "--message=m"];
      await git(commit, { workspace, run: runCommand }, options as unknown as GitOptions).catch(() => "");
    }
    expect(readFileSync(victim, "utf8")).toBe("the person's own\n");
  });

  test("a submodule of the past runs nothing, whatever its settings say", async () => {
    const repo = await repository(approving);
    const marker = join(repo.env["HOME"] ?? "", "ran");
    repo.git("init", "--quiet", "sub");
    const inside = (...args: string[]) => repo.git("-C", "sub", ...args);
    inside("commit", "--quiet", "--allow-empty", "--message=one");
    const commits = [inside("rev-parse", "HEAD").trim()];
    inside("commit", "--quiet", "--allow-empty", "--message=two");
    commits.push(inside("rev-parse", "HEAD").trim());
    for (const hash of commits) {
      repo.git("update-index", "--add", "--cacheinfo", `160000,${hash},sub`);
      repo.git("commit", "--quiet", "--message=sub");
    }
    repo.git("rm", "--quiet", "--cached", "sub");
    repo.git("remote", "add", "origin", "https://example.invalid/owner/name.git");
    repo.git("config", "diff.submodule", "diff");
    inside("config", "diff.external", `touch ${marker}; true`);
    repo.write("a.txt", "changed\n");
    for (const [tool, input] of [
      ["git_push", {}],
      ["git_stash", { action: "push" }],
    ] as const)
      await repo.wield.callAny(tool, input);
    expect(existsSync(marker)).toBe(false);
  });

  test("a push is searched for secrets as it is, not as a replacement shows it", async () => {
    const repo = await repository(approving);
    const key = `AKIA${"IOSFODNN7EXAMPLF"}`;
    commit(repo, "b.txt", `${key}\n`, "second");
    commit(repo, "b.txt", "gone\n", "third");
    repo.git("replace", "--graft", "HEAD", "HEAD~2");
    repo.git("remote", "add", "origin", "https://example.invalid/owner/name.git");
    const { result } = await repo.wield.call("git_push", {});
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  });

  test("an ordinary submodule, and hooks that are links, are no hindrance", async () => {
    const repo = await repository();
    const other = join(repo.env["HOME"] ?? "", "other");
    repo.git("clone", "--quiet", repo.root, other);
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
    repo.git("commit", "--quiet", "--message=sub");
    mkdirSync(join(repo.root, ".git/hooks"), { recursive: true });
    symlinkSync("../../a.txt", join(repo.root, ".git/hooks/pre-commit"));
    expect((await repo.wield.call("git_status", {})).text).toContain("On main");
  });
});
