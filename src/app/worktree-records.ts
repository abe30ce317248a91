import { join } from "node:path";
import { z } from "zod";
import type { WorktreeView } from "../api/worktrees.ts";
import { sha256 } from "../text/digest.ts";
import {
  ensureDirectory,
  isThere,
  namesIn,
  readIfThere,
  removeFile,
  writeAtomic,
} from "../workspace/state-files.ts";
import type { Places } from "./places.ts";

/** What Wield knows of a worktree that it made. Nothing in the worktree itself says so: a session could have written that. */
export interface WorktreeRecord extends WorktreeView {
  /** Where git keeps its state. */
  gitDir: string;
  /** The git directory of the repository. */
  commonDir: string;
}

const text = z.string().min(1);
const recordSchema = z.object({
  ...{ name: text, folder: text, repository: text, branch: text, at: text, gitDir: text, commonDir: text },
  ended: z.enum(["merge", "keep", "discard"]).optional(),
  endedAt: text.optional(),
});

/** The records are files of Wield's state, one for each worktree. */
export class WorktreeRecords {
  readonly #folder: string;

  constructor({ stateDir }: Places) {
    this.#folder = join(stateDir, "worktrees");
  }

  /** By the worktree's folder. */
  at(folder: string): WorktreeRecord | undefined {
    const found = this.#read(this.#file(folder));
    return found?.folder === folder ? found : undefined;
  }

  /** Of a repository, or of all; oldest first. */
  list(repository?: string): WorktreeRecord[] {
    if (!isThere(this.#folder)) return [];
    return namesIn(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => this.#read(join(this.#folder, name)) ?? [])
      .filter((record) => repository === undefined || record.repository === repository)
      .sort((one, other) => one.at.localeCompare(other.at));
  }

  write(record: WorktreeRecord): void {
    ensureDirectory(this.#folder);
    writeAtomic(this.#file(record.folder), `${JSON.stringify(record, null, 2)}\n`);
  }

  remove({ folder }: WorktreeRecord): void {
    removeFile(this.#file(folder));
  }

  /** For an index of git's that is used once. */
  scratch({ folder }: WorktreeRecord): string {
    return `${this.#file(folder)}.${process.pid}.index`;
  }

  #file(folder: string): string {
    return join(this.#folder, `${sha256(folder).slice(0, 32)}.json`);
  }

  /** What is damaged is no record: the folder is then a folder like any other. */
  #read(file: string): WorktreeRecord | undefined {
    try {
      const { ended, endedAt, ...known } = recordSchema.parse(
        JSON.parse(readIfThere(file)?.toString() ?? "null"),
      );
      return { ...known, ...(ended && { ended }), ...(endedAt !== undefined && { endedAt }) };
    } catch {
      return undefined;
    }
  }
}

/** What became of a worktree, in a sentence; undefined while it is there. */
export function endOf({ name, branch, folder, ended, endedAt }: WorktreeView): string | undefined {
  if (!ended) return isThere(folder) ? undefined : `The folder of the worktree ${name} no longer exists.`;
  const on = endedAt === undefined ? "" : ` on ${endedAt.slice(0, 10)}`;
  if (ended === "merge") return `The worktree ${name} was merged${on}.`;
  if (ended === "discard") return `The worktree ${name} was discarded${on}.`;
  return `The worktree ${name} was removed${on}, and its branch ${branch} was kept.`;
}
