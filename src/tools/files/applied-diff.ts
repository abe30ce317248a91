import { z } from "zod";
import { lineTotals } from "../../text/diff.ts";
import type { NotedOperations } from "../../tool/change-tool.ts";
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
  edits: z
    .object({
      count: z.number(),
      files: z.number(),
      exact: z.boolean().describe("Each matched as it was given"),
    })
    .optional(),
  notices: z.array(z.string()),
});
type AppliedDiff = z.infer<typeof appliedDiff>;
type AppliedFile = AppliedDiff["files"][number];

/** So many files of one kind are named; the value has all. */
const mostNamed = 12;

export function appliedDiffOf(change: Change, _input?: unknown, wanted?: NotedOperations): AppliedDiff {
  return {
    changeId: change.id,
    files: change.files.map(({ path, change: kind, from, diff, added, removed }) => ({
      ...{ path, change: kind, from, diff },
      ...(added !== undefined && { added, removed }),
    })),
    ...(wanted?.edits && { edits: wanted.edits }),
    notices: [...(wanted?.notes ?? []), ...change.notices],
  };
}

/** One line: the author knows what was written. Behind it, what was adapted or looks wrong. */
export function renderApplied(value: AppliedDiff): (string | (() => string))[] {
  const { notices } = value;
  return [
    [receipt(value, mostNamed), ...notices].join("\n"),
    () => [receipt(value, 0), ...notices].join("\n"),
  ];
}

/** `2 edits in src/a.ts (+3 −1), exact; created src/b.ts (+9); undo 1a2b3c4d`. */
function receipt({ files, edits, changeId }: AppliedDiff, most: number): string {
  // A folder that is created with its contents needs no separate mention.
  const isFolder = ({ path, diff }: AppliedFile) =>
    diff === "" && files.some((other) => other.path.startsWith(`${path}/`));
  const shown = files.filter((file) => !isFolder(file));
  const modified = shown.filter(({ change }) => change === "modify").length;
  const areCounted = edits?.files === modified;
  const parts = (["modify", "create", "delete", "move"] as const).flatMap((kind) => {
    const some = shown.filter(({ change }) => change === kind);
    if (some.length === 0) return [];
    const count = areCounted && kind === "modify" ? `${counted(edits.count, "edit")} in` : verbs[kind];
    const exact = areCounted && edits.exact && kind === "modify" ? ", exact" : "";
    const [only] = some;
    if (only && some.length === 1 && most > 0) return [`${count} ${named(only)}${exact}`];
    const names = some.slice(0, most).map(named);
    const more = most > 0 && some.length > names.length ? ` and ${some.length - names.length} more` : "";
    return [
      `${count} ${counted(some.length, "file")}${exact}${most > 0 ? `: ${names.join(", ")}${more}` : ""}`,
    ];
  });
  const head = edits && !areCounted ? `${counted(edits.count, "edit")}${edits.exact ? ", exact" : ""}: ` : "";
  return head + [...(parts.length > 0 ? parts : ["applied"]), `undo ${changeId}`].join("; ");
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
const verbs = { modify: "changed", create: "created", delete: "deleted", move: "moved" };

function named(file: AppliedFile): string {
  const { path, from } = file;
  const { added, removed } = lineTotals(file);
  const counts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(" ");
  return `${from === undefined ? "" : `${from} → `}${path}${counts && ` (${counts})`}`;
}
