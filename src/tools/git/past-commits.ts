import type { PastCommit } from "../../code/files/files.ts";
import { type GitContext, type GitOptions, git, requireRepository } from "./run-git.ts";

/** Begins each commit: no subject and no path can hold it as the first character of a line. */
const mark = "\x01";

/** The last commits of the workspace's repository, newest first. Where git may not be run, it fails. */
export async function pastCommits(
  most: number,
  context: GitContext,
  options: GitOptions,
): Promise<PastCommit[]> {
  await requireRepository(context, options);
  return parseLog(await git(logOf(most), context, options, { keepBytes: 32 * 1024 * 1024 }));
}

/** Arguments for git. */
export function logOf(most: number): string[] {
  return [
    ...["log", `--max-count=${most}`, "--no-merges", "--no-renames", "--name-only", "--no-show-signature"],
    ...["--no-ext-diff", "--no-color", `--format=${mark}%s`],
  ];
}

export function parseLog(log: string): PastCommit[] {
  return log
    .split(mark)
    .slice(1)
    .map((commit) => {
      const [subject = "", ...files] = commit.split("\n");
      return { subject, files: files.filter((file) => file !== "") };
    });
}
