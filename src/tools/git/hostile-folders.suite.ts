import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { testWield } from "../../testing/testing.ts";

/** Numbers that are the same in every run with the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Scene {
  root: string;
  git: string;
  /** A folder of the person, outside the workspace. */
  outside: string;
  /** A command that leaves a mark outside. */
  mark: string;
  /** A server of this machine that counts who comes. */
  address: string;
  run(...args: string[]): void;
  pick<T>(list: readonly T[]): T;
}

const files = [
  ...[
    "HEAD",
    "config",
    "index",
    "COMMIT_EDITMSG",
    "FETCH_HEAD",
    "ORIG_HEAD",
    "packed-refs",
    "description",
    "shallow",
  ],
  ...[
    "logs/HEAD",
    "logs/refs/heads/main",
    "logs/refs/heads/other",
    "logs/refs/stash",
    "refs/heads/main",
    "refs/stash",
  ],
  ...[
    "info/exclude",
    "info/attributes",
    "info/grafts",
    "objects/info/alternates",
    "objects/info/packs",
    "MERGE_MSG",
  ],
  ...[
    "rebase-merge/msg",
    "worktrees/w/HEAD",
    "modules/m/config",
    "hooks/pre-commit",
    "lfs/tmp/x",
    "a/b/c/d/e",
  ],
];
const folders = [
  ...[
    "logs",
    "logs/refs",
    "logs/refs/heads",
    "refs",
    "refs/heads",
    "refs/tags",
    "refs/remotes/origin",
    "objects/info",
  ],
  ...[
    "objects/pack",
    "objects/aa",
    "hooks",
    "info",
    "worktrees",
    "worktrees/w",
    "modules/m",
    "rebase-merge",
    "lfs",
  ],
];
const programs = [
  ...[
    "core.fsmonitor",
    "core.sshCommand",
    "core.gitProxy",
    "core.editor",
    "core.askPass",
    "core.pager",
    "diff.external",
  ],
  ...[
    "diff.x.textconv",
    "diff.x.command",
    "filter.x.clean",
    "filter.x.smudge",
    "filter.x.process",
    "merge.x.driver",
  ],
  ...[
    "credential.helper",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.ssh.defaultKeyCommand",
    "gc.recentObjectsHook",
  ],
  ...[
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "remote.origin.vcs",
    "uploadpack.packObjectsHook",
  ],
  ...[
    "sequence.editor",
    "trailer.x.command",
    "alias.status",
    "alias.commit",
    "lfs.standalonetransferagent",
    "pager.log",
  ],
];
const namingFiles = [
  ...[
    "core.attributesFile",
    "core.excludesFile",
    "core.hooksPath",
    "core.worktree",
    "include.path",
    "mailmap.file",
  ],
  ...[
    "blame.ignoreRevsFile",
    "commit.template",
    "diff.orderFile",
    "gpg.ssh.allowedSignersFile",
    "http.cookieFile",
  ],
  ...["fsck.skipList", "init.templateDir", "includeIf.gitdir:/.path", "core.commitGraph", "log.mailmap"],
];

/** Each makes a repository hostile in one way. */
const mutations: readonly ((scene: Scene) => void)[] = [
  ({ git, outside, pick }) => {
    const at = join(git, pick(files));
    rmSync(at, { recursive: true, force: true });
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(
      pick([`${outside}/.profile`, `${outside}/secret`, `${outside}/new`, "../../outside/.profile"]),
      at,
    );
  },
  ({ git, outside, pick }) => {
    const at = join(git, pick(folders));
    rmSync(at, { recursive: true, force: true });
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(pick([outside, `${outside}/repo/.git`, `${outside}/repo/.git/objects`, "/", ".."]), at);
  },
  ({ git, outside, pick }) => {
    const at = join(git, pick(files));
    rmSync(at, { recursive: true, force: true });
    mkdirSync(dirname(at), { recursive: true });
    linkSync(`${outside}/.profile`, at);
  },
  ({ git, pick }) => {
    const at = join(git, pick(files.slice(3)));
    rmSync(at, { recursive: true, force: true });
    mkdirSync(dirname(at), { recursive: true });
    execFileSync("mkfifo", [at]);
  },
  ({ root, git, mark, run, pick }) => {
    run("config", pick(programs), mark);
    writeFileSync(join(root, ".gitattributes"), "* filter=x diff=x merge=x\n");
    mkdirSync(join(git, "info"), { recursive: true });
    writeFileSync(join(git, "info/attributes"), "* filter=x diff=x merge=x\n");
  },
  ({ outside, run, pick }) =>
    run("config", pick(namingFiles), pick([`${outside}/secret`, `${outside}/repo/.git/config`])),
  ({ git, mark, pick }) => {
    const names = [
      "pre-commit",
      "commit-msg",
      "post-commit",
      "post-checkout",
      "reference-transaction",
      "pre-push",
    ];
    mkdirSync(join(git, "hooks"), { recursive: true });
    for (const name of [...names, "post-index-change", "prepare-commit-msg", "post-rewrite"])
      if (pick([true, false]))
        writeFileSync(join(git, "hooks", name), `#!/bin/sh\n${mark}\n`, { mode: 0o755 });
  },
  ({ git, outside, pick }) =>
    writeFileSync(
      join(git, pick(["commondir", "gitdir", "objects/info/alternates"])),
      `${outside}/repo/.git/objects\n`,
    ),
  ({ git, outside }) => {
    mkdirSync(join(git, "worktrees/w"), { recursive: true });
    writeFileSync(join(git, "worktrees/w/gitdir"), `${outside}/repo/.git\n`);
    writeFileSync(join(git, "worktrees/w/commondir"), "../..\n");
    writeFileSync(join(git, "worktrees/w/HEAD"), "ref: refs/heads/other\n");
  },
  ({ address, run, pick }) =>
    run("config", pick(["remote.origin.url", "remote.origin.pushurl"]), `http://${address}/x.git`),
  ({ address, run, pick }) => {
    run(
      "config",
      pick(["url.http://ADDRESS/.insteadOf", "url.http://ADDRESS/.pushInsteadOf"]).replace(
        "ADDRESS",
        address,
      ),
      "https://example.invalid/",
    );
  },
  ({ address, run }) => {
    run("config", "remote.evil.url", `http://${address}/x.git`);
    run("config", "remote.evil.promisor", "true");
    run("config", "extensions.partialClone", "evil");
    run("config", "core.repositoryFormatVersion", "1");
  },
  ({ address, run, pick }) =>
    run(
      "config",
      pick(["http.proxy", "remote.origin.proxy", "http.https://example.invalid/.proxy"]),
      `http://${address}`,
    ),
  ({ root, outside }) => {
    rmSync(join(root, ".git"), { recursive: true, force: true });
    writeFileSync(join(root, ".git"), `gitdir: ${outside}/repo/.git\n`);
  },
  ({ root, mark, run }) => {
    mkdirSync(join(root, "sub"), { recursive: true });
    run("init", "--quiet", "sub");
    run("-C", "sub", "commit", "--quiet", "--allow-empty", "--message=x");
    run("-C", "sub", "config", "core.fsmonitor", mark);
    run("-C", "sub", "config", "filter.x.clean", mark);
    const head = execFileSync("git", ["-C", join(root, "sub"), "rev-parse", "HEAD"], {
      encoding: "utf8",
    }).trim();
    run("update-index", "--add", "--cacheinfo", `160000,${head},sub`);
  },
  ({ run, mark }) => {
    run("config", "user.name", `$(${mark})`);
    run("config", "user.email", `\`${mark}\`@x`);
  },
];

/** All git tools, and the search that reads past commits. */
const calls: readonly [string, Record<string, unknown>][] = [
  ["git_status", {}],
  ["git_diff", {}],
  ["git_log", {}],
  ["git_show", {}],
  ["git_blame", { path: "a.txt" }],
  ["search_code", { query: "first" }],
  ["git_branch", { action: "list" }],
  ["git_branch", { action: "create", name: "topic" }],
  ["git_stash", { action: "push" }],
  ["git_restore", { paths: ["a.txt"] }],
  ["git_commit", { message: "m", paths: ["a.txt"] }],
  ["git_branch", { action: "switch", name: "other" }],
  ["git_worktree", { action: "add", path: "tree", branch: "other" }],
  ["git_worktree", { action: "list" }],
  ["git_worktree", { action: "remove", path: "tree" }],
  ["git_push", {}],
  ["pull_request", {}],
];

const secret = "a secret of the person 7f3a";

export interface Tally {
  folders: number;
  calls: number;
  refused: number;
  /** What went wrong, with the seed of the folder. */
  escapes: string[];
}

/** Repositories made hostile in one to three ways, each used by all git tools with a person who agrees to all but local servers. */
export async function useHostileFolders(count: number, seed: number): Promise<Tally> {
  const tally: Tally = { folders: count, calls: 0, refused: 0, escapes: [] };
  let contacts = 0;
  const server = createServer((socket) => {
    contacts += 1;
    socket.destroy();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  try {
    for (let number = 0; number < count; number++) {
      const escapes = await useOne(
        seed + number,
        { address: `127.0.0.1:${port}`, contacts: () => contacts },
        tally,
      );
      tally.escapes.push(...escapes.map((what) => `folder ${seed + number}: ${what}`));
    }
  } finally {
    server.close();
  }
  return tally;
}

async function useOne(
  seed: number,
  { address, contacts }: { address: string; contacts(): number },
  tally: Tally,
): Promise<string[]> {
  // What was shown and agreed to is no escape: this person agrees to nothing that names the server.
  const place = await testWield(
    { "a.txt": "one\n" },
    {
      approve: ({ reason, preview }) => ({
        approved: !`${reason} ${preview?.notes.join(" ")}`.includes(address),
      }),
    },
  );
  try {
    const home = place.env["HOME"] ?? "";
    const outside = join(home, "outside");
    const run = (...args: string[]) => {
      // A repository that is hostile already may refuse the next mutation.
      try {
        execFileSync("git", args, { cwd: place.root, env: place.env, stdio: "ignore", timeout: 10_000 });
      } catch {}
    };
    makeOutside(outside, place.env);
    for (const args of [
      ["init", "--quiet", "--initial-branch=main"],
      ["config", "--global", "user.name", "Test"],
      ["config", "--global", "user.email", "test@example.com"],
      ["add", "."],
      ["commit", "--quiet", "--message=first"],
      ["branch", "other"],
      ["remote", "add", "origin", "https://example.invalid/owner/name.git"],
    ])
      run(...args);
    const next = numbersFrom(seed);
    const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
    const scene: Scene = {
      ...{ root: place.root, git: join(place.root, ".git"), outside, address, run, pick },
      mark: `touch ${home}/ran`,
    };
    const first = mutations[seed % mutations.length];
    const others = Array.from({ length: next(3) }, () => pick(mutations));
    for (const mutate of [first, ...others])
      try {
        mutate?.(scene);
      } catch {
        // An earlier mutation left nothing to change there.
      }
    const known = stateOf(outside);
    const before = contacts();
    const escapes: string[] = [];
    for (const [tool, input] of calls) {
      place.write("a.txt", `changed by ${seed} ${tool}\n`);
      const { result, text } = await place.wield.callAny(tool, input);
      tally.calls += 1;
      if (!result.ok) tally.refused += 1;
      if (text.includes(secret)) escapes.push(`${tool} shows a file from outside`);
      if (existsSync(join(home, "ran"))) escapes.push(`${tool} ran a program`);
      if (stateOf(outside) !== known) escapes.push(`${tool} wrote outside`);
      if (contacts() !== before) escapes.push(`${tool} contacted a server`);
      if (escapes.length > 0) break;
    }
    return escapes;
  } finally {
    await place.close();
  }
}

function makeOutside(outside: string, env: Record<string, string>): void {
  mkdirSync(outside);
  writeFileSync(join(outside, ".profile"), `# ${secret}\n`);
  writeFileSync(join(outside, "secret"), `${secret}\n`);
  const run = (...args: string[]) => execFileSync("git", args, { cwd: outside, env, stdio: "ignore" });
  run("init", "--quiet", "--initial-branch=main", "repo");
  writeFileSync(join(outside, "repo/private.txt"), `${secret}\n`);
  run("-C", "repo", "add", ".");
  run("-C", "repo", "-c", "user.name=P", "-c", "user.email=p@x", "commit", "--quiet", `--message=${secret}`);
}

/** Names, sizes and contents of a folder. */
function stateOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const file = join(folder, name);
      return statSync(file).isFile() ? `${name} ${readFileSync(file).toString("base64")}` : name;
    })
    .join("\n");
}
