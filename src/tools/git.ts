import { Failure } from "../events/failure.ts";
import type { ToolContext } from "../tool/tool.ts";

/** What git needs from outside, given by the composition root: tools read no environment themselves. */
export interface GitOptions {
  env(): Readonly<Record<string, string>>;
  /** Whether the person trusts this workspace: only then may its own git configuration run programs. */
  trusted(): boolean;
}

/** Settings of a repository that make git run a program or look outside. Its own files are as hostile as any other. */
const risky =
  /^(core\.(fsmonitor|sshcommand|gitproxy|editor|askpass|worktree|alternaterefscommand)|include(if\..*)?\.path|diff\.external|diff\..*\.(textconv|command)|filter\..*\.(clean|smudge|process)|merge\..*\.driver|credential(\..*)?\.helper|gpg(\..*)?\.program|remote\..*\.(uploadpack|receivepack|vcs)|uploadpack\..*hook|sequence\.editor|trailer\..*\.(command|cmd))$/i;

const always = [
  "--no-pager",
  "--literal-pathspecs",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.quotePath=false",
  "-c",
  "protocol.ext.allow=never",
];
const noHooks = ["-c", "core.hooksPath=/dev/null"];

/** Runs git on the workspace's own repository; failures come back in git's words. */
export async function git(
  args: readonly string[],
  context: Pick<ToolContext, "run" | "workspace">,
  options: GitOptions,
  how: { input?: string; hooks?: boolean } = {},
): Promise<string> {
  const hooks = how.hooks && options.trusted();
  const outcome = await context.run({
    file: "git",
    args: [...always, ...(hooks ? [] : noHooks), ...args],
    cwd: context.workspace.root,
    env: {
      ...options.env(),
      LANG: "C.UTF-8",
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_LITERAL_PATHSPECS: "1",
    },
    keepBytes: 8 * 1024 * 1024,
    ...(how.input !== undefined && { input: how.input }),
  });
  if (outcome.exitCode === 0) return outcome.stdout.text;
  throw new Failure(
    "EXECUTION_ERROR",
    `git ${args[0]} failed: ${(outcome.stderr.text || outcome.stdout.text).trim()}`,
  );
}

/** Every git tool starts here: the workspace must be the root of its own repository, and a harmless one. */
export async function requireRepository(
  context: Pick<ToolContext, "run" | "workspace">,
  options: GitOptions,
): Promise<void> {
  const { root } = context.workspace;
  const answer = await git(["rev-parse", "--show-toplevel", "--absolute-git-dir"], context, options).catch(
    () => undefined,
  );
  if (answer === undefined) {
    throw new Failure(
      "UNAVAILABLE",
      "The workspace is not a git repository, or git is not installed. Create one with: git init",
    );
  }
  const [top, gitDir] = answer.trimEnd().split("\n");
  if (top !== root) {
    throw new Failure(
      "INVALID_PATH",
      "The git repository starts above the workspace. Open Wield at the root of the repository to use git tools.",
    );
  }
  if (options.trusted()) return;
  const listed = await git(["config", "--show-scope", "--name-only", "-z", "--list"], context, options);
  const fields = listed.split("\0");
  const ofRepository = (scope: string | undefined) => scope === "local" || scope === "worktree";
  const found = fields.filter((name, at) => ofRepository(fields[at - 1]) && risky.test(name));
  if (gitDir !== `${root}/.git`) found.push("a git directory outside the workspace");
  if (found.length > 0) {
    throw new Failure(
      "PERMISSION_DENIED",
      `This repository's git configuration can run programs or look outside (${[...new Set(found)].join(", ")}). A person can allow it with: wield trust`,
    );
  }
}

/** A revision or range as one argument; anything that git could take for an option is refused. */
export function checkRevision(revision: string): string {
  if (/^-|[\s\0]/.test(revision)) {
    throw new Failure(
      "INVALID_INPUT",
      `${JSON.stringify(revision)} is not a revision. Use a branch, tag, commit or range such as main..HEAD.`,
    );
  }
  return revision;
}
