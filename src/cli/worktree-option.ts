import type { WorktreeView, WorktreeWork } from "../api/worktrees.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { visibleLine } from "../text/visible.ts";
import type { Given, Option } from "./command.ts";
import { folderOf, openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

export const worktreeOption: Readonly<Record<string, Option>> = {
  worktree: {
    value: "NAME",
    help: "Work in a git worktree of this name, made if there is none; new: a name is chosen",
  },
};

/**
 * The folder that a session works in: of the command line, a worktree of it that `--worktree` names, or the one that a resumed
 * session belongs to.
 */
export async function folderWithWorktree(given: Given, io: Io): Promise<string> {
  const name = given.value("worktree");
  const session = given.value("resume");
  if (name === undefined && session === undefined) return folderOf(given, io);
  const wield = await openWield(given, io, []);
  try {
    if (name !== undefined) return await openWorktree(wield, name === "new" ? undefined : name, io);
    const found = await wield.sessions.find(session ?? "").catch(() => undefined);
    if (!found) return wield.workspace.root;
    const end = wield.worktrees.endIn(found.workspace);
    if (end)
      throw new Failure(
        "FILE_NOT_FOUND",
        `${end} Its chat cannot be continued. Read it with: wield sessions ${found.id}. Start a new chat in the repository with: wield chat`,
      );
    return found.workspace;
  } finally {
    await wield.close();
  }
}

/** Opens a worktree and says what it is; its folder. */
export async function openWorktree(wield: Wield, name: string | undefined, io: Io): Promise<string> {
  const { worktree, isNew, leftOut } = await wield.worktrees.open(name);
  const { branch, folder } = worktree;
  const made = isNew ? "A new worktree" : "The worktree";
  io.err(painter(io)("dim", `${made} ${worktree.name} on the branch ${branch}: ${visibleLine(folder)}`));
  if (leftOut > 0)
    io.err(
      painter(io)(
        "yellow",
        `It begins at the last commit: ${leftOut} uncommitted ${leftOut === 1 ? "change" : "changes"} of this folder ${leftOut === 1 ? "is" : "are"} not in it.`,
      ),
    );
  return folder;
}

export function worktreeLine({ name, branch, at, ended, folder }: WorktreeView): string {
  const state = ended ? { merge: "merged", keep: "kept as a branch", discard: "discarded" }[ended] : folder;
  return `${name}  ${branch}  ${at.slice(0, 10)}  ${visibleLine(state)}`;
}

/** What is in a worktree, for the person who decides about it. */
export function workLines(work: WorktreeWork): string[] {
  const { commits, uncommitted, files, added, removed, conflicts, nested, into } = work;
  const many = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
  if (files.length === 0 && commits === 0) return ["Nothing has changed in it."];
  const shown = files.slice(0, 15);
  return [
    `Compared with ${into ?? "HEAD"}, ${many(files.length, "file")} changed (+${added} −${removed}): ${many(commits, "commit")}, ${many(uncommitted, "uncommitted file")}.`,
    ...shown.map((file) => `  ${visibleLine(file.path)}  +${file.added} −${file.removed}`),
    ...(files.length > shown.length ? [`  and ${files.length - shown.length} more`] : []),
    ...(conflicts.length > 0 ? [`A merge would conflict in ${conflicts.map(visibleLine).join(", ")}.`] : []),
    ...(nested.length > 0
      ? [`${nested.map(visibleLine).join(", ")} has a git repository of its own, which a commit cannot hold.`]
      : []),
  ];
}

/** What each way to end a worktree would do, in a sentence. */
export function endingText(how: "merge" | "keep" | "discard", work: WorktreeWork): string {
  const { into, uncommitted, worktree } = work;
  const first = uncommitted > 0 ? "Commits what is not committed, then " : "";
  const capital = (text: string) => (first === "" ? text.charAt(0).toUpperCase() + text.slice(1) : text);
  if (how === "merge")
    return `${first}${capital("merges")} ${worktree.branch} into ${into ?? "the commit that is checked out"} and removes the worktree and its branch.`;
  if (how === "keep")
    return `${first}${capital("removes")} the worktree; the branch ${worktree.branch} stays.`;
  return `Removes the worktree and the branch ${worktree.branch} with everything in them.`;
}
