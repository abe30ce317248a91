import { dirname, join, relative, resolve } from "node:path";
import { Failure } from "../../failure/failure.ts";
import type { Command, Outcome } from "../../process/process.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { strayEntries } from "../../workspace/git-folder.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  type GitSetting,
  isRiskOfRepository,
  listSettings,
  parseSettings,
  workspaceCodeIn,
} from "./git-settings.ts";
import { noNamedFiles, withoutFileContents } from "./named-files.ts";
import type { RunConfined } from "./run-confined.ts";

export type GitContext = Pick<ToolContext, "run" | "workspace">;

/** What git needs from outside, given by the composition root: tools read no environment themselves. */
export interface GitOptions {
  env(): Readonly<Record<string, string>>;
  /** Whether the person trusts this workspace: only then may its own git configuration run programs. */
  trusted(): boolean;
  /** For hooks of the workspace. */
  runConfined: RunConfined;
  /** The person's tokens and hosts for pull requests. */
  forge(): Readonly<Record<string, string>>;
  /** Folders besides the workspace in which Wield itself has git write. */
  writes?: readonly string[];
  /** Given, the workspace is a worktree that Wield made. */
  worktree?: GitWorktree;
}

export interface GitWorktree {
  /** Where git keeps the state of this worktree: used whatever a session made of the `.git` that names it. */
  gitDir: string;
  /** The git directory of the repository; runs in the sandbox see it, and cannot change it. */
  commonDir: string;
  /** The repository's own folder; undefined: the git directory is Wield's own, as on a worker, and no session can change it. */
  repository?: Workspace;
}

const fixedSettings = [
  ...["core.fsmonitor=false", "core.quotePath=false"],
  // A patch enters no submodule, which may be one of the past that nobody has judged.
  "diff.submodule=short",
  // What a push would send is searched for secrets: nothing of it may be left out or written in other signs.
  ...["log.showRoot=true", "i18n.logOutputEncoding=UTF-8"],
  // Maintenance goes on after the command, and what it is ended in the middle of stays locked.
  ...["gc.auto=0", "maintenance.auto=false"],
].flatMap((setting) => ["-c", setting]);
const always = ["--no-pager", ...fixedSettings, ...noNamedFiles];
const noHooks = ["-c", "core.hooksPath=/dev/null"];
/** A diff whose form no setting of the repository changes. */
export const plainDiff = [
  ...["diff", "--no-ext-diff", "--no-textconv", "--no-color"],
  ...["--submodule=short", "--src-prefix=a/", "--dst-prefix=b/"],
];

interface GitRun {
  input?: string;
  hooks?: boolean;
  /** Transports it may use; without them a repository cannot make git fetch what it left out. */
  transports?: readonly string[];
  /** It finds out whether the repository is harmless, so it does not wait for that. */
  isJudging?: boolean;
  /** As `-c name=value`, before the command. */
  settings?: readonly string[];
  /** Another folder than the workspace's root, below it. */
  folder?: string;
  keepBytes?: number;
  /** No paths are given, and git uses its own patterns: stash does not work otherwise. */
  ownPatterns?: boolean;
  /** What the reflog says was done; left out: the command's own name. */
  reflogAction?: string;
  /** Another index than that of the repository: a file's path. */
  index?: string;
}

/** Runs git on the workspace's own repository; failures come back in git's words. */
export async function git(
  args: readonly string[],
  context: GitContext,
  options: GitOptions,
  how: GitRun = {},
): Promise<string> {
  const outcome = await start(args, context, options, how);
  // The omitted part could be exactly what is being searched for.
  if (outcome.stdout.truncated)
    throw new Failure("TOO_LARGE", `git ${args[0]} answered with more than can be read. Ask for one path.`);
  return outcome.stdout.text;
}

/** The same for output that need not be text. */
export async function gitBytes(
  args: readonly string[],
  context: GitContext,
  options: GitOptions,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const onStdout = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) return false;
    chunks.push(chunk);
    return true;
  };
  const outcome = await start(args, context, options, { onStdout }).catch((error: unknown) => {
    if (size > maxBytes) return undefined;
    throw error;
  });
  if (outcome === undefined || size > maxBytes)
    throw new Failure("TOO_LARGE", `git ${args[0]} answered with more than ${maxBytes} bytes.`);
  return Buffer.concat(chunks);
}

async function start(
  args: readonly string[],
  context: GitContext,
  options: GitOptions,
  how: GitRun & { onStdout?: (chunk: Buffer) => boolean },
): Promise<Outcome> {
  if (!how.isJudging && !required.has(context.workspace)) await requireRepository(context, options);
  const hooks = how.hooks && options.trusted();
  const keepBytes = how.keepBytes ?? 8 * 1024 * 1024;
  const command: Command = {
    file: "git",
    args: [
      ...always,
      ...(how.ownPatterns ? [] : ["--literal-pathspecs"]),
      ...(hooks ? [] : noHooks),
      ...(how.settings ?? []),
      ...args,
    ],
    cwd: join(context.workspace.root, how.folder ?? "."),
    env: {
      ...options.env(),
      LANG: "C.UTF-8",
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_NO_REPLACE_OBJECTS: "1",
      ...(how.ownPatterns ? {} : { GIT_LITERAL_PATHSPECS: "1" }),
      GIT_ALLOW_PROTOCOL: (how.transports ?? []).join(":"),
      ...(how.reflogAction !== undefined && { GIT_REFLOG_ACTION: how.reflogAction }),
      ...(how.index !== undefined && { GIT_INDEX_FILE: how.index }),
      ...(options.worktree && { GIT_DIR: options.worktree.gitDir, GIT_WORK_TREE: context.workspace.root }),
    },
    keepBytes,
    maxBytes: how.onStdout ? 256 * 1024 * 1024 : 2 * keepBytes,
    ...(how.input !== undefined && { input: how.input }),
    ...(how.onStdout && { onStdout: how.onStdout }),
  };
  const outcome = await context.run(await inBox(command, args, context, options, how));
  if (outcome.exitCode === 0) return outcome;
  const said = withoutFileContents(outcome.stderr.text) || outcome.stdout.text;
  throw new Failure("EXECUTION_ERROR", `git ${args[0]} failed: ${said.trim()}`);
}

/** The workspaces, one for each call, whose repository was found to be harmless. */
const required = new WeakSet<object>();

/** Commands that write nothing: for them a box would only take time. */
const reading = new Set(
  [
    "blame",
    "cat-file",
    "check-attr",
    "check-ref-format",
    "diff",
    "diff-tree",
    "for-each-ref",
    "log",
    "ls-files",
  ].concat(["ls-tree", "merge-base", "remote", "rev-list", "rev-parse", "show", "show-ref", "status", "var"]),
);

/**
 * In a repository that nobody trusts, what git writes stays in it, whatever its files lead to; a signature needs the person's
 * keys, and a push the network.
 */
async function inBox(
  command: Command,
  [name = "", first]: readonly string[],
  context: GitContext,
  options: GitOptions,
  how: GitRun,
): Promise<Command> {
  const { trusted, worktree, writes = [] } = options;
  const isReading = reading.has(name) || (name === "config" && first !== "--local");
  if (isReading || trusted() || how.transports) return command;
  if (name === "commit" && (await isSigned(context, options))) return command;
  const { confineWrites } = await import("../../sandbox/write-box.ts");
  const git = worktree ? [worktree.commonDir, worktree.gitDir] : [];
  const index = how.index === undefined ? [] : [dirname(how.index)];
  return confineWrites(command, [context.workspace.root, ...writes, ...git, ...index]);
}

async function isSigned(context: GitContext, options: GitOptions): Promise<boolean> {
  const asked = git(["config", "--type=bool", "--get", "commit.gpgSign"], context, options);
  return (await asked.catch(() => "")).trim() === "true";
}

export function leftOutFiles(count: number): string {
  return `${count} changed ${count === 1 ? "file is" : "files are"} left out: the person's rules hide them.`;
}

/** Before git does anything: the workspace must be the root of its own repository, and a harmless one. Others ask it to be told why. */
export async function requireRepository(context: GitContext, options: GitOptions): Promise<void> {
  const { root } = context.workspace;
  const { worktree } = options;
  const repository = worktree ? worktree.repository : context.workspace;
  // Git itself would follow a link, and wait for a pipe.
  if (!options.trusted() && repository) refuseRisks(strayEntries(`${repository.root}/.git`, ".git"));
  const where = ["--show-toplevel", "--absolute-git-dir", "--path-format=absolute", "--git-common-dir"];
  const judging = { isJudging: true };
  const answer = await git(["rev-parse", ...where], context, options, judging).catch(() => undefined);
  if (answer === undefined) {
    throw new Failure(
      "UNAVAILABLE",
      "The workspace is not a git repository, or git is not installed. Create one with: git init",
    );
  }
  const [top, ...directories] = answer.trimEnd().split("\n");
  if (top !== root) {
    throw new Failure(
      "INVALID_PATH",
      "The git repository starts above the workspace. Open Wield at the root of the repository to use git tools.",
    );
  }
  const common = repository ? `${repository.root}/.git` : worktree?.commonDir;
  const known = [common, worktree?.gitDir];
  if (!options.trusted())
    refuseRisks(directories.every((directory) => known.includes(directory)) ? [] : [outside]);
  const { risks, workspaceCode } = await risksIn(".", context, options);
  if (!options.trusted()) refuseRisks(risks);
  refuseWorkspaceCode(workspaceCode);
  required.add(context.workspace);
}

const outside = "a git directory outside the workspace";

function refuseRisks(found: readonly string[]): void {
  if (found.length === 0) return;
  throw new Failure(
    "PERMISSION_DENIED",
    `This repository's git configuration can run programs, look outside or reroute a push (${visibleText([...new Set(found)].join(", "))}). A person can allow it with: wield trust`,
  );
}

function refuseWorkspaceCode(found: readonly string[]): void {
  if (found.length === 0) return;
  const message = `Git's configuration would run code of the workspace outside the sandbox, and an agent can change that code: ${visibleText([...new Set(found)].join("; "))}. A person can remove the setting, or keep the program and its setting outside the workspace.`;
  throw new Failure("PERMISSION_DENIED", message);
}

interface Risks {
  /** Settings for which the person has to trust the repository. */
  risks: string[];
  /** Settings that are refused even then. */
  workspaceCode: string[];
}

/** Risky settings of the repository in a folder. Git enters submodules automatically, with their own settings. */
async function risksIn(
  folder: string,
  context: GitContext,
  options: GitOptions,
  /** Of a submodule, which git tells where its folder is. */
  gitDir?: string,
): Promise<Risks> {
  const own = options.worktree && folder === "." ? [] : ["--git-dir=.git"];
  const ask = (args: string[]) =>
    git([...own, ...args], context, options, { folder, isJudging: true, keepBytes: 64 * 1024 * 1024 });
  const settings = parseSettings(await ask(listSettings));
  const isOwnFolder = ({ name, value }: GitSetting) =>
    name === "core.worktree" &&
    gitDir !== undefined &&
    resolve(gitDir, value) === join(context.workspace.root, folder);
  const risks = settings
    .filter((setting) => isRiskOfRepository(setting) && !isOwnFolder(setting))
    .map(({ name }) => name);
  const workspaceCode: string[] = [];
  for (const setting of settings) {
    const found = await workspaceCodeIn(setting, folder, context, options.env()["PATH"] ?? "");
    if (found !== undefined) workspaceCode.push(found);
  }
  const submodule = /^160000 .*?\t(.*)$/s;
  for (const entry of (await ask(["ls-files", "--stage", "-z"])).split("\0")) {
    const name = submodule.exec(entry)?.[1];
    if (name === undefined) continue;
    const path = join(folder, name);
    if (name.includes("\ufffd")) {
      risks.push(`a submodule whose name is not text: ${path}`);
      continue;
    }
    const itsGitDir = await gitDirOf(path, context, options);
    if (itsGitDir === undefined) continue;
    const astray = leadsAstray(itsGitDir, context, options);
    risks.push(...astray);
    if (astray.length > 0 && !options.trusted()) continue;
    const inside = await risksIn(path, context, options, itsGitDir);
    risks.push(...inside.risks);
    workspaceCode.push(...inside.workspaceCode);
  }
  return { risks, workspaceCode };
}

/** Asked in the way in which git itself enters a submodule; undefined: no repository is there. */
async function gitDirOf(
  folder: string,
  context: GitContext,
  options: GitOptions,
): Promise<string | undefined> {
  const args = ["--git-dir=.git", "rev-parse", "--absolute-git-dir"];
  return git(args, context, options, { folder, isJudging: true }).then(
    (answer) => answer.replace(/\n$/, ""),
    () => undefined,
  );
}

/** The same for a submodule, whose git directory may be in that of the repository. */
function leadsAstray(gitDir: string, { workspace }: GitContext, { worktree }: GitOptions): string[] {
  for (const place of [workspace, ...(worktree?.repository ? [worktree.repository] : [])]) {
    const path = relative(place.root, gitDir);
    if (!path.startsWith("../")) return strayEntries(gitDir, path);
  }
  return [outside];
}

/** A revision or range as one argument; what git could take for an option, or for the name of a file, is refused. */
export function checkRevision(revision: string): string {
  if (/^-|[\s\0:]/.test(revision)) {
    throw new Failure(
      "INVALID_INPUT",
      `${JSON.stringify(revision)} is not a revision. Use a branch, tag, commit or range such as main..HEAD.`,
    );
  }
  return revision;
}

/**
 * The same with every part being a commit: the paths in trees below one are not those that rules are about. In a repository that
 * sessions share, only what came before the session's own commit: the rest may be work of others that is private.
 */
export async function commitsOf(revision: string, context: GitContext, options: GitOptions): Promise<string> {
  const parts = checkRevision(revision).split(/(\.{2,3})/);
  const commits = parts.map((part, at) =>
    at % 2 === 1 || part === "" ? part : commitOf(part, context, options),
  );
  return (await Promise.all(commits)).join("");
}

async function commitOf(name: string, context: GitContext, options: GitOptions): Promise<string> {
  const isShared = isSharedRepository(options);
  const seen = isShared ? "git_log shows" : "git_log and git_branch show";
  const message = `There is no commit ${JSON.stringify(name)}. ${seen} what there is.`;
  const asked = git(["rev-parse", "--verify", `${name}^{commit}`], context, options);
  const commit = (
    await asked.catch((error: Error) => {
      if (!isShared && !/Needed a single revision|unknown revision|ambiguous argument/.test(error.message))
        throw error;
      throw new Failure("INVALID_INPUT", message);
    })
  ).trim();
  if (isShared)
    await git(["merge-base", "--is-ancestor", commit, "HEAD"], context, options).catch(() => {
      throw new Failure("INVALID_INPUT", message);
    });
  return commit;
}

/** Whether work of other sessions is in the same repository. */
export function isSharedRepository({ worktree }: GitOptions): boolean {
  return worktree !== undefined && worktree.repository === undefined;
}

/** A name for a new or an existing branch, as git itself allows it. */
export async function checkBranchName(
  name: string,
  context: GitContext,
  options: GitOptions,
): Promise<string> {
  await git(["check-ref-format", "--branch", checkRevision(name)], context, options).catch(() => {
    throw new Failure("INVALID_INPUT", `${JSON.stringify(name)} cannot be the name of a branch.`);
  });
  return name;
}

export async function currentBranch(context: GitContext, options: GitOptions): Promise<string | null> {
  return (await git(["branch", "--show-current"], context, options)).trim() || null;
}

/** A diff for a model: the ids of contents in its heads say nothing to it. */
export function withoutIds(diff: string): string {
  return diff.replace(/^index [0-9a-f]+\.\.[0-9a-f]+.*\n/gm, "").trimEnd();
}
