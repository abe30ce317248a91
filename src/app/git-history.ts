import type { ReadCommits } from "../code/files/files.ts";
import type { GitOptions } from "../tools/git/run-git.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The history only helps to rank: a git that takes longer is ended. */
const historyMs = 20_000;

/** Reads the repository's past commits for the code index, with the settings for git that all tools have. */
export function gitHistory(
  workspace: Workspace,
  options: () => GitOptions,
  signal: AbortSignal,
): ReadCommits {
  return async (most) => {
    const [{ pastCommits }, { runCommand }] = await Promise.all([
      import("../tools/git/past-commits.ts"),
      import("../process/run.ts"),
    ]);
    const run: typeof runCommand = (command) => runCommand({ ...command, timeoutMs: historyMs, signal });
    return pastCommits(most, { workspace, run }, options());
  };
}
