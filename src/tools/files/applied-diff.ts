import { z } from "zod";
import { diffTotals } from "../../text/diff.ts";
import type { Change } from "../../workspace/workspace.ts";

/** The result of an edit: what was really changed, as a diff. */
export const appliedDiff = z.object({
  changeId: z.string().describe("For undo"),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(["create", "modify", "delete", "move"]),
      from: z.string().optional(),
      diff: z.string(),
    }),
  ),
  notices: z.array(z.string()),
});
type AppliedDiff = z.infer<typeof appliedDiff>;

export function appliedDiffOf(change: Change): AppliedDiff {
  return {
    changeId: change.id,
    files: change.files.map(({ path, change: kind, from, diff }) => ({ path, change: kind, from, diff })),
    notices: change.notices,
  };
}

/** Whole diffs, then one line a file, then counts. */
export function renderApplied({ files, notices, changeId }: AppliedDiff): (string | (() => string))[] {
  const line = ({ path, change, from, diff }: AppliedDiff["files"][number]) => {
    const { added, removed } = diffTotals(diff);
    return `${change} ${from === undefined ? "" : `${from} → `}${path} (+${added} −${removed})`;
  };
  const head = `Applied (change ${changeId}):`;
  const diffs = files.map((file) => (file.diff === "" ? line(file) : file.diff.trimEnd()));
  return [
    [head, ...diffs, ...notices].join("\n"),
    () => [head, ...files.map(line), ...notices].join("\n"),
    () => [`Applied ${files.length} file changes (change ${changeId}).`, ...notices].join("\n"),
  ];
}
