import type { WorktreeWork } from "../api/worktrees.ts";
import { Failure } from "../failure/failure.ts";
import { sha256 } from "../text/digest.ts";
import { currentBranch, type GitContext, type GitOptions, git } from "../tools/git/run-git.ts";
import { removeFile, removeFolder } from "../workspace/state-files.ts";
import type { WorktreeRecord } from "./worktree-records.ts";

/** Both sides of a worktree: its own checkout, and the folder of the repository. */
export interface WorktreeSides {
  record: WorktreeRecord;
  repository: { context: GitContext; options: GitOptions };
  own: { context: GitContext; options: GitOptions };
  /** A path for an index that is used once. */
  scratch: string;
}

interface Snapshot {
  /** The commit that the worktree is on, and a tree of all its files that git does not ignore. */
  tip: string;
  tree: string;
  nested: string[];
}

/** What git does for a worktree when its work is done. Hooks do not run: they would run code of the worktree outside the sandbox. */
export class WorktreeGit {
  readonly #sides: WorktreeSides;

  constructor(sides: WorktreeSides) {
    this.#sides = sides;
  }

  async work(): Promise<WorktreeWork> {
    const { record, repository } = this.#sides;
    const { gitDir: _, commonDir: __, ...worktree } = record;
    const { tip, tree, nested } = await this.#snapshot();
    const head = (await this.#there(["rev-parse", "HEAD"])).trim();
    const base = (await this.#there(["merge-base", head, tip])).trim();
    const status = await this.#here(["status", "--porcelain", "--untracked-files=all", "-z", "--no-renames"]);
    const files = numbers(
      await this.#there([
        "diff",
        "--numstat",
        "-z",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        base,
        tree,
      ]),
    );
    const sum = (of: "added" | "removed") => files.reduce((total, file) => total + file[of], 0);
    return {
      worktree,
      into: await currentBranch(repository.context, repository.options),
      commits: Number(await this.#there(["rev-list", "--count", `${base}..${tip}`])),
      uncommitted: status.split("\0").filter(Boolean).length,
      files,
      ...{ added: sum("added"), removed: sum("removed"), nested },
      conflicts: await this.#conflicts(head, await this.#commitOf(tip, tree)),
      state: sha256([head, tip, tree].join("\n")),
    };
  }

  /** One commit for what is not committed, then a merge into the branch that the person is on. */
  async merge(work: WorktreeWork): Promise<string> {
    const { branch } = this.#sides.record;
    await this.#requireOwnBranch();
    const commits = work.commits + (await this.#commitAll());
    await this.#there(["merge", "--no-edit", "--quiet", branch]).catch(async (error: Error) => {
      const conflicts = await this.#there(["diff", "--name-only", "--diff-filter=U", "-z"]).catch(() => "");
      await this.#there(["merge", "--abort"]).catch(() => undefined);
      const why = conflicts === "" ? mergeProblem(error.message) : `${named(conflicts)} would conflict.`;
      throw new Failure(
        "CONFLICT",
        `Nothing was merged; everything is committed on ${branch}. ${why} To merge it by hand: git merge ${branch}`,
      );
    });
    const into = work.into ?? "the commit that is checked out";
    await this.#remove();
    await this.#there(["branch", "--quiet", "-D", branch]);
    return `Merged ${counted(work, commits)} into ${into}. The worktree and its branch were removed.`;
  }

  async keep(work: WorktreeWork): Promise<string> {
    const { branch } = this.#sides.record;
    await this.#requireOwnBranch();
    const commits = work.commits + (await this.#commitAll());
    await this.#remove();
    return `The branch ${branch} was kept with ${counted(work, commits)}. The worktree was removed.`;
  }

  /** What was there can be had back for as long as git keeps commits that no branch leads to. */
  async discard(work: WorktreeWork): Promise<string> {
    const { branch } = this.#sides.record;
    const { tip, tree } = await this.#snapshot();
    const last = await this.#commitOf(tip, tree);
    await this.#remove();
    await this.#there(["branch", "--quiet", "-D", branch]).catch(() => undefined);
    const isEmpty = work.commits === 0 && work.files.length === 0;
    const back = isEmpty
      ? ""
      : ` To restore it within the next two weeks: git branch ${branch} ${last.slice(0, 12)}`;
    return `Discarded ${counted(work, work.commits)}.${back}`;
  }

  async #requireOwnBranch(): Promise<void> {
    const { own, record } = this.#sides;
    const on = await currentBranch(own.context, own.options);
    if (on === record.branch) return;
    throw new Failure(
      "CONFLICT",
      `The worktree ${record.name} is on ${on ?? "no branch"}, not on ${record.branch}: switch back first (git switch ${record.branch} in ${record.folder}), or merge by hand.`,
    );
  }

  /** All files as they are, without touching the worktree's own index. */
  async #snapshot(): Promise<Snapshot> {
    const { scratch: index } = this.#sides;
    try {
      const tip = (await this.#here(["rev-parse", "HEAD"])).trim();
      await this.#here(["read-tree", tip], index);
      await this.#here(["-c", "advice.addEmbeddedRepo=false", "add", "--all"], index);
      const nested = (await this.#here(["ls-files", "--stage", "-z"], index))
        .split("\0")
        .flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
      return { tip, tree: (await this.#here(["write-tree"], index)).trim(), nested };
    } finally {
      for (const path of [index, `${index}.lock`]) removeFile(path);
    }
  }

  /** How many commits it made: one, or none where everything was committed. */
  async #commitAll(): Promise<number> {
    const { branch } = this.#sides.record;
    const { tip, tree } = await this.#snapshot();
    const commit = await this.#commitOf(tip, tree);
    if (commit === tip) return 0;
    await this.#here([
      "update-ref",
      "-m",
      "wield: what was not committed",
      `refs/heads/${branch}`,
      commit,
      tip,
    ]);
    await this.#here(["reset", "--quiet"]);
    return 1;
  }

  /** The commit that is there already where nothing differs from it. No branch leads to a new one yet. */
  async #commitOf(tip: string, tree: string): Promise<string> {
    if ((await this.#here(["rev-parse", `${tip}^{tree}`])).trim() === tree) return tip;
    const known = await this.#here(["var", "GIT_COMMITTER_IDENT"]).catch(() => undefined);
    const identity = known === undefined ? ["-c", "user.name=Wield", "-c", "user.email=wield@localhost"] : [];
    const message = `Work in the worktree ${this.#sides.record.name}`;
    return (await this.#here([...identity, "commit-tree", tree, "-p", tip, "-m", message])).trim();
  }

  /** Where a merge would stop; none where this git cannot tell before it merges. */
  async #conflicts(head: string, tip: string): Promise<string[]> {
    const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", head, tip];
    // It fails where there are conflicts, with their names among what it prints.
    const said = await this.#there(args).catch((error: Error) =>
      error.message.replace(/^git merge-tree failed: /, ""),
    );
    return said.split("\0").slice(1).filter(Boolean);
  }

  async #remove(): Promise<void> {
    const { folder, gitDir } = this.#sides.record;
    // Git leaves a worktree alone whose `.git` was changed.
    await this.#there(["worktree", "remove", "--force", folder]).catch(() => undefined);
    removeFolder(folder);
    removeFolder(gitDir);
  }

  #here(args: readonly string[], index?: string): Promise<string> {
    const { context, options } = this.#sides.own;
    return git(args, context, options, index === undefined ? {} : { index });
  }

  #there(args: readonly string[]): Promise<string> {
    const { context, options } = this.#sides.repository;
    return git(args, context, options);
  }
}

/** What git says when it does not begin a merge, as one sentence; the files are on lines of their own, after a tab. */
function mergeProblem(message: string): string {
  const said = message.replace(/^git merge failed: /, "");
  const files = said.split("\n").flatMap((line) => (line.startsWith("\t") ? [line.trim()] : []));
  if (/would be overwritten/.test(said) && files.length > 0)
    return `Changes in your folder that are not committed would be overwritten (${files.join(", ")}): commit or stash them first.`;
  const [first = ""] = said.split("\n");
  return `Git reports: ${first.replace(/^(error|fatal): /, "").replace(/[.:]?$/, ".")}`;
}

/** `3 commits with 5 changed files (+120 −4)`, for people. */
function counted({ files, added, removed }: WorktreeWork, commits: number): string {
  const many = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
  if (commits === 0 && files.length === 0) return "no changes";
  const changed = `${many(files.length, "changed file")} (+${added} −${removed})`;
  return commits === 0 ? changed : `${many(commits, "commit")} with ${changed}`;
}

function named(list: string): string {
  return list.split("\0").filter(Boolean).join(", ");
}

/** Of `git diff --numstat -z`; binary files have no lines. */
function numbers(text: string): WorktreeWork["files"] {
  return text
    .split("\0")
    .filter(Boolean)
    .map((line) => {
      const [added, removed, ...path] = line.split("\t");
      return { path: path.join("\t"), added: Number(added) || 0, removed: Number(removed) || 0 };
    });
}
