import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { no, scriptedPerson, testWield, yes } from "../../testing/testing.ts";
import { parseStatus } from "./git-status.ts";
import { closeAfterEach, closeAfterTest, type Repository, repository } from "./repository.suite.ts";

closeAfterEach();

describe("reading", () => {
  test("git_status: branch, staged, unstaged, renamed, untracked, strange names", async () => {
    const repo = await repository();
    repo.write("b c.txt", "new\n");
    repo.git("mv", "a.txt", "renamed.txt");
    repo.write("ü\n.txt", "");
    const { result, text } = await repo.wield.call("git_status", {});
    expect(result).toMatchObject({
      value: {
        branch: "main",
        upstream: null,
        files: [
          { path: "renamed.txt", from: "a.txt", staged: "R", unstaged: "." },
          { path: "b c.txt", staged: ".", unstaged: "?" },
          { path: "ü\n.txt", unstaged: "?" },
        ],
      },
    });
    expect(text).toContain("ü\\n.txt");
  });

  test("the distance to the upstream is read", () => {
    expect(
      parseStatus("# branch.head main\0# branch.upstream origin/main\0# branch.ab +2 -3\0"),
    ).toMatchObject({ branch: "main", upstream: "origin/main", ahead: 2, behind: 3 });
  });

  test("git_diff: working tree, staged, revision, one path", async () => {
    const repo = await repository();
    repo.write("a.txt", "two\n");
    expect((await repo.wield.call("git_diff", {})).text).toContain("-one\n+two");
    expect((await repo.wield.call("git_diff", { staged: true })).text).toBe("No differences.");
    repo.git("commit", "--quiet", "--all", "--message=second");
    expect(
      (await repo.wield.call("git_diff", { revision: "HEAD~1..HEAD", path: "a.txt" })).result,
    ).toMatchObject({
      value: { files: [{ path: "a.txt", added: 1, removed: 1 }] },
    });
  });

  test("git_log: commits newest first, by path, none yet", async () => {
    const repo = await repository();
    repo.write("b.txt", "");
    repo.git("add", ".");
    repo.git("commit", "--quiet", "--message=second\n\nwith a body");
    const { result } = await repo.wield.call("git_log", {});
    expect(result).toMatchObject({
      value: { commits: [{ subject: "second", body: "with a body", author: "Test" }, { subject: "first" }] },
    });
    expect((await repo.wield.call("git_log", { path: "a.txt" })).result).toMatchObject({
      value: { commits: [{ subject: "first" }] },
    });
  });

  test.each(["--output=/tmp/x", "-c", "a b"])("the revision %j is refused", async (revision) => {
    const repo = await repository();
    expect((await repo.wield.call("git_diff", { revision })).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
    expect((await repo.wield.call("git_log", { revision })).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
  });

  test("no repository, or one that starts above: told", async () => {
    const repo = await repository();
    mkdirSync(join(repo.root, "sub"));
    const inner = await repo.reopen({ workspace: join(repo.root, "sub") });
    expect((await inner.call("git_status", {})).result).toMatchObject({ error: { code: "INVALID_PATH" } });
  });
});

describe("committing", () => {
  test("exactly the given paths, new files included, after the person saw the diff", async () => {
    const person = scriptedPerson(yes);
    const repo = await repository({ asker: person.asker });
    repo.write("a.txt", "two\n");
    repo.write("new.txt", "n\n");
    repo.write("left.txt", "not this\n");
    const { result } = await repo.wield.call("git_commit", {
      message: "-m looks like an option",
      paths: ["a.txt", "new.txt"],
    });
    expect(result).toMatchObject({ ok: true, value: { branch: "main", files: ["a.txt", "new.txt"] } });
    expect(person.asked[0]?.[0]?.preview?.files[0]?.diff).toContain("+two");
    expect(repo.git("log", "-1", "--format=%s", "--name-only").trim().split("\n")).toEqual([
      "-m looks like an option",
      "",
      "a.txt",
      "new.txt",
    ]);
    expect(repo.git("status", "--porcelain")).toBe("?? left.txt\n");
  });

  test("a denied commit leaves the index alone", async () => {
    const repo = await repository({ approve: () => ({ approved: false }) });
    repo.write("new.txt", "n\n");
    expect((await repo.wield.call("git_commit", { message: "m", paths: ["new.txt"] })).result).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(repo.git("status", "--porcelain")).toBe("?? new.txt\n");
  });

  test("what changed after the yes is asked again", async () => {
    const person = scriptedPerson(() => {
      repo.write("a.txt", "three\n");
      return yes;
    }, yes);
    const repo = await repository({ asker: person.asker });
    repo.write("a.txt", "two\n");
    expect((await repo.wield.call("git_commit", { message: "m", paths: ["a.txt"] })).result.ok).toBe(true);
    expect(person.asked).toHaveLength(2);
  });

  test("nothing staged, nothing changed", async () => {
    const repo = await repository({ approve: () => yes });
    expect((await repo.wield.call("git_commit", { message: "m" })).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
    expect((await repo.wield.call("git_commit", { message: "m", paths: ["a.txt"] })).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
  });

  const hook = (repo: Repository, name: string, script: string) => {
    const file = join(repo.root, ".git/hooks", name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  };

  test("the repository's hooks run only in a trusted workspace, and there in the sandbox", async () => {
    const repo = await repository({ approve: () => yes });
    const marker = join(repo.env["HOME"] ?? "", "hook-ran");
    hook(repo, "pre-commit", `touch ${marker}; echo not today; exit 1`);
    repo.write("a.txt", "two\n");
    expect((await repo.wield.call("git_commit", { message: "m", paths: ["a.txt"] })).result.ok).toBe(true);

    await repo.trust();
    const trusting = await repo.reopen({ approve: () => yes });
    repo.write("a.txt", "three\n");
    const { text } = await trusting.call("git_commit", { message: "m", paths: ["a.txt"] });
    expect(text).toContain("A hook of the repository refused the commit:");
    expect(text).toContain("not today");
    expect(repo.git("log", "--oneline").trim().split("\n")).toHaveLength(2);
    expect(existsSync(marker)).toBe(false);
  });

  test("a hook sees what is staged and may change the message, but no file", async () => {
    const repo = await repository();
    hook(repo, "pre-commit", "git diff --cached --name-only | grep -q a.txt");
    hook(repo, "commit-msg", 'echo "Reviewed-by: hook" >> "$1"');
    await repo.trust();
    const trusting = await repo.reopen({ approve: () => yes });
    repo.write("a.txt", "two\n");
    expect((await trusting.call("git_commit", { message: "m\n", paths: ["a.txt"] })).text).toMatch(
      /^Committed .*\nHooks ran and passed: pre-commit, commit-msg\.$/,
    );
    expect(repo.git("log", "-1", "--format=%B")).toContain("Reviewed-by: hook");

    hook(repo, "pre-commit", "echo formatted > a.txt");
    repo.write("a.txt", "three\n");
    const { result, text } = await trusting.call("git_commit", { message: "m", paths: ["a.txt"] });
    expect(result).toMatchObject({ error: { code: "CONFLICT" } });
    expect(text).toContain("changes files (a.txt)");
    expect(repo.read("a.txt")).toBe("three\n");
  });

  test.each([".", "./.", "ROOT", "ALIAS"])(
    "hooks in the workspace's root (%s) run in the sandbox",
    async (setting) => {
      const repo = await repository();
      const marker = join(repo.env["HOME"] ?? "", "hook-ran");
      const alias = join(repo.env["HOME"] ?? "", "alias");
      symlinkSync(repo.root, alias);
      repo.git("config", "core.hooksPath", setting.replace("ROOT", repo.root).replace("ALIAS", alias));
      writeFileSync(join(repo.root, "pre-commit"), `#!/bin/sh\ntouch ${marker}; echo not today; exit 1\n`, {
        mode: 0o755,
      });
      await repo.trust();
      const trusting = await repo.reopen({ approve: () => yes });
      repo.write("a.txt", "two\n");
      const { text } = await trusting.call("git_commit", { message: "m", paths: ["a.txt"] });
      expect(text).toContain("A hook of the repository refused the commit:");
      expect(text).toContain("not today");
      expect(existsSync(marker)).toBe(false);
    },
  );

  test("hooks of the person's own configuration are git's to run", async () => {
    const repo = await repository();
    const own = join(repo.env["HOME"] ?? "", "my-hooks");
    mkdirSync(own);
    writeFileSync(join(own, "pre-commit"), `#!/bin/sh\ntouch ${join(own, "ran")}\n`, { mode: 0o755 });
    repo.git("config", "--global", "core.hooksPath", own);
    await repo.trust();
    const trusting = await repo.reopen({ approve: () => yes });
    repo.write("a.txt", "two\n");
    await trusting.call("git_commit", { message: "m", paths: ["a.txt"] });
    expect(existsSync(join(own, "ran"))).toBe(true);
  });
});

describe("pushing", () => {
  test("to a configured remote, after approval; never to a URL from the model", async () => {
    const person = scriptedPerson(yes);
    const repo = await repository();
    const remote = join(repo.env["HOME"] ?? "", "remote.git");
    repo.git("init", "--quiet", "--bare", remote);
    repo.git("remote", "add", "origin", remote);
    await repo.trust();
    const trusting = await repo.reopen({ asker: person.asker });
    const { result } = await trusting.call("git_push", {});
    expect(result).toMatchObject({ ok: true, value: { remote: "origin", branch: "main" } });
    expect(person.asked[0]?.[0]?.preview?.notes[0]).toContain(remote);
    expect(repo.git("--git-dir", remote, "log", "-1", "--format=%s", "main")).toBe("first\n");
    for (const name of ["ext::sh -c id", remote, "--mirror"]) {
      expect((await repo.wield.call("git_push", { remote: name })).result).toMatchObject({
        error: { code: "INVALID_INPUT" },
      });
    }
  });

  test("the pre-push hook decides, in the sandbox", async () => {
    const repo = await repository();
    repo.git("init", "--quiet", "--bare", "../remote.git");
    repo.git("remote", "add", "origin", "../remote.git");
    const script = 'read ref hash there known; echo "$1 $ref $known"; [ "$ref" = refs/heads/topic ]';
    writeFileSync(join(repo.root, ".git/hooks/pre-push"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    repo.git("branch", "topic");
    await repo.trust();
    const trusting = await repo.reopen({ approve: () => yes });
    const { text } = await trusting.call("git_push", {});
    expect(text).toContain("A hook of the repository refused the push:\norigin refs/heads/main 0000");
    expect((await trusting.call("git_push", { branch: "topic" })).result.ok).toBe(true);
  });

  test("a reference of the remote that was moved here hides no commits: the remote itself must be there", async () => {
    const repo = await repository();
    repo.git("init", "--quiet", "--bare", "../remote.git");
    repo.git("remote", "add", "origin", "../remote.git");
    repo.git("push", "--quiet", "origin", "main");
    for (const message of ["second", "third"])
      repo.git("commit", "--quiet", "--allow-empty", "--message", message);
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD~1");
    await repo.trust();
    const person = scriptedPerson(yes, yes);
    const trusting = await repo.reopen({ asker: person.asker });
    const { result } = await trusting.call("git_push", {});
    expect(result).toMatchObject({
      error: { code: "CONFLICT", message: expect.stringContaining("Fetch first") },
    });
    expect(repo.git("--git-dir", "../remote.git", "log", "-1", "--format=%s", "main")).toBe("first\n");
    repo.git("fetch", "--quiet", "origin");
    expect((await trusting.call("git_push", {})).result.ok).toBe(true);
    expect(person.asked[1]?.[0]?.preview?.notes.join(" ")).toMatch(/third.*second/);
    expect(repo.git("--git-dir", "../remote.git", "log", "-1", "--format=%s", "main")).toBe("third\n");
  });

  test("every address is shown, and the yes is for those alone", async () => {
    const person = scriptedPerson(() => {
      repo.git("remote", "set-url", "--add", "--push", "origin", "https://three.invalid/");
      return yes;
    }, no);
    const repo = await repository({ asker: person.asker });
    repo.git("remote", "add", "origin", "https://one.invalid/");
    repo.git("remote", "set-url", "--push", "origin", "https://one.invalid/");
    repo.git("remote", "set-url", "--add", "--push", "origin", "https://two.invalid/");
    expect((await repo.wield.call("git_push", {})).result).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    const shown = person.asked.map(([ask]) => ask?.preview?.notes.join(" "));
    expect(shown[0]).toContain("to https://one.invalid/ to https://two.invalid/");
    expect(shown[1]).toContain("to https://three.invalid/");
  });

  test("the yes is for the branch that was shown, not for one switched to during the question", async () => {
    const person = scriptedPerson(() => {
      repo.git("switch", "--quiet", "private");
      return yes;
    }, no);
    const repo = await repository();
    repo.git("init", "--quiet", "--bare", "../remote.git");
    repo.git("remote", "add", "origin", "../remote.git");
    repo.git("branch", "private");
    await repo.trust();
    const trusting = await repo.reopen({ asker: person.asker });
    expect((await trusting.call("git_push", {})).result).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(person.asked.map(([ask]) => ask?.preview?.summary)).toEqual([
      "push main to origin",
      "push private to origin",
    ]);
    expect(repo.git("--git-dir=../remote.git", "branch", "--list")).toBe("");
  });

  test("git is given the commit that was shown, not the branch, which may move; the upstream is set", async () => {
    const repo = await repository();
    repo.git("init", "--quiet", "--bare", "../remote.git");
    repo.git("remote", "add", "origin", "../remote.git");
    // A hook of the person's own is told what git was asked to push.
    const own = join(repo.env["HOME"] ?? "", "my-hooks");
    mkdirSync(own);
    const script = `#!/bin/sh\nread from rest; echo "$from" > ${join(own, "from")}\n`;
    writeFileSync(join(own, "pre-push"), script, { mode: 0o755 });
    repo.git("config", "--global", "core.hooksPath", own);
    await repo.trust();
    const trusting = await repo.reopen({ approve: () => yes });
    const { result } = await trusting.call("git_push", { setUpstream: true });
    expect(result.ok).toBe(true);
    const head = repo.git("rev-parse", "main");
    expect(readFileSync(join(own, "from"), "utf8")).toBe(head);
    expect(repo.git("--git-dir=../remote.git", "rev-parse", "main")).toBe(head);
    expect(repo.git("rev-parse", "--abbrev-ref", "main@{upstream}")).toBe("origin/main\n");
  });

  test("hooks of a repository in the workspace do not run before it is trusted", async () => {
    const repo = await repository({ approve: () => yes });
    const marker = join(repo.env["HOME"] ?? "", "hook-ran");
    repo.git("init", "--quiet", "--bare", "other.git");
    writeFileSync(join(repo.root, "other.git/hooks/pre-receive"), `#!/bin/sh\ntouch ${marker}\n`, {
      mode: 0o755,
    });
    repo.git("remote", "add", "origin", "./other.git");
    repo.git("config", "protocol.file.allow", "always");
    const { result, text } = await repo.wield.call("git_push", {});
    expect(result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
    expect(text).toContain("wield trust");
    expect(existsSync(marker)).toBe(false);
  });
});

describe("a hostile repository", () => {
  test.each([
    ["core.fsmonitor", "MARK"],
    ["filter.x.clean", "MARK"],
    ["filter.x\u2028y.clean", "MARK"],
    ["gpg.ssh.defaultKeyCommand", "MARK"],
    ["gc.recentObjectsHook", "MARK"],
    ["diff.external", "MARK"],
    ["diff.x.textconv", "MARK"],
    ["core.sshCommand", "MARK"],
    ["include.path", "/etc/passwd"],
    ["core.worktree", "/"],
    ["http.cookieFile", "/etc/passwd"],
    ["http.saveCookies", "true"],
    ["http.proxy", "http://127.0.0.1:1"],
    ["http.https://example.com/.sslVerify", "false"],
    ["http.curloptResolve", "example.com:443:127.0.0.1"],
    ["remote.origin.proxy", "http://127.0.0.1:1"],
    ["remote.origin.receivepack", "MARK"],
    ["lfs.customtransfer.x.path", "MARK"],
  ])("%s runs nothing and is told", async (key, setting) => {
    const repo = await repository();
    const marker = join(repo.env["HOME"] ?? "", "ran");
    repo.write(".gitattributes", "* filter=x diff=x\n");
    writeFileSync(join(repo.root, ".git/config"), `[core]\nrepositoryformatversion = 0\n`);
    repo.git("config", key, setting.replace("MARK", `touch ${marker}; cat`));
    repo.write("a.txt", "changed\n");
    for (const tool of ["git_status", "git_diff"]) {
      const { result, text } = await repo.wield.callAny(tool, {});
      expect(result.ok).toBe(false);
      expect(text).toMatch(/PERMISSION_DENIED|INVALID_PATH|UNAVAILABLE/);
    }
    expect(existsSync(marker)).toBe(false);
  });

  test("a setting that hides behind very many others is still seen", async () => {
    const repo = await repository();
    const many = Array.from({ length: 120_000 }, (_, n) => `[x "${"y".repeat(80)}${n}"]\nz = 1\n`);
    const settings = [...many.slice(0, 60_000), "[core]\nsshCommand = x\n", ...many.slice(60_000)];
    writeFileSync(join(repo.root, ".git/config"), settings.join(""));
    expect((await repo.wield.call("git_log", {})).text).toContain("core.sshcommand");
  });

  test.each(["git_status", "git_diff", "git_commit"])(
    "%s does not run programs of a submodule",
    async (tool) => {
      const repo = await repository({ approve: () => yes });
      const marker = join(repo.env["HOME"] ?? "", "ran");
      const inside = (...args: string[]) => repo.git("-C", "sub", ...args);
      repo.git("init", "--quiet", "sub");
      repo.write("sub/f", "x\n");
      inside("add", "f");
      inside("commit", "--quiet", "--message=first");
      repo.git(
        "update-index",
        "--add",
        "--cacheinfo",
        `160000,${repo.git("-C", "sub", "rev-parse", "HEAD").trim()},sub`,
      );
      repo.git("commit", "--quiet", "--message=with a submodule");
      inside("config", "filter.x.clean", `touch ${marker}; cat`);
      repo.write("sub/.git/info/attributes", "* filter=x\n");
      // Another time and the same size: git has to read it, through the filter.
      utimesSync(join(repo.root, "sub/f"), 1, 1);
      repo.write("a.txt", "changed\n");
      const input = tool === "git_commit" ? { message: "m", paths: ["."] } : {};
      const { result, text } = await repo.wield.callAny(tool, input);
      expect(existsSync(marker)).toBe(false);
      expect(result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
      expect(text).toContain("filter.x.clean");
    },
  );

  test.each(["", ".", "bin"])("no program is found in the workspace by a PATH with %j", async (part) => {
    const repo = await repository();
    const marker = join(repo.env["HOME"] ?? "", "ran");
    for (const path of ["git", "bin/git"]) {
      repo.write(path, `#!/bin/sh\ntouch ${marker}\n`);
      chmodSync(join(repo.root, path), 0o755);
    }
    const env = { ...repo.env, PATH: `${part}:${repo.env["PATH"]}` };
    expect((await (await repo.reopen({ env })).call("git_status", {})).text).toContain("On main");
    expect(existsSync(marker)).toBe(false);
  });

  test("a harmless submodule is no hindrance", async () => {
    const repo = await repository();
    repo.git("init", "--quiet", "sub");
    repo.write("sub/f", "x\n");
    repo.git("-C", "sub", "add", "f");
    repo.git("-C", "sub", "commit", "--quiet", "--message=first");
    repo.git(
      "update-index",
      "--add",
      "--cacheinfo",
      `160000,${repo.git("-C", "sub", "rev-parse", "HEAD").trim()},sub`,
    );
    repo.write("sub/f", "other\n");
    expect((await repo.wield.call("git_status", {})).text).toContain("sub");
  });

  test("what it left out is not fetched", async () => {
    const repo = await repository();
    const blob = repo.git("rev-parse", "HEAD:a.txt").trim();
    repo.git("clone", "--quiet", "--bare", ".", "../full.git");
    repo.git("remote", "add", "origin", "../full.git");
    repo.git("config", "remote.origin.promisor", "true");
    repo.git("config", "extensions.partialClone", "origin");
    repo.git("config", "protocol.file.allow", "always");
    rmSync(join(repo.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    repo.write("a.txt", "other text\n");
    expect((await repo.wield.call("git_diff", {})).text).toContain("not allowed");
  });

  test("no setting keeps a diff from the person who approves it", async () => {
    const person = scriptedPerson(yes);
    const repo = await repository({ asker: person.asker });
    repo.git("config", "diff.noprefix", "true");
    repo.git("config", "diff.renames", "copies");
    repo.write("a.txt", "changed\n");
    repo.write("z b/a.txt", "harmless\n");
    repo.write('quo"te.txt', "quoted\n");
    repo.git("add", ".");
    expect((await repo.wield.call("git_commit", { message: "m" })).result.ok).toBe(true);
    const shown = person.asked[0]?.[0]?.preview?.files.map(({ path, diff }) => [path, diff]) ?? [];
    const diffs = Object.fromEntries(shown) as Record<string, string>;
    expect(diffs["a.txt"]).toContain("+changed");
    expect(diffs["z b/a.txt"]).toContain("+harmless");
    expect(diffs['quo"te.txt']).toContain("+quoted");
  });

  test("the repository of another folder is not read through commondir", async () => {
    const other = await repository();
    const repo = await repository();
    writeFileSync(join(repo.root, ".git/commondir"), join(other.root, ".git"));
    expect((await repo.wield.call("git_log", {})).result).toMatchObject({
      error: { code: "PERMISSION_DENIED" },
    });
  });

  test.each(["objects", "refs", "packed-refs", "shallow", "refs/heads/other", "objects/info/alternates"])(
    "a .git/%s that leads elsewhere is refused until the person trusts the folder",
    async (name) => {
      const other = await repository();
      const repo = await repository();
      const at = join(repo.root, ".git", name);
      rmSync(at, { recursive: true, force: true });
      mkdirSync(join(at, ".."), { recursive: true });
      if (name.endsWith("alternates")) writeFileSync(at, `${join(other.root, ".git/objects")}\n`);
      else symlinkSync(join(other.root, ".git", name), at);
      expect((await repo.wield.call("git_log", {})).result).toMatchObject({ ok: false });
      if (name !== "refs")
        expect((await repo.wield.call("git_status", {})).result).toMatchObject({
          error: { code: "PERMISSION_DENIED" },
        });
    },
  );

  test("a .git that points elsewhere is refused until the person trusts the folder", async () => {
    const other = await repository();
    const test = await testWield();
    closeAfterTest(test);
    symlinkSync(join(other.root, ".git"), join(test.root, ".git"));
    expect((await test.wield.call("git_log", {})).result).toMatchObject({
      error: { code: "PERMISSION_DENIED" },
    });
  });
});

describe("where a push goes", () => {
  const asking = async (address: string, settings: Record<string, string> = {}) => {
    const asked: string[] = [];
    const notes: string[] = [];
    const repo = await repository();
    repo.git("remote", "add", "origin", address);
    for (const [name, value] of Object.entries(settings)) repo.git("config", name, value);
    const wield = await repo.reopen({
      mode: "auto",
      approve: ({ reason, preview }) => {
        asked.push(reason);
        notes.push(...(preview?.notes ?? []));
        return { approved: false };
      },
    });
    const { result } = await wield.call("git_push", {});
    return { asked: asked.join(), notes: notes.join("\n"), result };
  };

  test.each([
    "http://127.0.0.1:9/a/b.git",
    "https://localhost/a/b.git",
    "git@127.0.0.1:a/b.git",
    "ssh://git@[::1]/a/b.git",
    "https://10.0.0.7/a/b.git",
    "https://git.corp/a/b.git",
    "git@[127.0.0.1:22]:a/b.git",
    "ssh://[127.0.0.1]:9/a/b.git",
    "http::http://127.0.0.1:9/a/b.git",
    "http://127.0.0.1%3a9/a/b.git",
  ])("%s is no address on the internet: it is asked about in mode auto too", async (address) => {
    expect((await asking(address)).asked).toMatch(/May tools reach https?:/);
  });

  test("where git would fetch what a partial clone left out is named and judged", async () => {
    const evil = { "remote.evil.url": "http://127.0.0.1:9/x.git", "remote.evil.promisor": "true" };
    const { asked, notes } = await asking("https://github.com/a/b.git", evil);
    expect(asked).toContain("May tools reach http://127.0.0.1:9");
    expect(notes).toContain("git may fetch what this clone left out from http://127.0.0.1:9/x.git");
  });

  test("a remembered yes is for the branch and the repository that were shown", async () => {
    const repo = await repository();
    repo.git("remote", "add", "origin", "https://one.invalid/owner/name.git");
    repo.git("switch", "--quiet", "--create", "feature");
    const remembered: string[] = [];
    const wield = await repo.reopen({
      asker: async (asks) =>
        asks.map(({ remember }) => {
          const rules = remember?.rules ?? [];
          remembered.push(...rules.map(({ command, url }) => command ?? url ?? ""));
          return { approved: true, remember: { scope: "session" as const, rules } };
        }),
    });
    await wield.call("git_push", {});
    expect(remembered).toEqual(["https://one.invalid/owner/name.git/*", "git push origin feature"]);
    repo.git("switch", "--quiet", "main");
    await wield.call("git_push", {});
    expect(remembered.slice(2)).toEqual(["git push origin main"]);
    repo.git("remote", "set-url", "origin", "https://one.invalid/owner/other.git");
    await wield.call("git_push", {});
    expect(remembered.slice(3)).toEqual(["https://one.invalid/owner/other.git/*"]);
  });
});

test("a deny on a host holds for a push to it", async () => {
  const place = await testWield({}, { settings: { rules: [{ decision: "deny", url: "github.com" }] } });
  try {
    for (const address of [
      "git@github.com:a/b.git",
      "https://github.com/a/b.git",
      "ssh://git@github.com/a/b",
    ]) {
      rmSync(join(place.root, ".git"), { recursive: true, force: true });
      execFileSync("git", ["init", "-q"], { cwd: place.root });
      execFileSync("git", ["remote", "add", "origin", address], { cwd: place.root });
      const { result } = await place.wield.call("git_push", { branch: "main" });
      expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    }
  } finally {
    await place.close();
  }
});

describe("programs of a trusted workspace", () => {
  const script = (repo: Repository) => {
    const marker = join(repo.env["HOME"] ?? "", "ran-outside");
    repo.write("scripts/strip.sh", `#!/bin/sh\ntouch ${marker}\ncat\n`);
    chmodSync(join(repo.root, "scripts/strip.sh"), 0o755);
    repo.write(".gitattributes", "*.txt filter=strip\n");
    repo.write("a.txt", "changed\n");
    return marker;
  };

  test.each([
    ["filter.strip.clean", "./scripts/strip.sh"],
    ["filter.strip.clean", "scripts/strip.sh"],
    ["filter.strip.clean", "ROOT/scripts/strip.sh"],
    ["filter.strip.clean", "sh -c 'scripts/strip.sh'"],
    ["filter.strip.clean", "cd scripts && ./strip.sh"],
    ["filter.strip.clean", '"$(git rev-parse --show-toplevel)/scripts/strip.sh"'],
    ["filter.strip.clean", "npx strip"],
    ["filter.strip.clean", "python3 -m strip"],
    ["filter.strip.smudge", "sh scripts/strip.sh %f"],
    ["filter.strip.process", "scripts/strip.sh"],
    ["diff.strip.textconv", "scripts/strip.sh"],
    ["diff.strip.command", "scripts/strip.sh"],
    ["merge.strip.driver", "scripts/strip.sh %O %A %B"],
    ["credential.helper", "!scripts/strip.sh"],
  ])("%s = %s is not run outside the sandbox", async (key, value) => {
    const repo = await repository();
    const marker = script(repo);
    repo.git("config", key, value.replace("ROOT", repo.root));
    await repo.trust();
    const trusting = await repo.reopen();
    const { result, text } = await trusting.call("git_status", {});
    expect(result).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
    expect(text).toContain("would run code of the workspace outside the sandbox");
    expect(text).toContain(key);
    expect(existsSync(marker)).toBe(false);
  });

  test("nor is what a file of the workspace sets, or the person's own setting that names such a program", async () => {
    const repo = await repository();
    const marker = script(repo);
    repo.write(".gitsettings", `[filter "strip"]\nclean = touch ${marker}; cat\n`);
    repo.git("config", "include.path", "../.gitsettings");
    await repo.trust();
    const trusting = await repo.reopen();
    expect((await trusting.call("git_status", {})).text).toContain(
      "filter.strip.clean, which .gitsettings sets",
    );
    repo.git("config", "--unset", "include.path");
    expect((await trusting.call("git_status", {})).text).toContain("On main");
    repo.git("config", "--global", "filter.strip.clean", "./scripts/strip.sh");
    expect((await trusting.call("git_status", {})).text).toContain("filter.strip.clean = ./scripts/strip.sh");
    expect((await repo.wield.call("git_status", {})).text).toContain("filter.strip.clean");
    expect(existsSync(marker)).toBe(false);
  });

  test("programs outside it run as before", async () => {
    const repo = await repository();
    const marker = join(repo.env["HOME"] ?? "", "ran");
    const program = join(repo.env["HOME"] ?? "", "strip");
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 });
    repo.write(".gitattributes", "*.txt filter=strip\n");
    repo.write("auth/x.go", "x\n");
    repo.git("config", "filter.strip.clean", `${program} auth`);
    repo.git("config", "credential.helper", "!gh auth git-credential");
    repo.git("config", "core.fsmonitor", ".git/hooks/fsmonitor-watchman");
    repo.write("a.txt", "two\n");
    await repo.trust();
    expect((await (await repo.reopen()).call("git_status", {})).text).toContain("a.txt");
    expect(existsSync(marker)).toBe(true);
  });
});
