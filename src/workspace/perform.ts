import {
  chmodSync,
  closeSync,
  fchmodSync,
  fchownSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import { captureAt, captureShallow } from "./capture.ts";
import type { Contents } from "./contents.ts";
import type { Directory } from "./directory.ts";
import type { Jail } from "./jail.ts";
import { type FileNode, fingerprintOf, type Node, sameTree } from "./node.ts";
import { hasCode, osFailure } from "./os-failure.ts";
import { parentOf, refused } from "./path.ts";
import { removeTree } from "./remove-tree.ts";
import { Mismatch } from "./simulation.ts";
import { isMove, type MoveStep, type SetStep, type Step, whereNow } from "./step.ts";
import { SyncBatch } from "./sync-batch.ts";

/** Steps in progress, or interrupted when their process died. The id names the temporary files. */
export interface Intent {
  id: string;
  steps: Step[];
}

/**
 * The temporary name under which a step builds the new state; a new file stays linked here until the change is
 * complete, which identifies it as Wield's.
 */
export function freshName(intent: Intent, index: number): string {
  return `.wield-${intent.id}-${index}-new.tmp`;
}

/** The temporary name under which a step keeps the old state until the change is complete. */
export function oldName(intent: Intent, index: number): string {
  return `.wield-${intent.id}-${index}-old.tmp`;
}

/**
 * Performs the steps in order. At any moment each file has either its old or its new state, and the replaced or
 * removed state stays beside it under a temporary name: `rollBack` needs nothing else, `cleanUp` removes it.
 * Replacing a file breaks its hard links: other names keep the old content.
 */
export async function perform(jail: Jail, intent: Intent, contents: Contents, durable = true): Promise<void> {
  using batch = new SyncBatch(durable);
  const all = { contents, batch, durable };
  const built = await buildReplacements(jail, intent, all);
  for (const [index, step] of intent.steps.entries()) {
    const path = isMove(step) ? step.to : step.path;
    try {
      const [fresh, old] = [freshName(intent, index), oldName(intent, index)];
      const making = built.has(index) ? undefined : all;
      await (isMove(step) ? performMove(jail, step, old) : performSet(jail, step, fresh, old, making));
    } catch (error) {
      if (hasCode(error, "EXDEV")) throw error;
      throw osFailure(error, path);
    }
    if (batch.isFull) await batch.sync();
  }
  await batch.sync();
  if (durable) syncParents(jail, intent);
  await requireNoLateWrites(jail, intent);
}

/**
 * Another program may have written to a file between the last look at it and its replacement: its text is in the old state then, which
 * is still there. Asked as late as possible, since a program may have opened the file before. The change is rolled back, so nothing is lost.
 */
async function requireNoLateWrites(jail: Jail, intent: Intent): Promise<void> {
  using places = jail.cursor();
  for (const [index, step] of intent.steps.entries()) {
    const before = isMove(step) ? step.replaced : step.before;
    if (before?.type !== "file") continue;
    const path = isMove(step) ? step.to : step.path;
    using place = places.findExact(whereNow(path, intent.steps.slice(index + 1)));
    if (!place) continue;
    const present = await captureAt(place.directory, oldName(intent, index), path);
    if (present !== null && !sameTree(present, before)) throw new Mismatch(path, before, present);
  }
}

/** The source of file contents, and the batch that syncs them. */
interface Making {
  contents: Contents;
  batch: SyncBatch;
  durable: boolean;
}

/**
 * Writes all replacement files to disk before the first one is renamed into place: a power cut must not leave an
 * empty file. Returns the steps whose file is ready. If there are moves among the steps, the folders may change, so
 * files are synced one by one.
 */
async function buildReplacements(jail: Jail, intent: Intent, making: Making): Promise<Set<number>> {
  const built = new Set<number>();
  if (intent.steps.some(isMove)) return built;
  using places = jail.cursor();
  for (const [index, step] of intent.steps.entries()) {
    if (isMove(step) || step.before?.type !== "file" || step.after?.type !== "file") continue;
    using place = places.findExact(step.path);
    if (!place) continue;
    const { directory, name } = place;
    try {
      build(directory, freshName(intent, index), step.after, making, directory.stats(name));
    } catch (error) {
      throw osFailure(error, step.path);
    }
    built.add(index);
    if (making.batch.isFull) await making.batch.sync();
  }
  await making.batch.sync();
  return built;
}

/** `making` is omitted if the new file is ready. */
async function performSet(
  jail: Jail,
  step: SetStep,
  fresh: string,
  old: string,
  making: Making | undefined,
): Promise<void> {
  using place = jail.find(step.path, "none");
  const { directory, name } = place;
  const { before, after } = step;
  if (after && making) build(directory, fresh, after, making, directory.stats(name));
  // A new file can be synced with the others, since it would be rolled back until then; a replacement cannot.
  if (before !== null) await making?.batch.sync();
  const present = await captureAt(directory, name, step.path);
  if (!sameTree(present, before)) throw new Mismatch(step.path, before, present);
  if (before === null) {
    if (after) appear(directory, fresh, name, after);
  } else if (after && after.type !== "directory" && before.type !== "directory") {
    keepAside(directory, name, old, before);
    await requireSame(directory, name, old, step);
    renameSync(directory.at(fresh), directory.at(name));
  } else {
    renameSync(directory.at(name), directory.at(old));
    if (after) renameSync(directory.at(fresh), directory.at(name));
  }
}

async function performMove(jail: Jail, step: MoveStep, old: string): Promise<void> {
  using source = jail.find(step.from, "none");
  using target = jail.find(step.to, "none");
  const moved = await captureShallow(source.directory, source.name, step.from);
  if (fingerprintOf(moved) !== fingerprintOf(step.moved)) throw new Mismatch(step.from, step.moved, moved);
  const replaced = await captureAt(target.directory, target.name, step.to);
  if (!sameTree(replaced, step.replaced)) throw new Mismatch(step.to, step.replaced, replaced);
  if (step.replaced) keepAside(target.directory, target.name, old, step.replaced);
  renameSync(source.directory.at(source.name), target.directory.at(target.name));
}

/** Nobody has put another file in the place of the one that was looked at: the new one would replace it unseen. */
async function requireSame(directory: Directory, name: string, old: string, step: SetStep): Promise<void> {
  const [now, kept] = [directory.stats(name), directory.stats(old)];
  if (step.before?.type !== "file" || !now || now.ino === kept?.ino) return;
  const present = await captureAt(directory, name, step.path);
  removeTree(directory, old);
  throw new Mismatch(step.path, step.before, present);
}

/** Creates a file, link or tree under a name that must not exist, with the owner of `like`. */
function build(directory: Directory, name: string, node: Node, making: Making, like?: Stats): void {
  if (node.type === "file") {
    buildFile(directory, name, node, making, like);
  } else if (node.type === "symlink") {
    symlinkSync(node.target, directory.at(name));
  } else if (node.type === "directory") {
    mkdirSync(directory.at(name), 0o700);
    using inner = directory.enter(name);
    for (const [child, childNode] of node.children) build(inner, child, childNode, making);
    chmodSync(inner.at("."), node.mode);
    if (making.durable) inner.sync();
  } else {
    throw refused("Pipes, sockets and devices cannot be recreated.");
  }
}

function buildFile(
  directory: Directory,
  name: string,
  node: FileNode,
  { contents, batch }: Making,
  like?: Stats,
): void {
  const fd = openSync(directory.at(name), "wx", 0o600);
  try {
    contents.writeTo(fd, node);
    if (like?.isFile()) lendOwner(fd, like);
    fchmodSync(fd, node.mode);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  batch.add(fd);
}

/** Only root can change the owner; for others the file belongs to them, as with any editor that replaces files. */
function lendOwner(fd: number, like: Stats): void {
  try {
    fchownSync(fd, like.uid, like.gid);
  } catch (error) {
    if (!hasCode(error, "EPERM", "EINVAL")) throw error;
  }
}

/** Gives a finished file its name, never replacing an existing one. */
function appear(directory: Directory, fresh: string, name: string, node: Node): void {
  if (node.type === "file" && linked(directory, fresh, name)) return;
  if (directory.stats(name)) throw Object.assign(new Error("exists"), { code: "EEXIST", syscall: "rename" });
  renameSync(directory.at(fresh), directory.at(name));
}

function keepAside(directory: Directory, name: string, old: string, node: Node): void {
  if (node.type === "symlink") symlinkSync(node.target, directory.at(old));
  else if (!linked(directory, name, old)) renameSync(directory.at(name), directory.at(old));
}

/** False on file systems without hard links. */
function linked(directory: Directory, from: string, to: string): boolean {
  try {
    linkSync(directory.at(from), directory.at(to));
    return true;
  } catch (error) {
    if (hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) return false;
    throw error;
  }
}

function syncParents(jail: Jail, intent: Intent): void {
  const paths = intent.steps.flatMap((step) => (isMove(step) ? [step.from, step.to] : [step.path]));
  const siblings = new Map(paths.map((path) => [parentOf(path), path]));
  for (const path of siblings.values()) {
    using place = jail.findExact(path);
    place?.directory.sync();
  }
}
