import { fingerprintOf, type Node } from "./node.ts";
import { joinPath, nameOf, parentOf } from "./path.ts";
import type { Simulation } from "./simulation.ts";
import type { PlannedFile } from "./workspace.ts";

/** How one path changed from the first step to the last. */
export interface NetChange {
  path: string;
  change: PlannedFile["change"];
  from?: string;
  before: Node | null;
  after: Node | null;
}

/** Steps may touch a path several times; people see the net result. */
export async function netChanges(simulation: Simulation): Promise<NetChange[]> {
  const { tree, touched } = simulation;
  const original = (path: string) => tree.originals.get(path) ?? null;
  const living = new Set([...touched].map((path) => tree.lookup(path)?.origin));
  const changes: NetChange[] = [];
  for (const path of touched) {
    const node = tree.lookup(path);
    const after = await simulation.captureShallow(path);
    const replaced = living.has(path) ? null : original(path);
    if (node?.origin && node.origin !== inheritedOrigin(simulation, path)) {
      if (replaced && node.origin !== path)
        changes.push({ path, change: "delete", before: replaced, after: null });
      changes.push({ path, change: "move", from: node.origin, before: original(node.origin), after });
      continue;
    }
    const before = node?.origin ? original(node.origin) : replaced;
    if (fingerprintOf(before) === fingerprintOf(after)) continue;
    changes.push({
      path,
      change: before === null ? "create" : after === null ? "delete" : "modify",
      before,
      after,
    });
  }
  return changes;
}

/** The origin of a node if only directories above it had moved. */
function inheritedOrigin({ tree }: Simulation, path: string): string | null {
  const parent = tree.lookup(parentOf(path));
  return parent?.type === "directory" && parent.origin ? joinPath(parent.origin, nameOf(path)) : null;
}
