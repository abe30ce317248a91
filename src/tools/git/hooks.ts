import { relative } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { RunConfined } from "./run-confined.ts";
import { type GitContext, type GitOptions, git } from "./run-git.ts";

/** Hooks get their arguments and standard input as git gives them. */
const prelude = ({ inside }: HooksFolder) => `hooks=${quoted(inside)}
run() { name=$1; shift; if [ -x "$hooks/$name" ]; then "$hooks/$name" "$@" || { echo "(the hook $name ended with $?)"; exit 1; }; fi; }
`;

/**
 * The hooks of the workspace that come before a commit, in the sandbox: they are code of the workspace like any other. Returns the message
 * as they leave it, and which there are; they run only in a workspace that is trusted. Hooks of the person's own configuration, outside the workspace, are git's to run.
 */
export async function runCommitHooks(
  message: string,
  context: ToolContext,
  options: GitOptions,
): Promise<{ message: string; hooks: string[] }> {
  const found = await hooksAmong(["pre-commit", "prepare-commit-msg", "commit-msg"], context, options);
  if (!found || !options.trusted()) return { message, hooks: found?.hooks ?? [] };
  const script = `${prelude(found.folder)}cat > /out/message
run pre-commit </dev/null
run prepare-commit-msg /out/message message </dev/null
run commit-msg /out/message </dev/null`;
  const { left } = await confined("commit", script, message, context, options);
  return { message: left.get("message") ?? message, hooks: found.hooks };
}

export async function runPushHook(
  remote: { name: string; url: string },
  input: string,
  context: ToolContext,
  options: GitOptions,
): Promise<void> {
  const found = await hooksAmong(["pre-push"], context, options);
  if (!found || !options.trusted()) return;
  const script = `${prelude(found.folder)}run pre-push ${quoted(remote.name)} ${quoted(remote.url)}`;
  await confined("push", script, input, context, options);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

async function confined(
  what: string,
  script: string,
  input: string,
  context: ToolContext,
  options: GitOptions,
): ReturnType<RunConfined> {
  const result = await options.runConfined(script, input, context);
  if (result.exitCode !== 0) {
    const message = `A hook of the repository refused the ${what}:\n${visibleText(result.output.trim()).slice(-4000)}`;
    throw new Failure("EXECUTION_ERROR", message);
  }
  const files = result.changed.filter((path) => !/^\.git(\/|$)/.test(path));
  if (files.length > 0) {
    const message = `A hook of the repository changes files (${files.slice(0, 10).join(", ")}), which nobody has approved yet, so the ${what} was not made. Run the hook with run_code to get its changes, for example: git hook run pre-commit`;
    throw new Failure("CONFLICT", message);
  }
  return result;
}

/**
 * Those of these hooks that the workspace has, and their folder; undefined: none. Where nobody trusts the workspace, its
 * settings are not asked, and the usual folders stand for the one that they may name.
 */
async function hooksAmong(
  names: readonly string[],
  context: ToolContext,
  options: GitOptions,
): Promise<{ folder: HooksFolder; hooks: string[] } | undefined> {
  const folders = options.trusted()
    ? [await ownHooksFolder(context, options)]
    : usualFolders.map((path) => ({ workspace: context.workspace, path, inside: `./${path}` }));
  for (const folder of folders) {
    if (folder === undefined) continue;
    const { workspace, path } = folder;
    const entries = await Promise.all(
      names.map((name) => workspace.resolve(`${path}/${name}`).catch(() => undefined)),
    );
    const hooks = names.filter((_, at) => {
      const entry = entries[at];
      return entry?.type === "file" && (entry.mode & 0o111) !== 0;
    });
    if (hooks.length > 0) return { folder, hooks };
  }
  return undefined;
}

const usualFolders = [".git/hooks", ".husky"];

export interface HooksFolder {
  /** The folder that holds it, and where it is in there. */
  workspace: Workspace;
  path: string;
  /** Where a script in the sandbox finds it. */
  inside: string;
}

/**
 * Undefined when the hooks that git would run lie outside the workspace. Those of the repository that the workspace is a worktree
 * of run code of the worktree like any other: they count as its own.
 */
export async function ownHooksFolder(
  { workspace, run }: GitContext,
  options: GitOptions,
): Promise<HooksFolder | undefined> {
  const args = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
  // Git has resolved links. The folder may be the workspace's root itself.
  const folder = (await git(args, { workspace, run }, options, { hooks: true })).trim();
  const path = below(workspace.root, folder);
  if (path !== undefined) return { workspace, path, inside: `./${path}` };
  const { repository } = options.worktree ?? {};
  const there = repository && below(repository.root, folder);
  return repository && there !== undefined
    ? { workspace: repository, path: there, inside: folder }
    : undefined;
}

function below(root: string, folder: string): string | undefined {
  const path = relative(root, folder);
  return path === ".." || path.startsWith("../") ? undefined : path || ".";
}
