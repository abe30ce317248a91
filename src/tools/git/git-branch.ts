import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { sha256 } from "../../text/digest.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { effectsOfCommand, namesOf, previewOfCommand, rawChanges } from "./raw-changes.ts";
import {
  checkBranchName,
  commitsOf,
  currentBranch,
  type GitContext,
  type GitOptions,
  git,
  requireRepository,
} from "./run-git.ts";

const branch = z.object({
  name: z.string(),
  hash: z.string(),
  date: z.string(),
  subject: z.string(),
  upstream: z.string().nullable(),
});

const input = z.object({
  action: z
    .enum(["list", "create", "switch", "delete"])
    .default("list")
    .describe("create also switches to it; delete takes only a branch that is merged"),
  name: z.string().min(1).optional(),
  from: z.string().min(1).optional().describe("Where a new branch starts; default HEAD"),
});
type Input = z.infer<typeof input>;

export const gitBranch = (options: GitOptions) =>
  defineTool({
    name: "git_branch",
    title: "Git branch",
    description: "List, create, switch to, or delete branches of the git repository.",
    category: "Git",
    loading: "deferred",
    input,
    output: z.object({
      current: z.string().nullable().describe("Null when HEAD is detached"),
      branches: z.array(branch).describe("Newest first"),
      done: z.string().describe("What was done; empty for a list"),
    }),
    can: ["read", "run", "write", "delete"],
    inOrder: true,
    effects: async (given, context) => {
      if (given.action === "list") return [{ kind: "read", path: "." }];
      return effectsOfCommand(await planOf(given, context, options));
    },
    preview: async (given, context) => {
      if (given.action === "list") return { summary: "list branches", files: [], seen: new Map(), notes: [] };
      return previewOfCommand(`${given.action} branch ${given.name}`, await planOf(given, context, options));
    },
    execute: async (given, context) => {
      await requireRepository(context, options);
      if (given.action === "list") return { ...(await listed(context, options)), done: "" };
      const { command, changes, state, done } = await planOf(given, context, options);
      const approved = context.approved.get("git");
      if (approved !== undefined && approved !== state)
        throw new Failure("CONFLICT", "The repository changed since this was approved.", { stale: ["git"] });
      await git(command, context, options);
      const files = changes.map(({ path }) => visibleLine(path));
      const told = files.length > 0 ? ` Files changed: ${namesOf(files)}.` : "";
      return { ...(await listed(context, options)), done: done + told };
    },
    render: ({ current, branches, done }) => {
      if (done !== "") return done;
      if (branches.length === 0) return "No branches: the repository has no commits yet.";
      const line = ({ name, hash, date, subject, upstream }: z.infer<typeof branch>) =>
        `${name === current ? "* " : "  "}${visibleLine(name)} ${hash.slice(0, 9)} ${date.slice(0, 10)}${upstream ? ` → ${visibleLine(upstream)}` : ""} ${visibleLine(subject)}`;
      const head = current === null ? ["HEAD is detached."] : [];
      const rest = (most: number) =>
        branches.length > most ? [`… ${branches.length - most} older branches`] : [];
      return [
        [...head, ...branches.map(line)].join("\n"),
        () => [...head, ...branches.slice(0, 30).map(line), ...rest(30)].join("\n"),
      ];
    },
    examples: [
      { title: "All branches", input: {} },
      { title: "A new branch for the work", input: { action: "create", name: "fix/empty-input" } },
    ],
  });

interface BranchPlan {
  command: string[];
  /** Files that differ afterwards. */
  changes: Awaited<ReturnType<typeof rawChanges>>;
  state: string;
  /** How a person gets back: the journal does not know what git does to files. */
  back: string;
  done: string;
}

async function planOf(
  { action, name, from }: Input,
  context: GitContext,
  options: GitOptions,
): Promise<BranchPlan> {
  await requireRepository(context, options);
  if (name === undefined) throw new Failure("INVALID_INPUT", `Give the name of the branch to ${action}.`);
  if (from !== undefined && action !== "create")
    throw new Failure("INVALID_INPUT", "from belongs to action create.");
  await checkBranchName(name, context, options);
  const here =
    (await currentBranch(context, options)) ?? (await commitsOf("HEAD", context, options)).slice(0, 9);
  const head = await commitsOf("HEAD", context, options).catch(() => "");
  const back = `undo does not take this back; switch back with git_branch to ${here}. Changes that are not committed stay.`;
  if (action === "create") {
    const target = from === undefined ? head : await commitsOf(from, context, options);
    const changes = target === head ? [] : await rawChanges([head, target, "--"], context, options);
    const start = target === "" ? [] : [target];
    return {
      command: ["switch", "--quiet", "--no-track", "--no-recurse-submodules", "--create", name, ...start],
      ...{ changes, state: sha256(`${head} ${target}`), back },
      done: `Created ${name} at ${target.slice(0, 9) || "no commit"} and switched to it.`,
    };
  }
  const target = await commitsOf(`refs/heads/${name}`, context, options).catch(async () => {
    const { branches } = await listed(context, options);
    const known = namesOf(branches.map((each) => each.name));
    throw new Failure(
      "INVALID_INPUT",
      `There is no local branch named ${JSON.stringify(name)}. Local branches: ${known}.`,
    );
  });
  const state = sha256(`${head} ${target}`);
  if (action === "switch") {
    return {
      command: ["switch", "--quiet", "--no-guess", "--no-recurse-submodules", name],
      changes: await rawChanges([head, target, "--"], context, options),
      ...{ state, back },
      done: `Switched from ${here} to ${name}.`,
    };
  }
  const tip = `it was at ${target}`;
  return {
    command: ["branch", "--delete", "--quiet", name],
    ...{ changes: [], state },
    back: `undo does not take this back; ${tip}, where git_branch can create it again.`,
    done: `Deleted ${name}; ${tip}.`,
  };
}

async function listed(context: GitContext, options: GitOptions) {
  const format =
    "%(refname:short)%00%(objectname)%00%(committerdate:iso-strict)%00%(upstream:short)%00%(contents:subject)%00";
  const args = ["for-each-ref", "--sort=-committerdate", `--format=${format}`, "refs/heads"];
  const fields = (await git(args, context, options)).split("\0");
  const branches: z.infer<typeof branch>[] = [];
  for (let at = 0; at + 5 < fields.length; at += 5) {
    const [name = "", hash = "", date = "", upstream = "", subject = ""] = fields.slice(at, at + 5);
    branches.push({ name: name.trim(), hash, date, upstream: upstream || null, subject });
  }
  return { current: await currentBranch(context, options), branches };
}
