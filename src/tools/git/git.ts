import type { GitOptions } from "./run-git.ts";

export interface GitServices {
  git: GitOptions;
}

/** Tools for the git repository of the workspace. Each is loaded when it is wanted: a command needs one. */
export const gitTools = {
  git_status: async (services: GitServices) => (await import("./git-status.ts")).gitStatus(services.git),
  git_diff: async (services: GitServices) => (await import("./git-diff.ts")).gitDiff(services.git),
  git_log: async (services: GitServices) => (await import("./git-log.ts")).gitLog(services.git),
  git_commit: async (services: GitServices) => (await import("./git-commit.ts")).gitCommit(services.git),
  git_push: async (services: GitServices) => (await import("./git-push.ts")).gitPush(services.git),
  git_show: async (services: GitServices) => (await import("./git-show.ts")).gitShow(services.git),
  git_blame: async (services: GitServices) => (await import("./git-blame.ts")).gitBlame(services.git),
  git_branch: async (services: GitServices) => (await import("./git-branch.ts")).gitBranch(services.git),
  git_stash: async (services: GitServices) => (await import("./git-stash.ts")).gitStash(services.git),
  git_restore: async (services: GitServices) => (await import("./git-restore.ts")).gitRestore(services.git),
  git_worktree: async (services: GitServices) =>
    (await import("./git-worktree.ts")).gitWorktree(services.git),
  pull_request: async (services: GitServices) =>
    (await import("./pull-request.ts")).pullRequestTool(services.git),
};
