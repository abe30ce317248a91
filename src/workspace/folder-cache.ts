import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Lock } from "./lock.ts";
import { hasCode } from "./os-failure.ts";
import { ensureDirectory } from "./state-files.ts";

/**
 * A cache of folders that are slow to build. When a new folder exceeds the limit, the least recently used ones are
 * removed, but only while no process uses the cache, since it might be reading them.
 */
export class FolderCache {
  readonly #place: string;
  readonly #maxBytes: number;

  constructor(place: string, maxBytes: number) {
    this.#place = place;
    this.#maxBytes = maxBytes;
  }

  /** Runs `work` with the folder of that name, building it first if necessary. */
  async use<T>(
    name: string,
    build: (aside: string) => Promise<void>,
    work: (folder: string) => Promise<T>,
  ): Promise<T> {
    ensureDirectory(this.#place);
    const lock = new Lock(join(this.#place, "lock.db"), "clearing away what was kept");
    const folder = join(this.#place, name);
    const isNew = !existsSync(folder);
    try {
      return await lock.share(async () => {
        await buildWhole(folder, build);
        utimesSync(folder, new Date(), new Date());
        return work(folder);
      });
    } finally {
      if (isNew) await lock.holdIfFree(async () => this.#trim());
      lock.close();
    }
  }

  #trim(): void {
    const kept = readdirSync(this.#place, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(this.#place, name));
    // The process that was building them has died.
    const unfinished = kept.filter(isAside);
    const newestFirst = kept
      .filter((folder) => !isAside(folder))
      .map((folder) => ({ folder, usedAt: statSync(folder).mtimeMs }))
      .sort((a, b) => b.usedAt - a.usedAt);
    let bytes = 0;
    const tooMuch = newestFirst.filter(({ folder }) => {
      bytes += bytesIn(folder);
      return bytes > this.#maxBytes;
    });
    for (const folder of unfinished) remove(folder);
    for (const { folder } of tooMuch) {
      // A process killed halfway leaves nothing that looks complete.
      const aside = asideOf(folder);
      renameSync(folder, aside);
      remove(aside);
    }
  }
}

const asideOf = (folder: string) => `${folder}.${randomBytes(6).toString("hex")}.tmp`;
const isAside = (folder: string) => folder.endsWith(".tmp");

/** Built under a temporary name and then renamed, so no process sees it half done. */
async function buildWhole(folder: string, build: (aside: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  const aside = asideOf(folder);
  ensureDirectory(aside);
  try {
    await build(aside);
    renameSync(aside, folder);
  } catch (error) {
    // Another process was faster; its folder is equivalent.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** A folder that cannot be removed is retried next time; the work itself has succeeded. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    return;
  }
}

/** As they lie on the disk. */
function bytesIn(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths.reduce((sum, path) => sum + lstatSync(join(folder, path)).blocks * 512, 0);
}
