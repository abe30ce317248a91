import type { FolderCursor } from "./folder-cursor.ts";
import type { Jail } from "./jail.ts";
import { fingerprintOf, type Node, nodesOf, sameTree } from "./node.ts";
import {
  joinPath,
  nameOf,
  namesOf,
  namesOfTarget,
  outsideThroughSymlink,
  outsideWorkspace,
  parentOf,
  refused,
  symlinkLoop,
} from "./path.ts";
import { isMove, type MoveStep, type SetStep, type Step } from "./step.ts";
import { imagined, shallowOf, type VirtualDirectory, VirtualTree } from "./virtual-tree.ts";

const maxLinks = 40;

/** The target of a path in the simulated tree, without symlinks. */
export interface Spot {
  path: string;
  type: Node["type"] | null;
  /** Parents that do not exist, outermost first. */
  missing: string[];
}

/** A path was not in the state that a step starts from. */
export class Mismatch extends Error {
  readonly path: string;
  readonly expected: Node | null;
  readonly actual: Node | null;

  constructor(path: string, expected: Node | null, actual: Node | null) {
    super(`${path} is ${fingerprintOf(actual)}, not ${fingerprintOf(expected)}`);
    this.path = path;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The workspace as it would be after some steps; nothing is touched. Dispose it to close what it reads through. */
export class Simulation implements Disposable {
  readonly #jail: Jail;
  readonly places: FolderCursor;
  readonly tree: VirtualTree;
  /** Paths that the steps named, in order. */
  readonly touched = new Set<string>();

  constructor(jail: Jail) {
    this.#jail = jail;
    this.places = jail.cursor();
    this.tree = new VirtualTree(this.places);
  }

  [Symbol.dispose](): void {
    this.places[Symbol.dispose]();
  }

  /** Follows symlinks as the jail does, but in the simulated tree; the path need not exist yet. */
  async resolve(path: string, followLast: boolean): Promise<Spot> {
    const pending = namesOf(path, this.#jail.root).reverse();
    let here = ".";
    let links = 0;
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (name === "..") {
        if (here === ".") throw links > 0 ? outsideThroughSymlink(path) : outsideWorkspace(path);
        here = parentOf(here);
        continue;
      }
      const isLast = pending.length === 0;
      const next = joinPath(here, name);
      const node = this.tree.lookup(next);
      if (node?.type === "symlink" && (!isLast || followLast)) {
        await this.tree.note(next);
        if (++links > maxLinks) throw symlinkLoop(path);
        const target = namesOfTarget(node.target, this.#jail.root, path);
        if (target.fromRoot) here = ".";
        pending.push(...target.names.reverse());
        continue;
      }
      if (node && node.type !== "directory" && !isLast) {
        throw refused(`\`${next}\` is not a directory, so \`${path}\` cannot be inside it.`);
      }
      here = next;
    }
    return { path: here, type: this.tree.lookup(here)?.type ?? null, missing: this.#missingAbove(here) };
  }

  /** The state at a path, trees in full. */
  stateAt(path: string): Promise<Node | null> {
    return this.tree.stateOf(this.tree.lookup(path));
  }

  /** The state at a path, a directory without its contents. */
  async captureShallow(path: string): Promise<Node | null> {
    const node = this.tree.lookup(path);
    return node?.type === "directory" ? shallowOf(node) : this.tree.stateOf(node);
  }

  /** Performs a step, or throws `Mismatch` if the tree is not in the state that the step starts from. */
  async take(step: Step): Promise<void> {
    await (isMove(step) ? this.#move(step) : this.#set(step));
  }

  async #set(step: SetStep): Promise<void> {
    const parent = this.#parentOf(step.path);
    const present = this.tree.lookup(step.path);
    const state = await this.tree.stateOf(present);
    if (!sameTree(state, step.before)) throw new Mismatch(step.path, step.before, state);
    await this.#touch(step.path);
    for (const [path] of nodesOf(step.path, step.before)) await this.#touch(path);
    for (const [path] of nodesOf(step.path, step.after)) await this.#touch(path);
    if (present?.origin) for (const [path] of nodesOf(present.origin, step.before)) await this.#touch(path);
    const next = step.after && imagined(step.after);
    if (next && present && next.type !== "directory" && present.type !== "directory")
      next.origin = present.origin;
    parent.known.set(nameOf(step.path), next);
  }

  async #move(step: MoveStep): Promise<void> {
    const [source, destination] = [this.#parentOf(step.from), this.#parentOf(step.to)];
    const moved = await this.captureShallow(step.from);
    if (fingerprintOf(moved) !== fingerprintOf(step.moved)) throw new Mismatch(step.from, step.moved, moved);
    const replaced = await this.stateAt(step.to);
    if (!sameTree(replaced, step.replaced)) throw new Mismatch(step.to, step.replaced, replaced);
    await this.#touch(step.from);
    await this.#touch(step.to);
    destination.known.set(nameOf(step.to), this.tree.lookup(step.from));
    source.known.set(nameOf(step.from), null);
  }

  async #touch(path: string): Promise<void> {
    this.touched.add(path);
    await this.tree.note(path);
    if (parentOf(path) !== ".") await this.tree.note(parentOf(path));
  }

  #parentOf(path: string): VirtualDirectory {
    const parent = this.tree.lookup(parentOf(path));
    if (parent?.type === "directory") return parent;
    throw new Mismatch(parentOf(path), { type: "directory", mode: 0, children: [] }, null);
  }

  #missingAbove(path: string): string[] {
    const missing: string[] = [];
    for (let above = parentOf(path); above !== "." && !this.tree.lookup(above); above = parentOf(above)) {
      missing.unshift(above);
    }
    return missing;
  }
}
