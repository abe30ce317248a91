import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { sha256 } from "../../text/digest.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { parseStatus } from "./git-status.ts";
import {
  effectsOfCommand,
  filesOfCommit,
  namesOf,
  previewOfCommand,
  type RawChange,
  rawChanges,
} from "./raw-changes.ts";
import { type GitContext, type GitOptions, git, requireRepository } from "./run-git.ts";

const stash = z.object({ index: z.number(), hash: z.string(), date: z.string(), message: z.string() });

const input = z.object({
  action: z.enum(["list", "push", "pop", "apply", "drop"]).default("list"),
  message: z.string().min(1).optional().describe("For push"),
  paths: z.array(pathInput("File or directory")).min(1).optional().describe("For push; default: all changes"),
  untracked: z.boolean().default(false).describe("For push: untracked files too"),
  index: z.int().min(0).default(0).describe("Which stash; 0 is the newest"),
});
type Input = z.infer<typeof input>;

export const gitStash = (options: GitOptions) =>
  defineTool({
    name: "git_stash",
    title: "Git stash",
    description:
      "Set changes that are not committed aside (push), bring them back (pop, apply), list or drop them.",
    category: "Git",
    loading: "deferred",
    input,
    output: z.object({
      stashes: z.array(stash),
      done: z.string().describe("What was done; empty for a list"),
    }),
    can: ["read", "run", "write", "delete"],
    inOrder: true,
    effects: async (given, context) => {
      if (given.action === "list") return [{ kind: "read", path: "." }];
      return effectsOfCommand(await planOf(given, context, options));
    },
    preview: async (given, context) => {
      if (given.action === "list") return { summary: "list stashes", files: [], seen: new Map(), notes: [] };
      return previewOfCommand(
        `stash ${given.action}${given.message ? `: ${given.message}` : ""}`,
        await planOf(given, context, options),
      );
    },
    execute: async (given, context) => {
      await requireRepository(context, options);
      if (given.action === "list") return { stashes: await listed(context, options), done: "" };
      const { command, changes, state } = await planOf(given, context, options);
      const approved = context.approved.get("git");
      if (approved !== undefined && approved !== state)
        throw new Failure("CONFLICT", "What would be stashed or restored changed since it was approved.", {
          stale: ["git"],
        });
      await git(command, context, options, { ownPatterns: given.paths === undefined }).catch(
        (error: Error) => {
          if (!/conflict/i.test(error.message)) throw error;
          const message = `The stash and the present files change the same lines: the files now hold both, with conflict markers, and the stash is kept. ${error.message}`;
          throw new Failure("CONFLICT", message);
        },
      );
      const stashes = await listed(context, options);
      return { stashes, done: doneText(given, changes, stashes[0]?.hash) };
    },
    render: ({ stashes, done }) => {
      if (done !== "") return done;
      if (stashes.length === 0) return "No stashes.";
      return stashes
        .map(({ index, date, message }) => `${index}: ${date.slice(0, 10)} ${visibleLine(message)}`)
        .join("\n");
    },
    examples: [
      { title: "Set changes aside", input: { action: "push", message: "half of the parser" } },
      { title: "Bring them back", input: { action: "pop" } },
    ],
  });

function doneText({ action, index }: Input, changes: readonly RawChange[], hash = ""): string {
  const files = namesOf(changes.map(({ path }) => visibleLine(path)));
  if (action === "push")
    return `Stashed as ${hash.slice(0, 9)}: ${files}. git_stash {"action":"pop"} brings it back.`;
  if (action === "drop") return `Dropped stash ${index}.`;
  return `${action === "pop" ? "Brought back and dropped" : "Applied"} stash ${index}: ${files}.`;
}

async function planOf(
  { action, message, paths, untracked, index }: Input,
  context: GitContext,
  options: GitOptions,
): Promise<{ command: string[]; changes: RawChange[]; state: string; back: string }> {
  await requireRepository(context, options);
  if (action === "push") {
    const changes = await changesToStash(paths, untracked, context, options);
    if (changes.length === 0) throw new Failure("INVALID_INPUT", "There are no changes to stash.");
    const head = await git(["rev-parse", "HEAD"], context, options);
    const diff = await git(
      ["diff", "--no-ext-diff", "--no-textconv", "HEAD", "--", ...(paths ?? [])],
      context,
      options,
    );
    return {
      command: [
        ...["stash", "push", "--quiet"],
        ...(untracked ? ["--include-untracked"] : []),
        ...(message === undefined ? [] : [`--message=${message}`]),
        ...(paths === undefined ? [] : ["--", ...paths]),
      ],
      changes,
      state: sha256([head, diff, ...changes.map(({ path }) => path)].join("\0")),
      back: "undo does not take this back; git_stash pop does.",
    };
  }
  const stashes = await listed(context, options);
  const found = stashes[index];
  if (!found) {
    const known =
      stashes.length === 0 ? "There are no stashes." : `The stashes are 0 to ${stashes.length - 1}.`;
    throw new Failure("INVALID_INPUT", `There is no stash ${index}. ${known}`);
  }
  const changes = action === "drop" ? [] : await changesInStash(found.hash, context, options);
  return {
    command: ["stash", action, "--quiet", `stash@{${index}}`],
    changes,
    state: sha256(found.hash),
    back:
      action === "drop"
        ? `undo does not take this back. Until git cleans up, git stash store ${found.hash} brings it back.`
        : "undo does not take this back; git_stash push sets the changes aside again.",
  };
}

/** What a stash restores: changes to tracked files, and untracked files, which are in a third parent. */
async function changesInStash(hash: string, context: GitContext, options: GitOptions): Promise<RawChange[]> {
  const tracked = await rawChanges([`${hash}^1`, hash, "--"], context, options);
  const parents = (await git(["rev-parse", `${hash}^@`], context, options)).trim().split("\n");
  const untracked = parents[2] === undefined ? [] : await filesOfCommit(parents[2], context, options);
  return [...tracked, ...untracked];
}

/** The file changes of a stash: a new file is removed, all others return to their committed content. */
async function changesToStash(
  paths: readonly string[] | undefined,
  untracked: boolean,
  context: GitContext,
  options: GitOptions,
): Promise<RawChange[]> {
  const args = [
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--",
    ...(paths ?? []),
  ];
  const { files } = parseStatus(await git(args, context, options));
  return files
    .filter(({ unstaged }) => untracked || unstaged !== "?")
    .map(({ path, staged, unstaged }) => {
      const isNew = staged === "A" || unstaged === "?";
      const isGone = staged === "D" || unstaged === "D";
      return { path, kind: isNew ? "D" : isGone ? "A" : "M", oldMode: "", oldId: "" };
    });
}

async function listed(context: GitContext, options: GitOptions): Promise<z.infer<typeof stash>[]> {
  const args = ["log", "--walk-reflogs", "--format=%H%x00%cI%x00%gs%x00", "--no-color", "refs/stash", "--"];
  const text = await git(args, context, options).catch(() => "");
  const fields = text.split("\0");
  const stashes: z.infer<typeof stash>[] = [];
  for (let at = 0; at + 3 < fields.length; at += 3) {
    const [hash = "", date = "", message = ""] = fields.slice(at, at + 3);
    stashes.push({ index: stashes.length, hash: hash.trim(), date, message });
  }
  return stashes;
}
