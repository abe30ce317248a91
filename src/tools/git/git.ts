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
};
