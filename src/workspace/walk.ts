import { lstatSync } from "node:fs";
import { Failure } from "../failure/failure.ts";
import type { Directory } from "./directory.ts";
import { readFileAt } from "./file-bytes.ts";
import { entryOf } from "./files.ts";
import { IgnoreRules, ruleFiles } from "./ignore-rules.ts";
import type { Jail } from "./jail.ts";
import { typeOf } from "./node.ts";
import { mayBeIgnored, nonUtf8Entry, nonUtf8Names, tooLongEntry } from "./non-utf8-names.ts";
import { osFailure } from "./os-failure.ts";
import { joinPath, longestBelow, parentOf, refused } from "./path.ts";
import type { Entry, WalkOptions } from "./workspace.ts";
import { createYielder } from "./yielder.ts";

const defaultMaxBytes = 1_000_000;

interface Found {
  entry: Entry;
  directory: Directory;
}

export async function* walk(jail: Jail, options: WalkOptions = {}): AsyncGenerator<Entry> {
  for await (const { entry } of find(jail, options)) yield entry;
}

/** Files of a walk, read through the directory that is already open. */
export async function readEach(
  jail: Jail,
  options: WalkOptions & { maxBytes?: number },
  visit: (entry: Entry, read: () => Buffer | null) => void | Promise<void>,
): Promise<void> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  for await (const { entry, directory } of find(jail, { ...options, directories: false })) {
    if (entry.type === "file") await visit(entry, () => readOrSkip(directory, entry, maxBytes));
  }
}

/** Yields with the directory open: a consumer may use it until the next item. Lets other work run in between. */
async function* find(jail: Jail, options: WalkOptions): AsyncGenerator<Found> {
  const path = options.under ?? ".";
  using place = options.ifThere ? jail.findIfThere(path) : jail.find(path);
  if (!place) return;
  const top = place.name === "." ? undefined : enterTop(place.directory, place.name, path);
  try {
    const rules = options.ignored ? undefined : rulesAbove(jail, place.path);
    const turn = createYielder();
    for (const found of below(
      top ?? place.directory,
      place.path,
      rules,
      { ...options, longest: longestBelow(jail.root) },
      1,
    )) {
      if (options.signal?.aborted) throw new Failure("ABORTED", "The walk was stopped before its end.");
      yield found;
      await turn();
    }
  } finally {
    top?.[Symbol.dispose]();
  }
}

function* below(
  directory: Directory,
  path: string,
  outer: IgnoreRules | undefined,
  options: WalkOptions & { longest: number },
  depth: number,
): Generator<Found> {
  const names = depth === 1 ? directory.names() : namesOrNone(directory);
  const rules = outer?.within(directory, path, new Set(names));
  for (const raw of options.everything || options.notText ? nonUtf8Names(directory, names) : []) {
    const entry = nonUtf8Entry(raw, path);
    // With `everything`, entries are judged by their decoded name and type.
    const type = typeOf(lstatSync(directory.spell(raw)));
    if (options.notText) {
      if (!mayBeIgnored(entry.path, rules)) yield { entry, directory };
    } else yield { entry: { ...entry, path: joinPath(path, raw.toString()), type }, directory };
  }
  for (const name of names) {
    if ((name === ".git" && !options.everything) || (!options.hidden && name.startsWith("."))) continue;
    const own = joinPath(path, name);
    // The path is too long for the system, so no tool could use it.
    if (own.length > longestSeen && Buffer.byteLength(own) > options.longest) {
      if (options.notText && !mayBeIgnored(own, rules)) yield { entry: tooLongEntry(own), directory };
      continue;
    }
    const entry = entryOf(directory, name, own, options.identity);
    if (!entry || rules?.ignores(entry.path, entry.type === "directory")) continue;
    if (entry.type !== "directory" || options.directories) yield { entry, directory };
    if (entry.type !== "directory" || depth >= (options.depth ?? Number.POSITIVE_INFINITY)) continue;
    const inner = enterOrSkip(directory, name);
    if (!inner) continue;
    try {
      yield* below(inner, entry.path, rules, options, depth + 1);
    } finally {
      inner[Symbol.dispose]();
    }
  }
}

/** Shorter ones need not be measured: a character has at most three bytes for each of its units. */
const longestSeen = 1000;

/** Filters paths that were found in another way, as a walk below `under` would with these ignore files. */
export function ignoringBelow(
  jail: Jail,
  under: string,
  ruleNames: readonly string[] = ruleFiles,
): (path: string) => boolean {
  using place = jail.find(under);
  const top = place.path;
  const known = new Map<string, IgnoreRules>();
  const rulesIn = (folder: string): IgnoreRules => {
    const found = known.get(folder);
    if (found) return found;
    let rules = folder === top ? rulesAbove(jail, folder, ruleNames) : rulesIn(parentOf(folder));
    // Most folders have none: checking by path is cheaper than opening them.
    const names = ruleNames.filter((name) => isSomething(`${jail.root}/${joinPath(folder, name)}`));
    if (names.length > 0) {
      using here = jail.find(joinPath(folder, names[0] ?? ""), "none");
      rules = rules.within(here.directory, folder, new Set(names));
    }
    known.set(folder, rules);
    return rules;
  };
  const folders = new Map([[top, false]]);
  const ignoresFolder = (path: string): boolean => {
    const ignored =
      folders.get(path) ?? (ignoresFolder(parentOf(path)) || rulesIn(parentOf(path)).ignores(path, true));
    folders.set(path, ignored);
    return ignored;
  };
  return (path) =>
    path !== top && (ignoresFolder(parentOf(path)) || rulesIn(parentOf(path)).ignores(path, false));
}

/** Also false below a file: the path may belong to a tree that does not exist yet. */
function isSomething(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The rules of all directories above `path`; none if they exclude `path` itself, since naming it means it is wanted.
 */
function rulesAbove(jail: Jail, path: string, ruleNames: readonly string[] = ruleFiles): IgnoreRules {
  let rules = IgnoreRules.none;
  const names = path === "." ? [] : path.split("/");
  for (const [depth, name] of names.entries()) {
    const here = names.slice(0, depth).join("/") || ".";
    using place = jail.find(joinPath(here, name), "none");
    rules = rules.within(place.directory, here, new Set(ruleNames));
    if (rules.ignores(joinPath(here, name), true)) return IgnoreRules.none;
  }
  return rules;
}

function enterTop(directory: Directory, name: string, path: string): Directory {
  try {
    return directory.enter(name);
  } catch (error) {
    if (directory.stats(name)?.isDirectory()) throw osFailure(error, path);
    throw refused(`\`${path}\` is not a directory. Give the directory it is in.`);
  }
}

/** A directory that vanished, became a link or cannot be opened is skipped. */
function enterOrSkip(directory: Directory, name: string): Directory | undefined {
  try {
    return directory.enter(name);
  } catch {
    return undefined;
  }
}

function namesOrNone(directory: Directory): string[] {
  try {
    return directory.names();
  } catch {
    return [];
  }
}

function readOrSkip(directory: Directory, entry: Entry, maxBytes: number): Buffer | null {
  try {
    return readFileAt(directory, entry.name, entry.path, maxBytes).bytes;
  } catch {
    return null;
  }
}
