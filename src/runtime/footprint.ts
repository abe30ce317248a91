import { posix } from "node:path";
import type { Effect } from "../tool/effects.ts";
import type { Tool } from "../tool/tool.ts";
import { plainPath } from "../workspace/protected-names.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Prepared } from "./stages.ts";

/** What a call reads and changes, as far as the order of calls depends on it. */
export interface Footprint {
  readonly reads: Area;
  readonly changes: Area;
  /** It fails as things are, and how it fails may depend on any other file: the error names those that are there. */
  readonly fails?: boolean;
}

/** Paths include everything below them. `records`: which of Wield's own records, such as documents or plans, by category. */
export type Area =
  | "nothing"
  | "everything"
  | { readonly paths: readonly string[]; readonly records: readonly string[] };

export const noFootprint: Footprint = { reads: "nothing", changes: "nothing" };

/** The footprint of a call with unknown effects: it ended too early, or its tool states none. */
export function unknownFootprint(tool: Tool | undefined): Footprint {
  if (tool && mayChange(tool) && keepsRecordsOnly(tool))
    return { reads: "everything", changes: { paths: [], records: [tool.category] } };
  return { reads: "everything", changes: tool && mayChange(tool) ? "everything" : "nothing" };
}

/** It changes Wield's own documents and plans at most: no file depends on whether it succeeds. */
function keepsRecordsOnly({ inOrder, can }: Tool): boolean {
  return !inOrder && can.every((kind) => kind === "read" || kind === "fetch" || kind === "record");
}

/**
 * The footprint of a call that could not be prepared, or whose input could not even be read: a tool for files is about the
 * paths that its input names.
 */
export async function footprintOfFailed(
  { tool, input }: { tool: Tool | undefined; input: unknown },
  workspace: Workspace,
): Promise<Footprint> {
  const named =
    !tool || tool.inOrder || !tool.can.every((kind) => fileKinds.has(kind)) ? [] : namedPaths(input);
  if (!tool || named.length === 0) return unknownFootprint(tool);
  const paths = (await Promise.all(named.map((path) => allNames(path, workspace)))).flat();
  const area = { paths, records: [] };
  return { reads: area, changes: mayChange(tool) ? area : "nothing", fails: true };
}

const fileKinds: ReadonlySet<string> = new Set(["read", "write", "delete"]);
const pathMembers: ReadonlySet<string> = new Set(["path", "file", "from", "to"]);

/** The paths that an input or a value names. */
export function namedPaths(input: unknown): string[] {
  if (input === null || typeof input !== "object") return [];
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === "string" ? (pathMembers.has(key) ? [value] : []) : namedPaths(value),
  );
}

function mayChange({ inOrder, can }: Tool): boolean {
  return inOrder === true || can.some((kind) => kind !== "read" && kind !== "fetch");
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
  const records = effects.some((effect) => effect.kind === "record") ? [tool.category] : [];
  const placesOf = async (some: readonly { path: string }[]) =>
    (await Promise.all(some.map(({ path }) => allNames(path, workspace)))).flat();
  const there = await Promise.all(read.map(({ path }) => workspace.resolve(path).catch(() => undefined)));
  return {
    fails: there.includes(undefined),
    reads: { paths: await placesOf(read), records },
    changes:
      changed.length > 0 || records.length > 0 ? { paths: await placesOf(changed), records } : "nothing",
  };
}

/** Whether the earlier call may affect the result of the later one. */
export function mustFollow(later: Footprint, earlier: Footprint): boolean {
  return dependsOn(later, earlier) || (later.fails === true && isChange(earlier));
}

/** Whether the later call touches what the earlier one changes. */
export function dependsOn(later: Footprint, earlier: Footprint): boolean {
  return overlap(earlier.changes, later.reads) || overlap(earlier.changes, later.changes);
}

/**
 * Whether a failed change stops the later call. A call that only reads shows the current state, so it runs unless it
 * reads the exact path that was to be changed.
 */
export function isStoppedBy(later: Footprint, failed: Footprint): boolean {
  if (isChange(later)) return dependsOn(later, failed);
  const [read, changed] = [pathsOf(later.reads), pathsOf(failed.changes)];
  return read.some((path) => changed.some((folder) => folder !== root && holds(folder, path)));
}

/** Whether the later call would change what the earlier one reads. */
export function invalidates(later: Footprint, earlier: Footprint): boolean {
  return overlap(later.changes, earlier.reads) || (earlier.fails === true && isChange(later));
}

export function isChange({ changes }: Footprint): boolean {
  return changes !== "nothing";
}

function pathsOf(area: Area): readonly string[] {
  return typeof area === "string" ? [] : area.paths;
}

function overlap(one: Area, other: Area): boolean {
  if (one === "nothing" || other === "nothing") return false;
  if (one === "everything" || other === "everything") return true;
  return (
    one.records.some((record) => other.records.includes(record)) ||
    one.paths.some((path) => other.paths.some((another) => holds(path, another) || holds(another, path)))
  );
}

/** The workspace itself, in the plain spelling. */
const root = plainPath(".");

function holds(folder: string, path: string): boolean {
  return folder === root || folder === path || path.startsWith(`${folder}/`);
}

/**
 * An effect without a path: a run may touch everything, and so may a request that sends data. Fetching a page changes
 * nothing.
 */
function isOpenEnded(effect: Effect): boolean {
  return effect.kind === "run" || (effect.kind === "fetch" && !/^(?:GET|HEAD)$/i.test(effect.method));
}

/** A path by its name and by its target through links, in a spelling that is equal on every file system. */
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
