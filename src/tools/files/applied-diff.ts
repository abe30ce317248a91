import { z } from "zod";
import { changedLines } from "../../text/changed-lines.ts";
import { lineTotals } from "../../text/diff.ts";
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
      added: z.int().optional().describe("Lines, where the diff is left out"),
      removed: z.int().optional(),
    }),
  ),
  notices: z.array(z.string()),
});
type AppliedDiff = z.infer<typeof appliedDiff>;

export function appliedDiffOf(change: Change, _input?: unknown, notes: readonly string[] = []): AppliedDiff {
  return {
    changeId: change.id,
    files: change.files.map(({ path, change: kind, from, diff, added, removed }) => ({
      ...{ path, change: kind, from, diff },
      ...(added !== undefined && { added, removed }),
    })),
    notices: [...notes, ...change.notices],
  };
}

/** The changed lines with a neighbour on each side, then one line a file, then counts. */
export function renderApplied({ files, notices, changeId }: AppliedDiff): (string | (() => string))[] {
  const line = (file: AppliedDiff["files"][number]) => {
    const { path, change, from } = file;
    const { added, removed } = lineTotals(file);
    return `${change} ${from === undefined ? "" : `${from} → `}${path} (+${added} −${removed})`;
  };
  const lines = (file: AppliedDiff["files"][number]) =>
    file.change === "create" || file.change === "delete" ? [] : changedLines(file.diff);
  const head = `Applied (change ${changeId}):`;
  // A folder that is created with its contents needs no separate line.
  const isFolder = ({ path, diff }: AppliedDiff["files"][number]) =>
    diff === "" && files.some((other) => other.path.startsWith(`${path}/`));
  const shown = files.filter((file) => !isFolder(file));
  return [
    [head, ...shown.flatMap((file) => [line(file), ...lines(file)]), ...notices].join("\n"),
    () => [head, ...shown.map(line), ...notices].join("\n"),
    () => [`Applied ${shown.length} file changes (change ${changeId}).`, ...notices].join("\n"),
  ];
}
