import { hash } from "node:crypto";
import type { Stats } from "node:fs";
import type { EntryType, Fingerprint } from "./workspace.ts";

export interface FileNode {
  type: "file";
  mode: number;
  hash: string;
  size: number;
}

/** The complete state at a path: enough to detect changes and, with the contents by hash, to recreate it. */
export type Node =
  | FileNode
  | { type: "symlink"; target: string }
  | { type: "directory"; mode: number; children: NamedNode[] }
  /** A pipe, socket or device, or a name that is not valid text: it can be removed but not recreated. */
  | { type: "other" };

/** Sorted by name. Pairs, not an object: names such as `__proto__` are names like any other. */
export type NamedNode = [name: string, node: Node];

export function fingerprintOf(node: Node | null): Fingerprint {
  if (node === null) return "absent";
  switch (node.type) {
    case "file":
      return fileFingerprint(node.mode, node.hash);
    case "symlink":
      return `link:${node.target}`;
    default:
      return node.type;
  }
}

export function fileFingerprint(mode: number, contentHash: string): Fingerprint {
  return `file:${mode.toString(8)}:${contentHash}`;
}

export function hashOf(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}

/** Equal all the way down. */
export function sameTree(a: Node | null, b: Node | null): boolean {
  if (a?.type !== "directory" || b?.type !== "directory") return fingerprintOf(a) === fingerprintOf(b);
  return (
    a.mode === b.mode &&
    a.children.length === b.children.length &&
    a.children.every(
      ([name, child], i) => name === b.children[i]?.[0] && sameTree(child, b.children[i]?.[1] ?? null),
    )
  );
}

/** Every file, link and directory of a tree with its path, parents first. */
export function* nodesOf(path: string, node: Node | null): Generator<[string, Node]> {
  if (node === null) return;
  yield [path, node];
  if (node.type !== "directory") return;
  for (const [name, child] of node.children) yield* nodesOf(`${path}/${name}`, child);
}

/** The permission bits that Wield stores: no setuid or setgid on files, so an undo never sets them. */
export function modeOf(stats: Stats): number {
  return stats.mode & (stats.isDirectory() ? 0o7777 : 0o777);
}

export function typeOf(stats: Stats): EntryType {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}
