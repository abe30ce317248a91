import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { SharedCode } from "../app/code-index.ts";
import { indexFolder, workspaceFiles } from "../code/files/workspace-files.ts";
import { FirstLook } from "../code/project/first-look.ts";
import { openSharedIndex, type UnchangedFiles } from "../code/project/open-shared-index.ts";
import type { SharedIndex, SharedStart } from "../code/project/shared-index.ts";
import { sha256 } from "../text/digest.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { namesIn, readIfThere, removeFolder } from "../workspace/state-files.ts";
import type { WholeWorkspace } from "../workspace/workspace.ts";
import type { Project, Repositories } from "./repositories.ts";

interface OpenIndex {
  index: Promise<SharedIndex>;
  users: number;
}

/** Of one repository, on disk. */
const mostKept = 4;
/** In the folder of an index: when a session last began to use it. */
const usedName = "used";

/** The code indexes of commits on a worker: each is made once, from the commit's own files, for all sessions that begin with it. */
export class CommitIndexes {
  readonly #folder: string;
  readonly #repositories: Repositories;
  readonly #open = new Map<string, OpenIndex>();

  constructor(folder: string, repositories: Repositories) {
    this.#folder = join(folder, "code");
    this.#repositories = repositories;
  }

  /** For a session that begins with this commit. */
  of(project: Project, commit: string): SessionCode {
    return new SessionCode(() => this.#take(project, commit));
  }

  /** Stops what is being made. */
  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const { index } of all)
      await index.then(
        (opened) => opened.close(),
        () => undefined,
      );
  }

  async #take(project: Project, commit: string): Promise<{ index: SharedIndex; release: () => void }> {
    const place = join(this.#folder, sha256(project.url).slice(0, 32), commit);
    const known = this.#open.get(place) ?? { index: this.#make(project, commit, place), users: 0 };
    this.#open.set(place, known);
    known.users++;
    try {
      const index = await known.index;
      return { index, release: () => void this.#release(place, known, index) };
    } catch (error) {
      if (this.#open.get(place) === known) this.#open.delete(place);
      throw error;
    }
  }

  async #make(project: Project, commit: string, place: string): Promise<SharedIndex> {
    const repositories = this.#repositories;
    const folder = indexFolder(place);
    folder.write(usedName, [Buffer.from(String(Date.now()))]);
    const others = othersBeside(place);
    const similar = others[0];
    for (const old of others.slice(mostKept - 1)) if (!this.#open.has(old)) removeFolder(old);
    return openSharedIndex({
      folder,
      checkOut: () => unchangedFiles(repositories, project, commit, place),
      pastCommits: (most) => repositories.history(project, commit, most),
      threads: Math.max(1, availableParallelism() - 1),
      similar: similar === undefined ? undefined : indexFolder(similar),
    });
  }

  /** What is being parsed is finished for the next session. */
  async #release(place: string, known: OpenIndex, index: SharedIndex): Promise<void> {
    known.users--;
    await index.parsed;
    if (known.users > 0 || this.#open.get(place) !== known) return;
    this.#open.delete(place);
    await index.close();
  }
}

/** The indexes of other commits of the repository, the one that was used last first. */
function othersBeside(place: string): string[] {
  const repository = join(place, "..");
  const usedAt = (folder: string) => Number(readIfThere(join(folder, usedName)) ?? 0);
  return namesIn(repository)
    .map((name) => join(repository, name))
    .filter((folder) => folder !== place)
    .toSorted((a, b) => usedAt(b) - usedAt(a));
}

/** What a session has of the index of its commit. */
export class SessionCode implements SharedCode {
  readonly #take: () => Promise<{ index: SharedIndex; release: () => void }>;
  #look: FirstLook | undefined;
  #release: (() => void) | undefined;
  #isClosed = false;

  constructor(take: () => Promise<{ index: SharedIndex; release: () => void }>) {
    this.#take = take;
  }

  /** Before anything is changed: later looks find what differs from this one. */
  async lookAt(workspace: Pick<WholeWorkspace, "survey">): Promise<void> {
    this.#look = new FirstLook((await workspace.survey(undefined)).folders);
  }

  async open(): Promise<SharedStart | undefined> {
    if (!this.#look) return undefined;
    const { index, release } = await this.#take();
    if (this.#isClosed) release();
    else this.#release = release;
    return index.startFor(this.#look);
  }

  close(): void {
    this.#isClosed = true;
    this.#release?.();
    this.#release = undefined;
  }
}

/** A worktree of its own, which no session has. */
async function unchangedFiles(
  repositories: Repositories,
  project: Project,
  commit: string,
  place: string,
): Promise<UnchangedFiles> {
  const folder = await repositories.checkOut(project, commit, repositories.passingName());
  const workspace = await openWorkspace(folder, { stateDir: place, durable: false });
  return {
    files: workspaceFiles(workspace),
    remove: async () => {
      workspace.close();
      await repositories.remove(project, folder).catch(() => undefined);
    },
  };
}
