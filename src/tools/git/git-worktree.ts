import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { sha256 } from "../../text/digest.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Entry } from "../../workspace/workspace.ts";
import { effectsOfChanges, filesOfCommit, previewsOfChanges, type RawChange } from "./raw-changes.ts";
import {
  checkBranchName,
  commitsOf,
  type GitContext,
  type GitOptions,
  git,
  requireRepository,
} from "./run-git.ts";

const worktree = z.object({
  path: z.string().describe("Relative to the workspace where it is inside"),
  hash: z.string(),
  branch: z.string().nullable(),
});

const input = z.object({
  action: z.enum(["list", "add", "remove"]).default("list"),
  path: pathInput("A folder inside the workspace").optional(),
  branch: z
    .string()
    .min(1)
    .optional()
    .describe("For add: a branch to check out; made at HEAD if it does not exist"),
});
type Input = z.infer<typeof input>;

export const gitWorktree = (options: GitOptions) =>
  defineTool({
    name: "git_worktree",
    title: "Git worktree",
    description:
      "List, add or remove worktrees: another branch checked out in a folder of its own, inside the workspace.",
    category: "Git",
    loading: "deferred",
    input,
    output: z.object({
      worktrees: z.array(worktree),
      done: z.string().describe("What was done; empty for a list"),
    }),
    can: ["read", "run", "write", "delete"],
    inOrder: true,
    effects: async (given, context) => {
      if (given.action === "list") return [{ kind: "read", path: "." }];
      const { command, path, changes } = await planOf(given, context, options);
      const run = { kind: "run" as const, command: `git ${command.join(" ")}`, network: "off" as const };
      return given.action === "add"
        ? [run, { kind: "write", path, replaces: false }, ...effectsOfChanges(changes)]
        : [run, { kind: "delete", path }];
    },
    preview: async (given, context) => {
      if (given.action === "list")
        return { summary: "list worktrees", files: [], seen: new Map(), notes: [] };
      const { changes, state, back } = await planOf(given, context, options);
      const shown = previewsOfChanges(changes);
      return {
        summary: `${given.action} worktree ${given.path}`,
        files: shown.files,
        seen: new Map([["git", state]]),
        notes: [...shown.notes, back],
      };
    },
    execute: async (given, context) => {
      await requireRepository(context, options);
      if (given.action === "list") return { worktrees: await listed(context, options), done: "" };
      const { command, state, done } = await planOf(given, context, options);
      const approved = context.approved.get("git");
      if (approved !== undefined && approved !== state)
        throw new Failure("CONFLICT", "What would be checked out changed since it was approved.", {
          stale: ["git"],
        });
      await git(command, context, options);
      return { worktrees: await listed(context, options), done };
    },
    render: ({ worktrees, done }) =>
      done !== ""
        ? done
        : worktrees
            .map(
              ({ path, hash, branch }) =>
                `${visibleLine(path)} ${hash.slice(0, 9)} ${visibleLine(branch ?? "(detached HEAD)")}`,
            )
            .join("\n"),
    examples: [
      { title: "All worktrees", input: {} },
      {
        title: "A second branch side by side",
        input: { action: "add", path: ".worktrees/fix", branch: "fix" },
      },
    ],
  });

type WorktreeContext = GitContext & Pick<ToolContext, "mayRead">;

interface WorktreePlan {
  command: string[];
  path: string;
  /** Files that are written. */
  changes: RawChange[];
  state: string;
  back: string;
  done: string;
}

async function planOf(
  { action, path, branch }: Input,
  context: WorktreeContext,
  options: GitOptions,
): Promise<WorktreePlan> {
  await requireRepository(context, options);
  if (path === undefined) throw new Failure("INVALID_INPUT", `Give the path of the worktree to ${action}.`);
  const { root } = context.workspace;
  if (action === "remove") {
    const place = (await context.workspace.resolve(path)).path;
    const known = (await listed(context, options)).slice(1);
    // By its exact place: git would take the end of another worktree's path for it too, and that may be anywhere.
    if (place !== path.replace(/\/+$/, "") || !known.some((each) => each.path === place)) {
      const inside = known.map((each) => each.path).filter((each) => !each.startsWith("/"));
      const message = `${path} is not a worktree of this repository. Worktrees: ${inside.map(visibleLine).join(", ") || "none"}.`;
      throw new Failure("INVALID_INPUT", message);
    }
    return {
      command: ["worktree", "remove", `${root}/${place}`],
      path: place,
      changes: [],
      state: sha256(place),
      back: "undo does not take this back. Git removes it only when it holds no changes that are not committed.",
      done: `Removed the worktree ${visibleLine(place)}. Its branch is still there.`,
    };
  }
  if (await entryAt(path, context))
    throw new Failure("CONFLICT", `${path} exists already. Choose a path that does not.`);
  await requireRealFolders(path, context);
  const name = branch === undefined ? undefined : await checkBranchName(branch, context, options);
  const tip =
    name === undefined
      ? undefined
      : await commitsOf(`refs/heads/${name}`, context, options).catch(() => undefined);
  const exists = tip !== undefined;
  const commit = tip ?? (await commitsOf("HEAD", context, options));
  const files = await filesOfCommit(commit, context, options);
  // In the worktree they would lie under other names, which the rules are not about.
  const hidden = files.filter((file) => !context.mayRead(file.path)).length;
  if (hidden > 0) {
    const message = `The person's rules hide ${hidden} ${hidden === 1 ? "file" : "files"} of this commit, so it is not checked out a second time.`;
    throw new Failure("PERMISSION_DENIED", message);
  }
  const at = `${root}/${path}`;
  const which = name === undefined ? ["--detach", at] : exists ? [at, name] : ["-b", name, "--no-track", at];
  return {
    command: ["worktree", "add", "--quiet", "--no-guess-remote", ...which],
    path,
    changes: files.map((file) => ({ ...file, path: `${path.replace(/\/+$/, "")}/${file.path}` })),
    state: sha256(`${name ?? ""}\0${commit}`),
    back: "undo does not take this back; git_worktree remove does.",
    done: `Added the worktree ${path}${name === undefined ? "" : ` on ${name}`}.`,
  };
}

/** Git makes missing folders, through links too: the folders that exist must be real ones. */
async function requireRealFolders(path: string, context: GitContext): Promise<void> {
  const names = path.split("/").slice(0, -1);
  if (/(^|\/)(\.{0,2}|\.git)(\/|$)/.test(path))
    throw new Failure(
      "INVALID_PATH",
      `A worktree cannot be made at ${path}. Name a new folder, such as .worktrees/fix.`,
    );
  for (let count = 1; count <= names.length; count++) {
    const folder = names.slice(0, count).join("/");
    const entry = await entryAt(folder, context);
    if (entry && entry.type !== "directory")
      throw new Failure("INVALID_PATH", `${folder} is not a folder but a ${entry.type}.`);
  }
}

async function entryAt(path: string, { workspace }: GitContext): Promise<Entry | undefined> {
  return workspace.stat(path).catch((error: unknown) => {
    if (error instanceof Failure && error.code === "FILE_NOT_FOUND") return undefined;
    throw error;
  });
}

/** The first is the workspace itself. */
async function listed(context: GitContext, options: GitOptions): Promise<z.infer<typeof worktree>[]> {
  const text = await git(["worktree", "list", "--porcelain", "-z"], context, options);
  const { root } = context.workspace;
  return text
    .split("\0\0")
    .filter((entry) => entry.startsWith("worktree "))
    .map((entry) => {
      const fields = new Map(
        entry.split("\0").map((line) => [line.split(" ")[0], line.slice(line.indexOf(" ") + 1)]),
      );
      const path = fields.get("worktree") ?? "";
      const relative = path === root ? "." : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
      return {
        path: relative,
        hash: fields.get("HEAD") ?? "",
        branch: fields.get("branch")?.replace(/^refs\/heads\//, "") ?? null,
      };
    });
}
