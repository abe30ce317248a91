import { posix } from "node:path";
import type { Effect } from "../tool/effects.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ScopedWorkspace } from "./scoped-workspace.ts";
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

/** The same effects on what they touch by each other name that rules deny. */
export async function deniedNames(
  effects: readonly Effect[],
  workspace: Workspace,
  scope: Pick<ScopedWorkspace, "deniedNames">,
): Promise<Effect[]> {
  const found = effects.map(async (effect) => {
    if (!("path" in effect)) return [];
    const paths = "from" in effect && effect.from !== undefined ? [effect.path, effect.from] : [effect.path];
    const places = await Promise.all(paths.map((path) => placeOf(path, workspace)));
    const names = (await Promise.all(places.map((place) => scope.deniedNames(place)))).flat();
    return names.filter((name) => !paths.includes(name)).map((path) => ({ ...effect, path }));
  });
  return (await Promise.all(found)).flat();
}

/** Of what is not there yet: where its folder leads. */
async function placeOf(path: string, workspace: Workspace): Promise<string> {
  const place = await workspace.resolve(path).catch(() => undefined);
  if (place) return place.path;
  const folder = await workspace.resolve(posix.dirname(path)).catch(() => undefined);
  return folder ? posix.join(folder.path, posix.basename(path)) : posix.normalize(path);
}
