import { createHash } from "node:crypto";
import { closeSync, readlinkSync } from "node:fs";
import type { Directory } from "./directory.ts";
import { chunksOf, readSmall } from "./file-bytes.ts";
import type { ExactPlaces } from "./folder-cursor.ts";
import { type FileNode, hashOf, modeOf, type NamedNode, type Node } from "./node.ts";
import { osFailure } from "./os-failure.ts";
import { joinPath } from "./path.ts";
import { createYielder } from "./yielder.ts";

/** What can be known about a node without opening it. */
export type ShallowNode =
  | { type: "file" }
  | { type: "symlink"; target: string }
  | { type: "directory"; mode: number }
  | { type: "other" };

/** What is at a path without symlinks; null if nothing is, or if a parent is not a directory. */
export function statNode(places: ExactPlaces, path: string): ShallowNode | null {
  using place = places.findExact(path);
  try {
    return place && statNodeAt(place.directory, place.name);
  } catch (error) {
    throw osFailure(error, path);
  }
}

/** The complete node: contents hashed, directories with everything in them. */
export async function capture(places: ExactPlaces, path: string): Promise<Node | null> {
  using place = places.findExact(path);
  try {
    return place && (await captureAt(place.directory, place.name, path));
  } catch (error) {
    throw osFailure(error, path);
  }
}

/** The complete node, but a directory without its contents. */
export async function captureShallow(directory: Directory, name: string, path: string): Promise<Node | null> {
  const seen = statNodeAt(directory, name);
  return seen?.type === "directory" ? { ...seen, children: [] } : captureAt(directory, name, path);
}

export async function captureAt(
  directory: Directory,
  name: string,
  path: string,
  turn = createYielder(),
): Promise<Node | null> {
  await turn();
  const seen = statNodeAt(directory, name);
  if (seen?.type === "file") return captureFile(directory, name, path, turn);
  if (seen?.type !== "directory") return seen;

  using inner = directory.enter(name);
  const children: NamedNode[] = [];
  for (const child of inner.names()) {
    const node = await captureAt(inner, child, joinPath(path, child), turn);
    if (node) children.push([child, node]);
  }
  return { ...seen, children };
}

function statNodeAt(directory: Directory, name: string): ShallowNode | null {
  const stats = directory.stats(name);
  // A name that is listed but not found is not valid UTF-8: Node cannot spell it.
  if (!stats) return name.includes("\uFFFD") ? { type: "other" } : null;
  if (stats.isFile()) return { type: "file" };
  if (stats.isDirectory()) return { type: "directory", mode: modeOf(stats) };
  if (stats.isSymbolicLink()) return { type: "symlink", target: readlinkSync(directory.at(name)) };
  return { type: "other" };
}

async function captureFile(
  directory: Directory,
  name: string,
  path: string,
  turn: () => Promise<void> | undefined,
): Promise<FileNode> {
  const { fd, stats } = directory.openFile(name, path);
  try {
    const small = readSmall(fd, stats);
    if (small) return { type: "file", mode: modeOf(stats), hash: hashOf(small), size: small.length };
    const hash = createHash("sha256");
    let size = 0;
    for (const chunk of chunksOf(fd)) {
      hash.update(chunk);
      size += chunk.length;
      await turn();
    }
    return { type: "file", mode: modeOf(stats), hash: hash.digest("hex"), size };
  } finally {
    closeSync(fd);
  }
}
