import { basename, join } from "node:path";
import type { WorktreeEnded, WorktreeEnding, WorktreeView, WorktreeWork } from "../api/worktrees.ts";
import { Failure } from "../failure/failure.ts";
import type { RunCommand } from "../process/process.ts";
import { sha256 } from "../text/digest.ts";
import { type GitContext, type GitOptions, git, requireRepository } from "../tools/git/run-git.ts";
import { folderUsage } from "../workspace/folder-usage.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { ensureDirectory, isThere } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Places } from "./places.ts";
import { WorktreeGit } from "./worktree-git.ts";
import { endOf, type WorktreeRecord, type WorktreeRecords } from "./worktree-records.ts";

export interface WorktreeParts {
  places: Places;
  records: WorktreeRecords;
  /** The repository's folder, also where this process works in a worktree of it. */
  project: Workspace;
  git: GitOptions;
  run: RunCommand;
  /** Ends what runs in the folder of this process. */
  ending(): Promise<void>;
}

const names = /^[a-z0-9][a-z0-9._-]{0,59}$/i;

/** Worktrees that sessions of a repository work in: made on demand, each on a branch `wield/<name>`. */
export class Worktrees {
  readonly #parts: WorktreeParts;

  constructor(parts: WorktreeParts) {
    this.#parts = parts;
  }

  /** Oldest first; with those that have ended, whose sessions can still be read. */
  list(): WorktreeView[] {
    return this.#parts.records.list(this.#parts.project.root);
  }

  /** What became of the worktree that was in this folder, in a sentence; undefined while it is there, and for other folders. */
  endIn(folder: string): string | undefined {
    const record = this.#parts.records.at(folder);
    return record && endOf(record);
  }

  /** The same for this worktree, also when a later one has taken its name. */
  endOf({ name, folder, at }: WorktreeView): string | undefined {
    const record = this.#parts.records.at(folder);
    return record?.at === at ? endOf(record) : `The worktree ${name} has ended.`;
  }

  /** The worktree of this name; a new one if there is none. Without a name, a new one. */
  async open(name?: string): Promise<{ worktree: WorktreeView; isNew: boolean; leftOut: number }> {
    const known = name === undefined ? undefined : this.#present(name);
    if (known) return { worktree: known, isNew: false, leftOut: 0 };
    return this.#add(name ?? (await this.#freeName()));
  }

  /** What is in it that the person's branch does not have. */
  async look(name: string): Promise<WorktreeWork> {
    return this.#with(this.#named(name), (sides) => sides.work());
  }

  /** `state`: of what was shown to the person; when something has changed since, nothing is done. */
  async end(name: string, how: WorktreeEnding, state: string): Promise<WorktreeEnded> {
    const record = this.#named(name);
    return this.#with(record, async (sides) => {
      const work = await sides.work();
      if (work.state !== state)
        throw new Failure("CONFLICT", `The worktree ${name} or your branch has changed since: look again.`);
      if (how !== "discard" && work.nested.length > 0)
        throw new Failure(
          "CONFLICT",
          `A commit cannot hold ${work.nested.join(", ")}, because it has a git repository of its own. Remove its .git or move it away first.`,
        );
      await this.#parts.ending();
      const text = await sides[how](work);
      this.#parts.records.write({ ...record, ended: how, endedAt: new Date().toISOString() });
      return { text, repository: record.repository };
    });
  }

  /** Nothing is in it, and it was not used since then; and what is left of those that have ended. */
  async unused(before: number): Promise<{ record: WorktreeRecord; bytes: number }[]> {
    const { records, project } = this.#parts;
    const old = records.list(project.root).flatMap((record) => {
      const { bytes, newest } = folderUsage(record.folder);
      return Math.max(newest, Date.parse(record.at)) < before ? [{ record, bytes }] : [];
    });
    const found = [];
    for (const each of old) {
      const { ended, name, folder } = each.record;
      const work = ended || !isThere(folder) ? undefined : await this.look(name).catch(() => null);
      if (work === undefined || (work && work.files.length === 0 && work.commits === 0)) found.push(each);
    }
    return found;
  }

  /** Removes what `unused` found. */
  async remove(record: WorktreeRecord): Promise<void> {
    if (!record.ended && isThere(record.folder))
      await this.end(record.name, "discard", (await this.look(record.name)).state);
    this.#parts.records.remove(record);
  }

  async #add(name: string): Promise<{ worktree: WorktreeView; isNew: boolean; leftOut: number }> {
    if (!names.test(name) || name.includes("..") || /\.(lock)?$/.test(name))
      throw new Failure(
        "INVALID_INPUT",
        `${JSON.stringify(name)} cannot be the name of a worktree: use up to 60 letters, digits, dots and hyphens.`,
      );
    const { places, project, records } = this.#parts;
    const options = this.#gitOptions();
    const context = this.#contextOf(project);
    const run = (args: readonly string[]) => git(args, context, options);
    await requireRepository(context, options).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== "UNAVAILABLE") throw error;
      throw new Failure(
        "UNAVAILABLE",
        `A worktree needs a git repository, and ${project.root} is none: git init makes one.`,
      );
    });
    const head = await run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).catch(() => undefined);
    if (head === undefined)
      throw new Failure(
        "UNAVAILABLE",
        "A worktree begins at a commit, and this repository has none yet: commit something first.",
      );
    if (/^160000 /m.test(await run(["ls-files", "--stage"])))
      throw new Failure(
        "UNAVAILABLE",
        "This repository has submodules, which git does not bring into a worktree: work in the folder itself.",
      );
    const branch = `wield/${name}`;
    if (await run(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]).catch(() => undefined))
      throw new Failure(
        "CONFLICT",
        `There is a branch ${branch} already: choose another name, or remove it with: git branch -d ${branch}`,
      );
    const folder = join(
      places.worktreesDir,
      `${basename(project.root)}-${sha256(project.root).slice(0, 8)}`,
      name,
    );
    if (isThere(folder))
      throw new Failure("CONFLICT", `${folder} exists already: choose another name, or remove it.`);
    ensureDirectory(join(folder, ".."));
    await run(["worktree", "add", "--quiet", "-b", branch, "--no-track", folder, head.trim()]);
    const where = [
      "rev-parse",
      "--absolute-git-dir",
      "--path-format=absolute",
      "--git-common-dir",
      "--show-toplevel",
    ];
    const [gitDir = "", commonDir = "", top = ""] = (await run(["-C", folder, ...where]))
      .trimEnd()
      .split("\n");
    const record: WorktreeRecord = {
      ...{ name, folder: top, repository: project.root, branch, gitDir, commonDir },
      at: new Date().toISOString(),
    };
    records.write(record);
    const changed = (await run(["status", "--porcelain", "-z"])).split("\0").filter(Boolean);
    return { worktree: record, isNew: true, leftOut: changed.length };
  }

  /** Both checkouts are looked at first: their settings must not make git run what a session wrote. */
  async #with<T>(record: WorktreeRecord, work: (sides: WorktreeGit) => Promise<T>): Promise<T> {
    const { project, records, places } = this.#parts;
    const options = this.#gitOptions();
    const { gitDir, commonDir } = record;
    const workspace = await openWorkspace(record.folder, { stateDir: places.stateDir });
    try {
      const repository = { context: this.#contextOf(project), options };
      const own = {
        context: this.#contextOf(workspace),
        options: { ...options, worktree: { gitDir, commonDir, repository: project } },
      };
      for (const side of [repository, own]) await requireRepository(side.context, side.options);
      return await work(new WorktreeGit({ record, repository, own, scratch: records.scratch(record) }));
    } finally {
      workspace.close();
    }
  }

  /** For the repository's own folder; git makes and removes worktrees beside it. */
  #gitOptions(): GitOptions {
    const { worktree: _, ...options } = this.#parts.git;
    return { ...options, writes: [this.#parts.places.worktreesDir] };
  }

  #present(name: string): WorktreeRecord | undefined {
    return this.#parts.records
      .list(this.#parts.project.root)
      .find((record) => record.name === name && !record.ended && isThere(record.folder));
  }

  #named(name: string): WorktreeRecord {
    const found = this.#present(name);
    if (found) return found;
    const all = this.list()
      .filter(({ ended }) => !ended)
      .map((each) => each.name);
    throw new Failure(
      "FILE_NOT_FOUND",
      `There is no worktree ${name}. ${all.length > 0 ? `There are: ${all.join(", ")}.` : "This repository has none."}`,
    );
  }

  async #freeName(): Promise<string> {
    const { worktree: _, ...options } = this.#parts.git;
    const args = ["for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/wield/"];
    const branches = await git(args, this.#contextOf(this.#parts.project), options).catch(() => "");
    const taken = new Set([...branches.split("\n"), ...this.list().map(({ name }) => name)]);
    let number = 1;
    while (taken.has(`task-${number}`)) number++;
    return `task-${number}`;
  }

  #contextOf(workspace: Workspace): GitContext {
    return { workspace, run: this.#parts.run };
  }
}
