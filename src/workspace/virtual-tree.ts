import { capture, type ShallowNode, statNode } from "./capture.ts";
import type { FolderCursor } from "./folder-cursor.ts";
import { type FileNode, type NamedNode, type Node, nodesOf } from "./node.ts";
import { joinPath } from "./path.ts";

/** A node of a simulated tree. `origin` is its path on disk, null if it exists only in the simulation. */
export type Virtual =
  | { type: "file"; origin: string | null; content: FileNode | undefined }
  | { type: "symlink"; origin: string | null; target: string }
  | { type: "other"; origin: string | null }
  | VirtualDirectory;

export interface VirtualDirectory {
  type: "directory";
  origin: string | null;
  mode: number;
  /** Children that are already known; the others are read from `origin` on demand. */
  known: Map<string, Virtual | null>;
}

/** The tree on disk with simulated changes, read on demand. */
export class VirtualTree {
  readonly #places: FolderCursor;
  readonly #root: VirtualDirectory = { type: "directory", origin: ".", mode: 0, known: new Map() };
  /** States on disk that were looked at; directories without their contents. */
  readonly originals = new Map<string, Node | null>();
  /** Where contents lie on disk, by hash. */
  readonly sources = new Map<string, string>();

  constructor(places: FolderCursor) {
    this.#places = places;
  }

  lookup(path: string): Virtual | null {
    let node: Virtual | null = this.#root;
    for (const name of path === "." ? [] : path.split("/")) {
      if (node?.type !== "directory") return null;
      node = this.#child(node, name);
    }
    return node;
  }

  /** A node in full. */
  async stateOf(node: Virtual | null): Promise<Node | null> {
    if (node?.type === "file") return node.content ?? (await this.#contentOf(node));
    if (node?.type !== "directory") return node && shallowOf(node);
    if (node.known.size === 0 && node.origin !== null) return this.#captured(node.origin);
    const children: NamedNode[] = [];
    for (const name of this.#namesIn(node)) {
      const child = await this.stateOf(this.#child(node, name));
      if (child) children.push([name, child]);
    }
    return { type: "directory", mode: node.mode, children };
  }

  /** Remembers how a path is on disk. */
  async note(path: string): Promise<void> {
    if (this.originals.has(path)) return;
    const seen = statNode(this.#places, path);
    if (seen?.type === "directory") this.originals.set(path, { ...seen, children: [] });
    else await this.#captured(path);
  }

  async #contentOf(node: Extract<Virtual, { type: "file" }>): Promise<Node | null> {
    const captured = node.origin === null ? null : await this.#captured(node.origin);
    if (captured?.type === "file") node.content = captured;
    return captured;
  }

  async #captured(path: string): Promise<Node | null> {
    const node = await capture(this.#places, path);
    if (node === null) this.originals.set(path, null);
    for (const [at, found] of nodesOf(path, node)) {
      this.originals.set(at, found.type === "directory" ? { ...found, children: [] } : found);
      if (found.type === "file") this.sources.set(found.hash, at);
    }
    return node;
  }

  #namesIn(directory: VirtualDirectory): string[] {
    const names = new Set(directory.known.keys());
    if (directory.origin !== null) {
      for (const name of this.#places.at(directory.origin).names()) names.add(name);
    }
    return [...names].sort();
  }

  #child(directory: VirtualDirectory, name: string): Virtual | null {
    const known = directory.known.get(name);
    if (known !== undefined || directory.origin === null) return known ?? null;
    const path = joinPath(directory.origin, name);
    const child = fromDisk(statNode(this.#places, path), path);
    directory.known.set(name, child);
    return child;
  }
}

/** A node that exists only in the simulation. */
export function imagined(node: Node): Virtual {
  if (node.type === "file") return { type: "file", origin: null, content: node };
  if (node.type !== "directory") return { ...node, origin: null };
  const known = new Map(node.children.map(([name, child]) => [name, imagined(child)]));
  return { type: "directory", origin: null, mode: node.mode, known };
}

/** A node that needs no reading, or a directory without its contents. */
export function shallowOf(node: Exclude<Virtual, { type: "file" }>): Node {
  if (node.type === "directory") return { type: "directory", mode: node.mode, children: [] };
  return node.type === "symlink" ? { type: "symlink", target: node.target } : { type: "other" };
}

function fromDisk(seen: ShallowNode | null, origin: string): Virtual | null {
  if (seen?.type === "file") return { type: "file", origin, content: undefined };
  if (seen?.type === "directory") return { ...seen, origin, known: new Map() };
  return seen && { ...seen, origin };
}
