import { posix } from "node:path";
import type { Effect } from "../tool/effects.ts";
import type { Tool } from "../tool/tool.ts";
import { plainPath } from "../workspace/protected-names.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Prepared } from "./stages.ts";

/** What a call looks at and what it changes, as far as the order of calls depends on it. */
export interface Footprint {
  readonly reads: Area;
  readonly changes: Area;
}

/** Paths stand for everything below them. "records": Wield's own documents and plans. */
export type Area =
  | "nothing"
  | "everything"
  | { readonly paths: readonly string[]; readonly records: boolean };

/** The footprint of a call whose effects are not known: it never came so far, or its tool states none. */
export function unknownFootprint(tool: Tool | undefined): Footprint {
  const mayChange = tool?.inOrder || tool?.can.some((kind) => kind !== "read" && kind !== "fetch");
  return { reads: "everything", changes: mayChange ? "everything" : "nothing" };
}

/** The footprint of a prepared call, by its effects. */
export async function footprintOf({ tool, effects }: Prepared, workspace: Workspace): Promise<Footprint> {
  if (tool.inOrder || effects.length === 0) return unknownFootprint(tool);
  if (effects.some(isOpenEnded)) {
    const onlyReads = tool.can.every((kind) => kind === "read");
    return { reads: "everything", changes: onlyReads ? "nothing" : "everything" };
  }
  const read = effects.filter((effect) => effect.kind === "read");
  const changed = effects.filter((effect) => effect.kind === "write" || effect.kind === "delete");
  const records = effects.some((effect) => effect.kind === "record");
  const placesOf = async (some: readonly { path: string }[]) =>
    (await Promise.all(some.map(({ path }) => allNames(path, workspace)))).flat();
  return {
    reads: { paths: await placesOf(read), records },
    changes: changed.length > 0 || records ? { paths: await placesOf(changed), records } : "nothing",
  };
}

/** Whether the later call has to see what the earlier one did. */
export function dependsOn(later: Footprint, earlier: Footprint): boolean {
  return overlap(earlier.changes, later.reads) || overlap(earlier.changes, later.changes);
}

/** Whether the later call would change what the earlier one looks at. */
export function disturbs(later: Footprint, earlier: Footprint): boolean {
  return overlap(later.changes, earlier.reads);
}

export function isChange({ changes }: Footprint): boolean {
  return changes !== "nothing";
}

function overlap(one: Area, other: Area): boolean {
  if (one === "nothing" || other === "nothing") return false;
  if (one === "everything" || other === "everything") return true;
  return (
    (one.records && other.records) ||
    one.paths.some((path) => other.paths.some((another) => holds(path, another) || holds(another, path)))
  );
}

function holds(folder: string, path: string): boolean {
  return folder === "." || folder === path || path.startsWith(`${folder}/`);
}

/** An effect that names no place: a run may touch everything, and so may what is sent out. Fetching a page changes nothing. */
function isOpenEnded(effect: Effect): boolean {
  return effect.kind === "run" || (effect.kind === "fetch" && !/^(?:GET|HEAD)$/i.test(effect.method));
}

/** A path by its name and by where it leads through links, in the spelling that every file system takes for the same. */
async function allNames(path: string, workspace: Workspace): Promise<string[]> {
  const name = posix.normalize(path).replace(/\/$/, "");
  return [...new Set([name, await placeOf(name, workspace)])].map(plainPath);
}

async function placeOf(path: string, workspace: Workspace): Promise<string> {
  const place = await workspace.resolve(path).catch(() => undefined);
  if (place) return place.path;
  const folder = posix.dirname(path);
  return folder === path || folder === "."
    ? path
    : posix.join(await placeOf(folder, workspace), posix.basename(path));
}
