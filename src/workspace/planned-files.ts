import { diffBytes } from "../text/diff.ts";
import type { Contents } from "./contents.ts";
import type { NetChange } from "./net-changes.ts";
import { fingerprintOf, type Node } from "./node.ts";
import type { ChangedFile, PlannedFile } from "./workspace.ts";

const maxShownBytes = 1_000_000;
const maxShownBytesInAll = 32_000_000;
const maxDiffMs = 2_000;

/** Changes with the contents on both sides, as far as they are small enough to show. */
export function plannedFiles(net: readonly NetChange[], contents: Contents): PlannedFile[] {
  let room = maxShownBytesInAll;
  const shown = (node: Node | null): Buffer | null => {
    if (node?.type !== "file" || node.size > Math.min(maxShownBytes, room)) return null;
    room -= node.size;
    return contents.bytesOf(node);
  };
  return net.map(({ path, change, from, before, after }) => ({
    path,
    change,
    ...(from === undefined ? {} : { from }),
    type: (after ?? before)?.type ?? "other",
    before: fingerprintOf(before),
    after: fingerprintOf(after),
    beforeBytes: shown(before),
    afterBytes: shown(after),
    beforeSize: sizeOf(before),
    afterSize: sizeOf(after),
  }));
}

/** Changes as the journal keeps them, with diffs. */
export function changedFiles(net: readonly NetChange[], contents: Contents): ChangedFile[] {
  const deadline = performance.now() + maxDiffMs;
  return plannedFiles(net, contents).map(({ beforeBytes, afterBytes, beforeSize, afterSize, ...file }) => {
    const isWhole = (beforeBytes !== null || beforeSize === 0) && (afterBytes !== null || afterSize === 0);
    const options = { from: file.from, leftMs: deadline - performance.now() };
    return { ...file, diff: isWhole ? diffBytes(file.path, beforeBytes, afterBytes, options) : "" };
  });
}

function sizeOf(node: Node | null): number {
  return node?.type === "file" ? node.size : 0;
}
