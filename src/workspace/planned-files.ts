import { compareBytes } from "../text/diff.ts";
import type { Contents } from "./contents.ts";
import type { NetChange } from "./net-changes.ts";
import { fingerprintOf, type Node } from "./node.ts";
import type { ChangedFile, PlannedFile, PlanOptions } from "./workspace.ts";
import { createYielder } from "./yielder.ts";

const maxShownBytes = 1_000_000;
const maxShownBytesInAll = 32_000_000;
const maxDiffMs = 5_000;
const maxDiffCharactersInAll = 4_000_000;

/** Changes with the contents on both sides, as far as they are small enough to show. */
export function plannedFiles(
  net: readonly NetChange[],
  contents: Contents,
  { contents: areShown = true }: PlanOptions = {},
): PlannedFile[] {
  let remaining = areShown ? maxShownBytesInAll : -1;
  const shown = (node: Node | null): Buffer | null => {
    if (node?.type !== "file" || node.size > Math.min(maxShownBytes, remaining)) return null;
    remaining -= node.size;
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

/** Changes as the journal stores them, with diffs within limits of time and size. */
export async function changedFiles(net: readonly NetChange[], contents: Contents): Promise<ChangedFile[]> {
  const turn = createYielder();
  const deadline = performance.now() + maxDiffMs;
  let remaining = maxDiffCharactersInAll;
  const files: ChangedFile[] = [];
  for (const { beforeBytes, afterBytes, beforeSize, afterSize, ...file } of plannedFiles(net, contents)) {
    const isWhole = (beforeBytes !== null || beforeSize === 0) && (afterBytes !== null || afterSize === 0);
    const options = { from: file.from, leftMs: deadline - performance.now() };
    const { diff, ...lines } =
      isWhole && remaining > 0
        ? await compareBytes(file.path, beforeBytes, afterBytes, options)
        : { diff: "", added: 0, removed: 0 };
    remaining -= diff.length;
    const isLeftOut = diff === "" && lines.added + lines.removed > 0;
    files.push({ ...file, diff, ...(isLeftOut && lines) });
    await turn();
  }
  return files;
}

function sizeOf(node: Node | null): number {
  return node?.type === "file" ? node.size : 0;
}
