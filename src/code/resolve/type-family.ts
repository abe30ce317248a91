// Types above and below one, at any distance.
import type { Project } from "../project/project.ts";
import { holdersOf } from "./definitions.ts";
import { childrenOf, parentsOf } from "./parents.ts";

/** A type with everything above and everything below it: a member of one may be called on any of them. */
export async function familyOf(project: Project, type: string): Promise<Set<string>> {
  return (await relatedTypes(project, type, "up")).union(await relatedTypes(project, type, "down"));
}

export async function relatedTypes(
  project: Project,
  type: string,
  direction: "up" | "down",
): Promise<Set<string>> {
  const found = new Set([type]);
  for (const name of found) {
    if (found.size > 2_000) break;
    for (const file of holdersOf(project, name)) await project.syntax(file);
    for (const other of direction === "up" ? await parentsOf(project, name) : await childrenOf(project, name))
      if (!tooGeneral.has(other)) found.add(other);
  }
  return found;
}

/** Parents that relate nothing to each other. */
const tooGeneral = new Set("object Object Error Exception ABC Protocol Generic Enum Component".split(" "));
