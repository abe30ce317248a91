import { join } from "node:path";
import type { StorageView } from "../api/settings.ts";
import { Failure } from "../failure/failure.ts";
import type { Store } from "../store/store.ts";
import { type Amount, type StoreKind, type StoreLimits, storeKinds } from "../store/upkeep.ts";
import { folderUsage, removeFolder } from "../workspace/folder-usage.ts";
import { Journal, journalFile } from "../workspace/journal.ts";
import { isThere, namesIn, writeAtomic } from "../workspace/state-files.ts";
import type { Places } from "./places.ts";
import type { Settings } from "./settings.ts";
import type { Worktrees } from "./worktrees.ts";

const day = 24 * 60 * 60 * 1000;
const megabyte = 1024 * 1024;

const about: Readonly<Record<StorageView["kind"], string>> = {
  sessions: "what was said, with every step of the agents",
  calls: "figures of calls, and the newest results",
  documents: "documents that agents wrote, with all versions",
  plans: "plans of agents",
  approvals: "open approval requests, with changes that wait for an answer",
  journal: "contents that undo needs",
  worktrees: "worktrees of sessions; those of this folder go when nothing is in them, others stay",
  caches: "indexes of code and compiled code; they are made again when they are needed",
  "set aside": "damaged files that wield doctor --repair replaced",
};

export interface CleanOptions {
  /** Instead of the limits in the settings: everything older than so many days. Pinned sessions stay. */
  days?: number;
}

function isFull(error: unknown): error is Failure {
  return error instanceof Failure && error.details?.["fault"] === "full";
}

function withoutAdviceToClean(error: unknown): never {
  if (!isFull(error)) throw error;
  const { file } = error.details ?? {};
  throw new Failure(
    "UNAVAILABLE",
    `There is no space left on the disk for ${String(file)}, although Wield has removed its caches. Delete something else on this disk, then clean again.`,
    error.details,
  );
}

/** What Wield keeps on this machine for all folders, and what of it is beyond the limits. */
export class Storage {
  readonly #places: Places;
  readonly #store: Store;
  readonly #settings: () => Pick<Settings, "keep" | "approvals">;

  readonly #worktrees: () => Worktrees;

  constructor(
    places: Places,
    store: Store,
    settings: () => Pick<Settings, "keep" | "approvals">,
    worktrees: () => Worktrees,
  ) {
    this.#places = places;
    this.#store = store;
    this.#settings = settings;
    this.#worktrees = worktrees;
  }

  /** What there is, and what `clean` with the same options would remove. */
  async look(options: CleanOptions = {}): Promise<StorageView[]> {
    return this.#lookAtAll(options).catch((error: unknown) => {
      if (!isFull(error)) throw error;
      // No database can be opened now: what needs none of the space is enough to begin with.
      const [caches, aside] = [sum(this.#caches()), sum(this.#setAside())];
      return [view("caches", caches, caches), view("set aside", aside, aside)];
    });
  }

  async #lookAtAll(options: CleanOptions): Promise<StorageView[]> {
    const limits = this.#limits(options);
    const upkeep = this.#store.upkeep?.();
    const [usage, beyond] = [await upkeep?.usage(), await upkeep?.beyond(limits.store)];
    const ofStore = usage ? storeKinds.map((kind) => view(kind, usage[kind], beyond?.[kind] ?? nothing)) : [];
    const journals = await this.#journals(limits.journal, false);
    const [caches, old] = [this.#caches(), this.#caches().filter(isOlder(limits.caches))];
    const aside = this.#setAside();
    const worktrees = {
      all: this.#worktreeFolders(),
      unused: await this.#worktrees().unused(limits.worktrees),
    };
    return [
      ...ofStore,
      view("journal", journals.all, journals.old),
      view("worktrees", sum(worktrees.all), sum(worktrees.unused)),
      view("caches", sum(caches), sum(old)),
      view("set aside", sum(aside), sum(aside)),
    ];
  }

  /** Removes what is beyond the limits, and damaged files that were replaced. Says what was removed. */
  async clean(options: CleanOptions = {}): Promise<StorageView[]> {
    const limits = this.#limits(options);
    const aside = this.#setAside();
    const caches = this.#caches().filter(isOlder(limits.caches));
    for (const { path } of [...caches, ...aside]) removeFolder(path);
    // A database needs some space to give up more: on a full disk all caches go, which need none and are made again.
    const spare = this.#caches();
    const { removed, journals } = await this.#cleanDatabases(limits).catch((error: unknown) => {
      if (!isFull(error)) throw error;
      for (const { path } of spare) removeFolder(path);
      caches.push(...spare);
      return this.#cleanDatabases(limits).catch(withoutAdviceToClean);
    });
    const worktrees = await this.#worktrees().unused(limits.worktrees);
    for (const { record } of worktrees) await this.#worktrees().remove(record);
    return [
      ...storeKinds.map((kind) => view(kind, removed?.[kind] ?? nothing, removed?.[kind] ?? nothing)),
      view("journal", journals.old, journals.old),
      view("worktrees", sum(worktrees), sum(worktrees)),
      view("caches", sum(caches), sum(caches)),
      view("set aside", sum(aside), sum(aside)),
    ].filter(({ count }) => count > 0);
  }

  async #cleanDatabases({ store, journal }: { store: StoreLimits; journal: string | null }) {
    const upkeep = this.#store.upkeep?.();
    const removed = await upkeep?.remove(store, Number.MAX_SAFE_INTEGER);
    if (removed) await upkeep?.compact(true);
    return { removed, journals: await this.#journals(journal, true) };
  }

  /** Once a day, in a process that is ending: removes part of what exceeds the limits, so nobody waits long. */
  async tidyIfDue(): Promise<void> {
    const mark = join(this.#places.stateDir, "tidied");
    if (Date.now() - folderUsage(mark).newest < day || !isThere(this.#places.storeFile)) return;
    writeAtomic(mark, new Date().toISOString(), { durable: false });
    const limits = this.#limits({});
    const upkeep = this.#store.upkeep?.();
    await upkeep?.remove(limits.store);
    await upkeep?.compact(false);
    await this.#journals(limits.journal, true);
    for (const { path } of this.#caches().filter(isOlder(limits.caches))) removeFolder(path);
  }

  #limits({ days }: CleanOptions): {
    store: StoreLimits;
    journal: string | null;
    caches: number;
    worktrees: number;
  } {
    const { keep, approvals } = this.#settings();
    const before = (limit: number): string | undefined => {
      const chosen = days ?? limit;
      return days === undefined && limit === 0
        ? undefined
        : new Date(Date.now() - chosen * day).toISOString();
    };
    const times: Partial<Record<StoreKind, string | undefined>> = {
      sessions: before(keep.sessionDays),
      calls: before(keep.callDays),
      documents: before(keep.documentDays),
      plans: before(keep.planDays),
      approvals: before(approvals.days),
    };
    const given = Object.entries(times).filter(([, time]) => time !== undefined);
    const caches = before(keep.cacheDays);
    const worktrees = before(keep.sessionDays);
    return {
      store: { before: Object.fromEntries(given), bytes: keep.storeMegabytes * megabyte },
      journal: before(keep.journalDays) ?? null,
      caches: caches === undefined ? 0 : Date.parse(caches),
      worktrees: worktrees === undefined ? 0 : Date.parse(worktrees),
    };
  }

  /** All journals; one that cannot be opened now is left for another day. */
  async #journals(before: string | null, remove: boolean): Promise<{ all: Amount; old: Amount }> {
    const amounts: { all: Amount; old: Amount }[] = [];
    for (const folder of this.#folders("journals")) {
      if (!isThere(join(folder, journalFile))) continue;
      const journal = await Journal.open(folder, Number.POSITIVE_INFINITY).catch(() => undefined);
      if (!journal) continue;
      try {
        const old = before === null ? nothing : journal.usage(before);
        amounts.push({ all: journal.usage(null), old });
        if (remove && before !== null && old.count > 0)
          await journal.lock.hold(async () => journal.removeBefore(before));
      } finally {
        journal.close();
      }
    }
    return { all: total(amounts.map(({ all }) => all)), old: total(amounts.map(({ old }) => old)) };
  }

  #caches(): Found[] {
    return [...this.#folders("code"), ...this.#folders("compile-cache")].map(found);
  }

  /** Of all repositories. */
  #worktreeFolders(): Found[] {
    const { worktreesDir } = this.#places;
    const repositories = isThere(worktreesDir)
      ? namesIn(worktreesDir).map((name) => join(worktreesDir, name))
      : [];
    return repositories.flatMap((folder) => namesIn(folder).map((name) => found(join(folder, name))));
  }

  #setAside(): Found[] {
    const { stateDir } = this.#places;
    const folders = [stateDir, ...this.#folders("journals")].filter(isThere);
    return folders.flatMap((folder) =>
      namesIn(folder)
        .filter((name) => name.includes(".damaged-"))
        .map((name) => found(join(folder, name))),
    );
  }

  #folders(name: string): string[] {
    const folder = join(this.#places.stateDir, name);
    return isThere(folder) ? namesIn(folder).map((inside) => join(folder, inside)) : [];
  }
}

interface Found {
  path: string;
  bytes: number;
  newest: number;
}

const nothing: Amount = { count: 0, bytes: 0 };

function found(path: string): Found {
  const { bytes, newest } = folderUsage(path);
  return { path, bytes, newest };
}

function isOlder(time: number): (found: Found) => boolean {
  return ({ newest }) => newest < time;
}

function sum(all: readonly { bytes: number }[]): Amount {
  return total(all.map(({ bytes }) => ({ count: 1, bytes })));
}

function total(amounts: readonly Amount[]): Amount {
  return amounts.reduce((a, b) => ({ count: a.count + b.count, bytes: a.bytes + b.bytes }), nothing);
}

function view(kind: StorageView["kind"], all: Amount, removable: Amount): StorageView {
  return { kind, about: about[kind], ...all, removable };
}
