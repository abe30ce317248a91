import { posix } from "node:path";
import { joinPath } from "./path.ts";
import type { Entry, EntryType, Identity, Workspace } from "./workspace.ts";

/** Names that lead through so many links one after the other are found; more only repeat them, as in a circle. */
const mostLinks = 3;
/** Nobody gives a file so many names by accident: whoever has more counts as having any name. */
const mostNames = 1_000;
/** What was seen so recently is not looked for again: a second, or as often as takes a tenth of the time. */
const freshMs = 1_000;
const pauses = 10;
/** File times are as coarse as a tick of the kernel. */
const clockGrain = 20;

/**
 * The names by which what is in a workspace can be reached: files with several hard links, what is mounted twice, and what
 * symlinks lead to. Device and inode tell what is the same.
 */
export class OtherNames {
  /** When the look began: names that were made since are not among them. */
  readonly #at = Date.now();
  #tookMs = 0;
  /** Everything that is there, in the order of a walk. */
  readonly entries: { path: string; type: EntryType }[] = [];
  readonly #byIdentity = new Map<string, string[]>();
  /** By the real path of a file or folder. */
  readonly #others = new Map<string, Set<string>>();

  static async in(workspace: Workspace): Promise<OtherNames> {
    const names = new OtherNames();
    const links: string[] = [];
    const all = { hidden: true, ignored: true, directories: true, everything: true, identity: true };
    for await (const entry of workspace.walk(all)) {
      names.#note(entry);
      if (entry.type === "symlink") links.push(entry.path);
    }
    for (const link of links) {
      // It may lead to nothing, out of the workspace, or in a circle.
      const end = await workspace.resolve(link).catch(() => undefined);
      if (end) names.#add(end.path, link);
    }
    for (const same of names.#byIdentity.values())
      if (same.length > 1) for (const one of same) for (const other of same) names.#add(one, other);
    names.#tookMs = Date.now() - names.#at;
    return names;
  }

  #note({ path, type, identity }: Entry): void {
    this.entries.push({ path, type });
    if (type === "symlink" || !identity) return;
    const same = this.#byIdentity.get(identity.id);
    if (same) same.push(path);
    else this.#byIdentity.set(identity.id, [path]);
  }

  #add(path: string, other: string): void {
    this.#others.set(path, (this.#others.get(path) ?? new Set()).add(other));
  }

  /** Every name of what has this real path, itself first; undefined: too many to tell. */
  of(path: string): string[] | undefined {
    if (this.#others.size === 0) return [path];
    const found = new Map([[path, 0]]);
    // What is added on the way is visited, too.
    for (const [name, links] of found) {
      if (links === mostLinks) continue;
      for (let above = name; ; above = posix.dirname(above)) {
        const rest = above === "." ? name : name.slice(above.length + 1);
        for (const other of this.#others.get(above) ?? []) {
          const one = rest === "" || rest === "." ? other : joinPath(other, rest);
          if (!found.has(one)) found.set(one, links + 1);
        }
        if (found.size > mostNames) return undefined;
        if (above === ".") break;
      }
    }
    return [...found.keys()];
  }

  /** The names of a file by what it is, too: it may be at this path only since just now. */
  ofFile(path: string, { id }: Identity): string[] | undefined {
    const all = [path, ...(this.#byIdentity.get(id) ?? [])].map((name) => this.of(name));
    return all.some((names) => names === undefined) ? undefined : all.flatMap((names) => names ?? []);
  }

  /** Whether a file may have got a name that was not there yet when this was looked at. */
  mayLackNamesOf({ links, changed }: Identity): boolean {
    return links > 1 && changed + clockGrain >= this.#at;
  }

  get isFresh(): boolean {
    return Date.now() - this.#at < Math.max(freshMs, pauses * this.#tookMs);
  }
}

const looked = new WeakMap<Workspace, Promise<OtherNames>>();

/** A moment old at most; `anew`: not older than this call. */
export async function otherNames(workspace: Workspace, anew = false): Promise<OtherNames> {
  const known = anew ? undefined : await looked.get(workspace)?.catch(() => undefined);
  if (known?.isFresh) return known;
  const next = OtherNames.in(workspace);
  looked.set(workspace, next);
  return next;
}
