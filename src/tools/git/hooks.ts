import { relative } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { RunConfined } from "./run-confined.ts";
import { type GitOptions, git } from "./run-git.ts";

/** Hooks get their arguments and standard input as git gives them. */
const prelude = (folder: string) => `hooks=${quoted(`./${folder}`)}
run() { name=$1; shift; if [ -x "$hooks/$name" ]; then "$hooks/$name" "$@" || { echo "(the hook $name ended with $?)"; exit 1; }; fi; }
`;

/**
 * The hooks of the workspace that come before a commit, in the sandbox: they are code of the workspace like any other. Returns the message
 * as they leave it. Hooks of the person's own configuration, outside the workspace, are git's to run.
 */
export async function runCommitHooks(
  message: string,
  context: ToolContext,
  options: GitOptions,
): Promise<string> {
  const folder = await folderWith(["pre-commit", "prepare-commit-msg", "commit-msg"], context, options);
  if (folder === undefined) return message;
  const script = `${prelude(folder)}cat > /out/message
run pre-commit </dev/null
run prepare-commit-msg /out/message message </dev/null
run commit-msg /out/message </dev/null`;
  const { left } = await confined("commit", script, message, context, options);
  return left.get("message") ?? message;
}

export async function runPushHook(
  remote: { name: string; url: string },
  input: string,
  context: ToolContext,
  options: GitOptions,
): Promise<void> {
  const folder = await folderWith(["pre-push"], context, options);
  if (folder === undefined) return;
  const script = `${prelude(folder)}run pre-push ${quoted(remote.name)} ${quoted(remote.url)}`;
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

/** The folder of hooks in the workspace, if it has one of these. */
async function folderWith(
  names: readonly string[],
  context: ToolContext,
  options: GitOptions,
): Promise<string | undefined> {
  const folder = options.trusted() ? await ownHooksFolder(context, options) : undefined;
  if (folder === undefined) return undefined;
  const entries = await Promise.all(
    names.map((name) => context.workspace.resolve(`${folder}/${name}`).catch(() => undefined)),
  );
  return entries.some((entry) => entry?.type === "file" && (entry.mode & 0o111) !== 0) ? folder : undefined;
}

/** Undefined when the hooks that git would run lie outside the workspace. */
export async function ownHooksFolder(context: ToolContext, options: GitOptions): Promise<string | undefined> {
  const { root } = context.workspace;
  const args = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
  const folder = (await git(args, context, options, { hooks: true })).trim();
  // Git has resolved links. The folder may be the workspace's root itself.
  const path = relative(root, folder);
  return path === ".." || path.startsWith("../") ? undefined : path || ".";
}
