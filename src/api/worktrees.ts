// Worktrees of sessions, as pages and commands show them.

/** A separate checkout of a repository, on a branch of its own, that sessions work in. */
export interface WorktreeView {
  name: string;
  /** Where its files are. */
  folder: string;
  /** The folder that it was made from: its settings, rules and trust hold here. */
  repository: string;
  branch: string;
  at: string;
  /** Left out while it is there. Its sessions can still be read. */
  ended?: WorktreeEnding;
  endedAt?: string;
}

/** `merge`: into the branch that the person is on; `keep`: the branch stays, the folder goes; `discard`: both go. */
export type WorktreeEnding = "merge" | "keep" | "discard";

/** What is in a worktree that the person's branch does not have. */
export interface WorktreeWork {
  worktree: WorktreeView;
  /** The branch that the person is on; null: none (a detached HEAD). */
  into: string | null;
  commits: number;
  /** Files that are changed and not committed, new ones included. */
  uncommitted: number;
  /** All in all, against where the two branches parted. */
  files: { path: string; added: number; removed: number }[];
  added: number;
  removed: number;
  /** Files in which a merge would meet changes of the person's branch. */
  conflicts: string[];
  /** Folders with a git repository of their own, which a commit cannot hold. */
  nested: string[];
  /** Named by an answer: what was shown is what is done. */
  state: string;
}

export interface WorktreeEnded {
  /** What happened, in a sentence. */
  text: string;
  repository: string;
}
