import { posix } from "node:path";
import type { Effect } from "../tool/effects.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Places } from "./stages.ts";

/**
 * A path to read may contain links and `..`: it is judged by its target as well as by its name. `known` is its target
 * when it was read.
 */
export async function placesRead(
  effects: readonly Effect[],
  workspace: Workspace,
  known: Places = new Map(),
): Promise<Effect[]> {
  const reads = effects.filter((effect) => effect.kind === "read");
  const found = reads.map(async ({ kind, path }) => {
    const places = known.get(path) ?? [await placeOf(path, workspace)];
    return [...places].map((place) => ({ kind, path: place }));
  });
  return (await Promise.all(found)).flat();
}

async function placeOf(path: string, workspace: Workspace): Promise<string> {
  const place = await workspace.resolve(path).catch(() => undefined);
  return place?.path ?? posix.normalize(path);
}
