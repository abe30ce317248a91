// How the tests of sorting ask: a small tree, a symbol, and where it is used.
import { expect } from "vitest";
import { type ProjectPlace, writeTree } from "../../folder.suite.ts";
import type { Kind } from "../../languages/language.ts";
import { findExact } from "../definitions.ts";
import { askGraph } from "../graph.ts";
import { ModuleFiles } from "../module-files.ts";
import { findReferences } from "../references.ts";

export type Files = Record<string, string | string[]>;

/** Writes the files, lines joined, and indexes them. */
export async function openFiles({ project, root }: ProjectPlace, files: Files): Promise<ModuleFiles> {
  const texts = Object.entries(files).map(([path, text]) => [path, [text].flat().join("\n")]);
  writeTree(root, Object.fromEntries(texts));
  await project.index.refresh();
  return ModuleFiles.of(project);
}

/** Uses as `file:line`, possible ones with a question mark; then what the other occurrences belong to. */
export async function sortedUses(
  place: ProjectPlace,
  files: Files,
  symbol: string,
  kind?: Kind,
  withImports = false,
): Promise<string[]> {
  const modules = await openFiles(place, files);
  const definitions = await findExact(place.project, symbol, kind);
  expect(definitions.length, `${symbol} is found`).toBeGreaterThan(0);
  const { references, others } = await findReferences(place.project, modules, definitions);
  return [
    ...references
      .filter((r) => withImports || r.kind !== "import")
      .map(({ file, line, certain }) => `${file}:${line}${certain ? "" : "?"}`),
    ...[...others].map(([of, count]) => `${count} ${of}`).sort(),
  ];
}

/** What stands below a type or method, with the type between. */
export async function nodesBelow(
  { project }: ProjectPlace,
  modules: ModuleFiles,
  operation: "implementations" | "inheritors",
  target: string,
): Promise<string[]> {
  const answer = await askGraph(project, modules, { operation, target, depth: 1 }, () => true);
  if (!answer || !("nodes" in answer)) return [];
  return answer.nodes.map(
    ({ name, via, byName }) => `${byName ? "? " : ""}${name}${via ? ` via ${via}` : ""}`,
  );
}

/** The same as `file:line`. */
export async function placesBelow(
  { project }: ProjectPlace,
  modules: ModuleFiles,
  operation: "implementations" | "inheritors",
  target: string,
): Promise<string[]> {
  const answer = await askGraph(project, modules, { operation, target, depth: 1 }, () => true);
  return answer && "nodes" in answer ? answer.nodes.map(({ file, line }) => `${file}:${line}`) : [];
}
