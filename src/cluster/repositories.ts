import { basename, join } from "node:path";
import { isSecretPath, type Secret, secretsIn } from "../approval/secrets.ts";
import type { PastCommit } from "../code/files/files.ts";
import { Failure } from "../failure/failure.ts";
import { runCommand } from "../process/run.ts";
import { sha256 } from "../text/digest.ts";
import { newId } from "../text/ids.ts";
import { logOf, parseLog } from "../tools/git/past-commits.ts";
import {
  ensureDirectory,
  isThere,
  namesIn,
  realPlace,
  removeFolder,
  removeNamed,
  writeAtomic,
} from "../workspace/state-files.ts";
import { gitProblem } from "./git-problem.ts";
import { receivePack, uploadPack } from "./local-remote.ts";

export interface Project {
  id: string;
  name: string;
  /** The address for `git clone`. */
  url: string;
  ref: string;
}

/** What a session changed. */
export interface Result {
  patch: Buffer;
  /** One commit on the base with all that changed, as a branch; without a change, the branch is the base. */
  push(how: PushOptions): Promise<string>;
}

interface PushOptions {
  branch: string;
  message: string;
  author: { name: string; email: string };
  /** The commits that the branch may be at; undefined: not known, and whatever is there is replaced. */
  known: readonly string[] | undefined;
  /** Before it is pushed: it fails if another worker has the session. */
  announce(commit: string): Promise<unknown>;
}

interface Fetch {
  done: Promise<void>;
  /** What refs are after it. */
  commits: Map<string, Promise<string>>;
}

const minutes = 60_000;
/** The ones nearest to the root are read. */
const mostSecretFiles = 300;
const mostSecretBytes = 256 * 1024;

/**
 * The git repositories of a worker: a bare mirror of each project and a separate worktree for each stretch of work on a session.
 * A folder is used once: a worker that was taken for dead may still write to the one it had.
 */
export class Repositories {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  /** The last operation of each mirror: fetches, and adding or removing worktrees, run one after the other. */
  readonly #queues = new Map<string, Promise<unknown>>();
  /** The fetch of each mirror that has not started yet: all callers share it. */
  readonly #nextFetch = new Map<string, Fetch>();
  /** When commits that sessions begin with were made. */
  readonly #dates = new Map<string, string>();
  readonly #checkOuts = new Places(4);

  constructor(folder: string, env: Readonly<Record<string, string | undefined>>) {
    this.#folder = folder;
    // No question can be answered here, and no setting of this machine's user should matter.
    this.#env = {
      PATH: env["PATH"] ?? "/usr/bin:/bin",
      HOME: env["HOME"] ?? "/",
      GIT_TERMINAL_PROMPT: "0",
      GIT_CONFIG_NOSYSTEM: "1",
      ...settingsEnv(safeSettings),
      ...(env["SSH_AUTH_SOCK"] && { SSH_AUTH_SOCK: env["SSH_AUTH_SOCK"] }),
    };
    ensureDirectory(folder);
  }

  /** The newest commit of the project's ref. */
  async newest(project: Project): Promise<string> {
    const mirror = this.#mirrorOf(project);
    const { done, commits } = this.#fetch(mirror, project);
    await done;
    const find = () =>
      this.#git(mirror, ["rev-parse", "--verify", `${project.ref}^{commit}`]).catch(() => {
        throw new Failure(
          "FILE_NOT_FOUND",
          `${noBranch(project.ref)} An admin can name another one on the page Team.`,
        );
      });
    const found = commits.get(project.ref) ?? find();
    commits.set(project.ref, found);
    return (await found).trim();
  }

  /** Why sessions could not begin there, in a sentence; undefined: they can. */
  async problemOf({ url, ref }: Project): Promise<string | undefined> {
    try {
      const args = ["ls-remote", "--heads", ...uploadPack(url), "--", url];
      const heads = await this.#run({ file: "git", args, cwd: this.#folder }, {}, { timeoutMs: minutes });
      const branches = [...heads.matchAll(/\trefs\/heads\/(.+)$/gm)].map(([, name]) => name ?? "");
      if (branches.length === 0) return "The repository is empty. Push a first commit, then check it again.";
      if (branches.includes(ref) || /^[0-9a-f]{7,64}$/.test(ref)) return undefined;
      return `${noBranch(ref)} It has: ${branches.slice(0, 5).join(", ")}${branches.length > 5 ? ", …" : ""}.`;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }

  /** A folder with the files of a commit. Only git's note of a worktree is made alone; the files are written side by side. */
  async checkOut(project: Project, commit: string, name: string): Promise<string> {
    const mirror = this.#mirrorOf(project);
    const folder = join(this.#folder, "worktrees", name);
    const add = async () => {
      await this.#alone(mirror, async () => {
        this.#remove(mirror, folder);
        noteWorktree(mirror, folder, commit);
      });
      await this.#git(folder, ["read-tree", "--reset", "-u", commit], worktreeEnv(mirror, folder));
      return true;
    };
    return this.#checkOuts.within(async () => {
      const isMade = isThere(join(mirror, "HEAD")) && (await add().catch(() => false));
      if (isMade) return folder;
      // Another worker began the session: this mirror may not have its commit yet.
      await this.#fetch(mirror, project).done;
      await add();
      return folder;
    });
  }

  /** The git directory of a worktree, and the mirror, as git names them. */
  gitOf(project: Project, folder: string): { gitDir: string; commonDir: string } {
    const commonDir = realPlace(this.#mirrorOf(project));
    return { gitDir: join(commonDir, "worktrees", basename(folder)), commonDir };
  }

  async remove(project: Project, folder: string): Promise<void> {
    const mirror = this.#mirrorOf(project);
    await this.#alone(mirror, async () => this.#remove(mirror, folder));
  }

  /** All worktrees that are in this worker's folder, also those that a worker left when it was killed. */
  worktrees(): { name: string; folder: string }[] {
    const folder = join(this.#folder, "worktrees");
    return isThere(folder) ? namesIn(folder).map((name) => ({ name, folder: join(folder, name) })) : [];
  }

  /** One that a killed worker left, of whichever project. */
  async removeLeft(folder: string): Promise<void> {
    const mirrors = join(this.#folder, "mirrors");
    removeFolder(folder);
    for (const name of isThere(mirrors) ? namesIn(mirrors) : [])
      await this.#alone(join(mirrors, name), async () => this.#remove(join(mirrors, name), folder));
  }

  /** For a worktree that no session has and that is needed for some minutes at most. */
  passingName(): string {
    return `passing.${Date.now()}.${newId("w").slice(-8)}`;
  }

  /** Such worktrees of workers that were killed. */
  async removeOldPassing(): Promise<void> {
    for (const { name, folder } of this.worktrees()) {
      const made = Number(/^passing\.(\d+)\./.exec(name)?.[1] ?? Number.NaN);
      if (Date.now() - made > 60 * minutes) await this.removeLeft(folder);
    }
  }

  /** The last commits before a commit and itself, newest first. */
  async history(project: Project, commit: string, most: number): Promise<PastCommit[]> {
    return parseLog(await this.#git(this.#mirrorOf(project), [...logOf(most), commit]));
  }

  /** The values of files that hold secrets, in a commit. */
  async secretsOf(project: Project, commit: string): Promise<Secret[]> {
    const mirror = this.#mirrorOf(project);
    const list = () => this.#git(mirror, ["ls-tree", "-r", "-l", "-z", commit]);
    const isKnown = isThere(join(mirror, "HEAD"));
    const listed = isKnown ? await list().catch(() => undefined) : undefined;
    // Another worker had the session: this mirror may not have its commit yet.
    if (listed === undefined) await this.#fetch(mirror, project).done;
    const depth = (path: string) => path.split("/").length;
    const files = (listed ?? (await list())).split("\0").flatMap((line) => {
      const [, blob = "", size = "", path = ""] = /^\d+ blob (\w+) +(\d+)\t([\s\S]+)$/.exec(line) ?? [];
      return isSecretPath(path) && Number(size) <= mostSecretBytes ? [{ blob, path }] : [];
    });
    const nearest = files.toSorted((a, b) => depth(a.path) - depth(b.path)).slice(0, mostSecretFiles);
    const found: Secret[] = [];
    for (const { blob, path } of nearest)
      for (const secret of secretsIn(await this.#git(mirror, ["cat-file", "blob", blob]), true))
        found.push({ ...secret, place: path });
    return found;
  }

  /** Everything that differs from the commit it began with. */
  async result(project: Project, folder: string, base: string): Promise<Result> {
    const env = worktreeEnv(this.#mirrorOf(project), folder);
    // Git would enter a repository inside the worktree, with settings that a session wrote there: its files are used, the repository is not.
    removeNamed(".git", folder);
    const chunks: Buffer[] = [];
    const onStdout = (chunk: Buffer) => {
      chunks.push(chunk);
      return undefined;
    };
    await this.#run({ file: "sh", args: ["-ec", treeAndPatch, "sh", base], cwd: folder }, env, { onStdout });
    const printed = Buffer.concat(chunks);
    const end = printed.indexOf("\n");
    const tree = printed.toString("latin1", 0, end);
    const run = (args: string[], more?: Record<string, string>) =>
      this.#git(folder, args, { ...env, ...more });
    return {
      patch: printed.subarray(end + 1),
      push: (how) => this.#push(run, project.url, { base, tree }, how),
    };
  }

  async #push(
    run: (args: string[], more?: Record<string, string>) => Promise<string>,
    url: string,
    { base, tree }: { base: string; tree: string },
    { branch, message, author, known, announce }: PushOptions,
  ): Promise<string> {
    const plain = (text: string) => text.replace(/[<>\n\r]/g, " ");
    const who = {
      ...{ GIT_AUTHOR_NAME: plain(author.name), GIT_AUTHOR_EMAIL: plain(author.email) },
      ...{ GIT_COMMITTER_NAME: "Wield", GIT_COMMITTER_EMAIL: "wield@users.noreply.invalid" },
    };
    // The dates of the base: pushed again after a lost answer, it is the same commit.
    const date = this.#dates.get(base) ?? (await run(["show", "-s", "--format=%cI", base])).trim();
    this.#dates.set(base, date);
    const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const commitTree = ["-c", "commit.gpgSign=false", "commit-tree", tree, "-p", base, "-m", message];
    const commit = (await run(commitTree, { ...dates, ...who })).trim();
    const target = `refs/heads/${branch}`;
    await announce(commit);
    const pushTo = (there: string) =>
      run([
        ...["push", "--quiet", ...receivePack(url), `--force-with-lease=${target}:${there}`],
        ...[url, `${commit}:${target}`],
      ]);
    // Where nothing was pushed before, one question less.
    const isPushed =
      known?.length === 0 &&
      (await pushTo("").then(
        () => true,
        () => false,
      ));
    if (isPushed) return commit;
    const there = (await run(["ls-remote", ...uploadPack(url), url, target])).split("\t")[0] ?? "";
    if (there === commit) return commit;
    // A branch that somebody removed is made again.
    if (there !== "" && known !== undefined && !known.includes(there))
      throw new Failure(
        "UNAVAILABLE",
        `The branch ${branch} has commits that this session did not push, so it was left as it is. Rename or remove it there, then send a message. The changes are in the patch.`,
      );
    await pushTo(there);
    return commit;
  }

  async #update(mirror: string, { url }: Project): Promise<void> {
    if (!isThere(join(mirror, "HEAD"))) {
      ensureDirectory(mirror);
      await this.#git(mirror, ["init", "--bare", "--quiet"]);
    }
    await this.#git(mirror, [
      "fetch",
      "--quiet",
      "--prune",
      "--no-tags",
      ...uploadPack(url),
      url,
      "+refs/heads/*:refs/heads/*",
    ]);
  }

  /** The folder and what the mirror notes about it; `git worktree prune` would do it for all others too, in a process of its own. */
  #remove(mirror: string, folder: string): void {
    removeFolder(folder);
    removeFolder(join(mirror, "worktrees", basename(folder)));
  }

  #mirrorOf({ url }: Project): string {
    return join(this.#folder, "mirrors", sha256(url).slice(0, 32));
  }

  /** One after the other in a mirror: git fails on a note of a worktree that another process has half written. */
  #alone<T>(mirror: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#queues.get(mirror) ?? Promise.resolve()).then(work, work);
    this.#queues.set(mirror, mine);
    return mine;
  }

  /** Begun after it was asked for. */
  #fetch(mirror: string, project: Project): Fetch {
    const shared = this.#nextFetch.get(mirror);
    if (shared !== undefined) return shared;
    const done = this.#alone(mirror, async () => {
      this.#nextFetch.delete(mirror);
      await this.#update(mirror, project);
    });
    const mine: Fetch = { done, commits: new Map() };
    this.#nextFetch.set(mirror, mine);
    return mine;
  }

  async #git(cwd: string, args: string[], env: Record<string, string> = {}): Promise<string> {
    return this.#run({ file: "git", args, cwd }, env);
  }

  async #run(
    command: { file: "git" | "sh"; args: string[]; cwd: string },
    env: Record<string, string>,
    more: { onStdout?: (chunk: Buffer) => undefined; timeoutMs?: number } = {},
  ): Promise<string> {
    const outcome = await runCommand({
      ...{ ...command, env: { ...this.#env, ...env } },
      ...{ timeoutMs: 10 * minutes, keepBytes: 64_000_000, maxBytes: 128_000_000 },
      ...more,
    });
    if (outcome.exitCode === 0) return outcome.stdout.text;
    const what = command.file === "git" ? (command.args[0] ?? "") : "diff";
    const said = outcome.ended === "timeout" ? "timed out" : outcome.stderr.text;
    throw new Failure("UNAVAILABLE", gitProblem(what, said));
  }
}

function noBranch(ref: string): string {
  return `The repository has no branch ${ref}.`;
}

/** Hooks of a repository are programs of strangers. */
const safeSettings: readonly [string, string][] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["protocol.ext.allow", "never"],
  ["gc.auto", "0"],
];

/** Settings for every git process, as variables. */
function settingsEnv(settings: readonly [string, string][]): Record<string, string> {
  const pairs = settings.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** By the git directory that belongs to it, whatever a session made of the `.git` that names it. */
function worktreeEnv(mirror: string, folder: string): Record<string, string> {
  return { GIT_DIR: join(mirror, "worktrees", basename(folder)), GIT_WORK_TREE: folder };
}

/** A line with the tree, then the patch. In one shell: starting a process costs a worker, which is large, more than it costs a shell. */
const treeAndPatch = `
  git add --all
  git write-tree
  git diff --cached --binary --no-ext-diff --no-textconv "$1"`;

/**
 * What `git worktree add --detach --no-checkout` notes, without two processes. What makes it a worktree for others comes last: git
 * fails on a note that a worker left half written.
 */
function noteWorktree(mirror: string, folder: string, commit: string): void {
  const note = join(mirror, "worktrees", basename(folder));
  const write = (path: string, line: string) => writeAtomic(path, `${line}\n`, { durable: false });
  write(join(folder, ".git"), `gitdir: ${note}`);
  write(join(note, "HEAD"), commit);
  write(join(note, "commondir"), "../..");
  write(join(note, "gitdir"), join(folder, ".git"));
}

/** At most so many at once; the others wait in order. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((next) => this.#waiting.push(next));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
