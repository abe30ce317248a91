import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type AppliedChanges, applyChanges, type Judge } from "./apply-changes.ts";
import { runConfined } from "./bubblewrap.ts";
import { guarded, heldInMemory, usual } from "./judging.suite.ts";
import { policies } from "./policy.ts";
import type { Harvest } from "./sandbox.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const by = { callId: "c_1", tool: "run_code", description: "a test" };

let home = "";
let root = "";
let workspace: Workspace;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "apply-"));
  root = join(home, "ws");
  mkdirSync(root);
  workspace = await openWorkspace(root, { stateDir: join(home, "state") });
});
afterEach(() => {
  workspace.close();
  removeFolder(home);
});

const { held, store } = heldInMemory();
const applyRun = (changes: Harvest, judge: Judge = guarded, startedAt = new Date(), attended = false) =>
  applyChanges(changes, { workspace, judge, held, by, startedAt, attended });
const undo = () => workspace.reverse("undo", { steps: 1 }, by);

/** Every path with its kind, permissions and content. */
function tree(at: string): Record<string, string> {
  const names = readdirSync(at, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(at, name);
      const stat = lstatSync(path);
      const mode = (stat.mode & 0o777).toString(8);
      if (stat.isSymbolicLink()) return [name, `link ${readlinkSync(path)}`];
      return [name, stat.isDirectory() ? "directory" : `${mode} ${readFileSync(path, "base64")}`];
    }),
  );
}

const scripts: Record<string, string> = {
  "create, change, append, truncate":
    "echo new > new; echo x > a/one; echo y >> a/two; : > b/three; mkdir -p x/y/z; echo d > x/y/deep",
  "delete files and trees": "rm a/one; rm -r b; rmdir empty",
  "rename files and directories": "mv a/one a/renamed; mv b c; mv a/two c/moved",
  permissions: "chmod 755 a/one; chmod 600 a/two; chmod 644 run.sh",
  "replace a directory": "rm -r a; mkdir a; echo again > a/two",
  "a file becomes a directory": "rm a/one; mkdir a/one; echo in > a/one/in",
  "a directory becomes a file": "rm -r b; echo file > b",
  links: "ln -s a/one link; ln -s ../b/three a/up; ln -sf two current; rm a/one; ln -s two a/one",
  "a link becomes a file": "rm current; echo own > current",
  "hard links": "echo same > h1; ln h1 h2; ln a/two a/same",
  names:
    "echo 1 > 'with space'; echo 2 > \"quote'\"; echo 3 > ünï; echo 4 > -dash; echo 5 > 'back\\slash'; echo 6 > out; mkdir .hidden; echo 7 > .hidden/x",
  "binary and large": "head -c 3000000 /dev/zero | tr '\\\\0' 'x' > large; printf '\\\\000\\\\377' > binary",
  "nothing in the end": "echo new > t; rm t; cp a/one keep; mv keep a/one; touch a/two",
};

describe.skipIf(!hasBubblewrap).each(["overlay", "copy"] as const)("changes by %s", (staging) => {
  const run = async (code: string) => {
    const dial = () => Promise.reject(new Error("no network here"));
    const command = ["/bin/bash", "-c", code] as const;
    const { changes } = await runConfined({ workspace: root, command }, policies.code, {
      staging,
      groups: undefined,
      dial,
    });
    expect(changes.incomplete).toBeNull();
    return changes;
  };
  const plant = () => {
    const files = {
      "a/one": "1\n",
      "a/two": "2\n",
      "b/three": "3\n",
      "b/sub/four": "4\n",
      "run.sh": "#!/bin/sh\n",
    };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), content, { mode: path.endsWith(".sh") ? 0o755 : 0o644 });
    }
    mkdirSync(join(root, "empty"));
    spawnSync("ln", ["-s", "a/one", join(root, "current")]);
    const past = new Date(Date.now() - 60_000);
    for (const path of Object.keys(files)) utimesSync(join(root, path), past, past);
  };

  test.each(Object.entries(scripts))(
    "%s: as if it had run here, and undone byte for byte",
    async (_name, script) => {
      plant();
      const before = tree(root);
      cpSync(root, join(home, "plain"), { recursive: true, verbatimSymlinks: true });
      const plain = spawnSync("/bin/bash", ["-c", `umask 022; ${script}`], { cwd: join(home, "plain") });
      expect(plain.status, String(plain.stderr)).toBe(0);

      const changes = await run(script);
      expect(tree(root)).toEqual(before);
      const applied = await applyRun(changes);
      expect(applied).toMatchObject({ held: null, refused: [] });
      expect(tree(root)).toEqual(tree(join(home, "plain")));
      if (applied.change) await undo();
      expect(tree(root)).toEqual(before);
    },
  );
});

describe.skipIf(!hasBubblewrap)("a run that touches 500 files", () => {
  test("is one change, and one undo restores every byte", async () => {
    for (let n = 0; n < 400; n++) {
      mkdirSync(join(root, `d${n % 20}`), { recursive: true });
      writeFileSync(join(root, `d${n % 20}/f${n}`), `content ${n}\n`.repeat(n % 7), {
        mode: n % 3 ? 0o644 : 0o600,
      });
    }
    const before = tree(root);
    const code = `
      for n in $(seq 0 99); do echo new $n > new$n; done
      for n in $(seq 0 99); do echo more >> d$((n % 20))/f$n; done
      for n in $(seq 100 199); do mv d$((n % 20))/f$n d$((n % 20))/g$n; done
      for n in $(seq 200 299); do rm d$((n % 20))/f$n; done
      mv d19 moved; rm -r d18; chmod 755 d0/f300`;
    const dial = () => Promise.reject(new Error("no network here"));
    const job = { workspace: root, command: ["/bin/bash", "-c", code] as const };
    const { changes } = await runConfined(job, policies.code, {
      staging: "overlay",
      groups: undefined,
      dial,
    });
    const { change } = await applyRun(changes);
    expect(change?.files.length).toBeGreaterThan(500);
    expect(tree(root)).not.toEqual(before);
    await undo();
    expect(tree(root)).toEqual(before);
  });
});

describe("policy", () => {
  const file = (path: string, text = "x") => ({
    kind: "file" as const,
    path,
    mode: 0o644,
    bytes: Buffer.from(text),
  });
  const harvest = (...entries: Harvest["entries"]): Harvest => ({ entries, incomplete: null });
  const paths = ({ change, held: waiting, refused }: AppliedChanges) => ({
    applied: change?.files.map(({ path }) => path) ?? [],
    held: waiting?.files.map(({ path }) => path) ?? [],
    refused: refused.map(({ path }) => path),
  });

  test("ordinary files are applied, guarded ones held, special ones refused", async () => {
    const applied = await applyRun(
      harvest(
        file("plain"),
        file("package.json"),
        { kind: "directory", path: ".git", replaced: false },
        file(".git/config"),
        { kind: "special", path: "pipe" },
      ),
    );
    expect(paths(applied)).toEqual({
      applied: ["plain"],
      held: expect.arrayContaining(["package.json", ".git/config"]),
      refused: ["pipe"],
    });
    expect(readdirSync(root)).toEqual(["plain"]);
    const waiting = await held.get(applied.held?.id ?? "");
    await workspace.apply(waiting.operations, by);
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe("x");
  });

  test("a rule that denies a path refuses it; one below a deleted folder keeps the folder", async () => {
    mkdirSync(join(root, "secret"));
    writeFileSync(join(root, "secret/key"), "k");
    const judge: Judge = (_tool, effect) => ({
      decision: "path" in effect && effect.path.startsWith("secret/") ? "deny" : "allow",
      because: "a rule",
    });
    const applied = await applyRun(harvest({ kind: "deleted", path: "secret" }, file("ok")), judge);
    expect(paths(applied)).toEqual({ applied: ["ok"], held: [], refused: ["secret"] });
    expect(existsSync(join(root, "secret/key"))).toBe(true);
  });

  test("a file that somebody else changed during the run is held", async () => {
    writeFileSync(join(root, "shared"), "theirs");
    const applied = await applyRun(
      harvest(file("shared", "ours"), file("other")),
      guarded,
      new Date(Date.now() - 60_000),
    );
    expect(paths(applied)).toEqual({ applied: ["other"], held: ["shared"], refused: [] });
    expect(applied.held?.reasons[0]).toMatch(/shared was changed by somebody else/);
  });

  test("a list that is not whole changes nothing", async () => {
    const applied = await applyRun({ entries: [file("a")], incomplete: "the list of changes was cut off" });
    expect(paths(applied)).toEqual({ applied: [], held: [], refused: ["."] });
    expect(readdirSync(root)).toEqual([]);
  });

  test("a link into installed packages is asked about, whose names start something elsewhere", async () => {
    const link = (path: string) => ({ kind: "link" as const, path, target: "node_modules/x" });
    const { held: waiting, change } = await applyRun(
      harvest(link("tests"), file("node_modules/x/conftest.py")),
    );
    expect(waiting).toMatchObject({
      files: [{ path: "tests" }],
      reasons: ["tests becomes a link into installed packages"],
    });
    expect(change?.files.map(({ path }) => path)).toContain("node_modules/x/conftest.py");
  });

  test("bad names and links are refused one by one, the rest is applied", async () => {
    const link = (path: string, target: string) => ({ kind: "link" as const, path, target });
    const applied = await applyRun(
      harvest(
        file("good"),
        file("bad\u0007name"),
        link("abs", "/etc/passwd"),
        link("up", "../x"),
        link("a", "."),
        link("b", "a/../../x"),
        link("c", "a/../x"),
        link("ok", "good"),
      ),
    );
    expect(paths(applied)).toEqual({
      applied: ["good", "a", "ok"],
      held: [],
      refused: ["abs", "up", "b", "c", "bad\u0007name"],
    });
  });

  test("thousands of traps do not keep it busy", async () => {
    const traps = Array.from({ length: 3000 }, (_, n) => file(`bad\u0007${n}`));
    const applied = await applyRun(harvest(file("good"), ...traps));
    expect(applied.refused.length).toBeGreaterThanOrEqual(3000);
  });

  test("new files are free; what replaces or deletes waits as one approval that names it", async () => {
    for (const name of ["a.ts", "README.md"]) writeFileSync(join(root, name), "old\n");
    const past = new Date(Date.now() + 60_000);
    const applied = await applyRun(
      harvest(file("new.ts"), file("a.ts", "new\n"), { kind: "deleted", path: "README.md" }),
      usual,
      past,
    );
    expect(paths(applied)).toEqual({ applied: ["new.ts"], held: ["README.md", "a.ts"], refused: [] });
    expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("old\n");
    const id = applied.held?.id ?? "";
    expect((await store.pending()).find((pending) => pending.id === id)).toMatchObject({
      tool: "apply_held_changes",
      args: { id },
      reason: "a test — delete README.md, modify a.ts — existing files change",
      seen: { "a.ts": expect.stringMatching(/^file:/) },
    });
    await held.drop(id);
    expect((await store.pending()).some((pending) => pending.id === id)).toBe(false);
  });

  test("with somebody there the whole run waits for one answer, in an order that can be done", async () => {
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d/a"), "old\n");
    const applied = await applyRun(
      harvest(file("new/b"), { kind: "deleted", path: "d" }, { kind: "link", path: "l", target: "new/b" }),
      usual,
      new Date(Date.now() + 60_000),
      true,
    );
    expect(paths(applied)).toEqual({
      applied: [],
      held: expect.arrayContaining(["d/a", "new/b", "l"]),
      refused: [],
    });
    const waiting = await held.get(applied.held?.id ?? "");
    await workspace.apply(waiting.operations, by);
    expect(Object.keys(tree(root))).toEqual(["l", "new", "new/b"]);
  });

  test("files that git ignores go through and do not stand before real changes in undo; tracked ones do not", async () => {
    writeFileSync(join(root, ".gitignore"), "dist/\n*.log\n");
    mkdirSync(join(root, "dist"));
    for (const name of ["dist/out.js", "kept.log", "note.log"]) writeFileSync(join(root, name), "old\n");
    spawnSync("git", ["init", "-q"], { cwd: root });
    spawnSync("git", ["add", "-f", "kept.log"], { cwd: root });
    await workspace.apply([{ op: "write", path: "mine", bytes: Buffer.from("1") }], by);
    const applied = await applyRun(
      harvest(
        file("dist/out.js"),
        file("dist/sub/new.js"),
        { kind: "deleted", path: "note.log" },
        file("kept.log"),
        file("dist/.envrc"),
      ),
      usual,
      new Date(Date.now() + 60_000),
    );
    expect(paths(applied)).toMatchObject({ applied: [], held: ["dist/.envrc", "kept.log"] });
    expect(applied.ignored?.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["dist/out.js", "dist/sub/new.js", "note.log"]),
    );
    const [undone] = await undo();
    expect(undone?.files.map(({ path }) => path)).toEqual(["mine"]);
    await workspace.reverse("undo", { changeId: applied.ignored?.id ?? "" }, by);
    expect(readFileSync(join(root, "dist/out.js"), "utf8")).toBe("old\n");
  });

  test("what could not be undone is asked about first", async () => {
    workspace.close();
    const journal = { capBytes: 10, quotaBytes: 1_000_000 };
    workspace = await openWorkspace(root, { stateDir: join(home, "state"), journal });
    writeFileSync(join(root, "big"), "more than ten bytes");
    const later = new Date(Date.now() + 60_000);
    const applied = await applyRun(harvest({ kind: "deleted", path: "big" }), guarded, later);
    expect(paths(applied)).toEqual({ applied: [], held: ["big"], refused: [] });
    expect(applied.held?.reasons).toEqual(["it is too large for the journal, so it cannot be undone"]);
  });

  test("held changes that nobody knows are a clear error", async () => {
    await expect(held.get("h_none")).rejects.toThrow(/No changes are held under the id "h_none"/);
  });
});
