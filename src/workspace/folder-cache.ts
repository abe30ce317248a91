import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Lock } from "./lock.ts";
import { hasCode } from "./os-failure.ts";
import { ensureDirectory } from "./state-files.ts";

/**
 * Folders of Wield's own that take long to make, kept for the next time. When a new one brings them above the bound, those
 * whose last use is longest ago go, while nobody in any process uses one: who does might be reading it.
 */
export class FolderCache {
  readonly #place: string;
  readonly #maxBytes: number;

  constructor(place: string, maxBytes: number) {
    this.#place = place;
    this.#maxBytes = maxBytes;
  }

  /** Works with the folder of that name, made first when it is not there. */
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
    // Whoever was building them is gone.
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
      // A kill in the middle leaves nothing that looks whole.
      const aside = asideOf(folder);
      renameSync(folder, aside);
      remove(aside);
    }
  }
}

const asideOf = (folder: string) => `${folder}.${randomBytes(6).toString("hex")}.tmp`;
const isAside = (folder: string) => folder.endsWith(".tmp");

/** Built aside and put in place whole, so that nobody ever finds it half done. */
async function buildWhole(folder: string, build: (aside: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  const aside = asideOf(folder);
  ensureDirectory(aside);
  try {
    await build(aside);
    renameSync(aside, folder);
  } catch (error) {
    // Somebody else was faster: theirs is as good.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** What cannot be removed is tried again next time: the work is done, and its result counts. */
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
