import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { sha256 } from "../../text/digest.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { ownHooksFolder, runPushHook } from "./hooks.ts";
import { addressesOf, effectsOfPush, pinned } from "./push-addresses.ts";
import { branchOf, knownRemote } from "./remotes.ts";
import { type GitOptions, git, gitBytes, requireRepository } from "./run-git.ts";

/** One state per branch: any branch other than the approved one is a different state. */
const approvalKey = "git:push";

export const gitPush = (options: GitOptions) =>
  defineTool({
    name: "git_push",
    title: "Git push",
    description:
      "Push a branch to a configured remote, never by force. A person sees the commits and approves first.",
    category: "Git",
    input: z.object({
      remote: z.string().min(1).default("origin"),
      branch: z.string().min(1).optional().describe("Default: the current branch"),
      setUpstream: z.boolean().default(false),
    }),
    output: z.object({ remote: z.string(), branch: z.string(), output: z.string() }),
    can: ["run", "fetch"],
    approval: "ask",
    timeoutMs: 120_000,
    effects: async ({ remote, branch }, context) => {
      // By its name: a rule that allows one branch must not allow whichever is checked out later.
      const name = await branchOf(branch, context, options).catch(() => branch ?? "HEAD");
      return [
        { kind: "run", command: `git push ${remote} ${name}`, network: "full" },
        ...effectsOfPush(addressesOf(await remotesReached(remote, context, options))),
      ];
    },
    sends: async ({ remote, branch }, context) => {
      const name = await branchOf(branch, context, options).catch(() => undefined);
      // A branch that is not there cannot be pushed: the call fails, with a sentence.
      return name === undefined ? "" : commitsToSend(remote, name, context, options);
    },
    preview: async (input, context) => {
      await requireRepository(context, options);
      const remote = await knownRemote(input.remote, context, options);
      const branch = await branchOf(input.branch, context, options);
      const { urls, state, known } = await whatWouldGo(remote, branch, context, options);
      const range = [...(known === "" ? [] : [`^${known}`]), `refs/heads/${branch}`];
      const commits = await git(
        ["log", "--oneline", "--no-color", "--max-count=50", ...range, "--"],
        context,
        options,
      );
      const fetched = (await remotesReached(remote, context, options)).filter((url) => !urls.includes(url));
      const notes = [
        ...urls.map((url) => `to ${url}`),
        ...fetched.map((url) => `git may fetch what this clone left out from ${url}`),
        ...(known === "" ? [`(new branch ${branch})`] : []),
        ...commits.trim().split("\n").filter(Boolean),
      ];
      return {
        summary: `push ${branch} to ${remote}`,
        files: [],
        seen: new Map([[approvalKey, state]]),
        notes,
      };
    },
    execute: async (input, context) => {
      await requireRepository(context, options);
      const remote = await knownRemote(input.remote, context, options);
      const branch = await branchOf(input.branch, context, options);
      const { urls, head, state, known } = await whatWouldGo(remote, branch, context, options);
      const approved = context.approved.get(approvalKey);
      if (approved !== undefined && approved !== state) {
        const message = `The branch, its commit or the addresses of ${remote} changed since the push was approved.`;
        throw new Failure("CONFLICT", message, { stale: [branch] });
      }
      const flags = ["--porcelain", "--no-recurse-submodules", "--no-follow-tags"];
      // A repository on this machine runs its own hooks when it is pushed to, and it may lie in the workspace.
      const transports = ["https", "http", "ssh", "git", ...(options.trusted() ? ["file"] : [])];
      const ref = `refs/heads/${branch}`;
      // The commit itself, not the branch, which may have moved on since it was looked at.
      const target = `${head}:${ref}`;
      if (known !== "") await requireForward(known, head, branch, context, options);
      const pushed = `${ref} ${head} ${ref} ${known || "0".repeat(head.length)}\n`;
      await runPushHook({ name: remote, url: urls[0] ?? "" }, pushed, context, options);
      const hooks = (await ownHooksFolder(context, options)) === undefined;
      // The remote must be where the question began to count: a reference that was moved here would hide commits from it.
      const lease = `--force-with-lease=${ref}:${known}`;
      const settings = await pinned(addressesOf(await remotesReached(remote, context, options)));
      const text = await git(["push", ...flags, lease, "--", remote, target], context, options, {
        ...{ hooks, transports, settings },
      }).catch((error: Error) => {
        if (/failed to push some refs/.test(error.message)) {
          const message = `${remote} did not take the push, so nothing was pushed: its ${branch} is not where refs/remotes/${remote}/${branch} says, or it refuses it. Fetch first, then push again.`;
          throw new Failure("CONFLICT", message, { output: error.message });
        }
        if (!/transport 'file' not allowed/.test(error.message)) throw error;
        const message = `${remote} is a repository on this machine, which can run programs when it is pushed to. A person can allow it with: wield trust`;
        throw new Failure("PERMISSION_DENIED", message);
      });
      if (input.setUpstream) await setUpstream(remote, branch, context, options);
      return { remote, branch, output: text.trim() };
    },
    render: ({ remote, branch, output }) => `Pushed ${branch} to ${remote}.\n${output}`,
    examples: [{ title: "The current branch", input: {} }],
  });

/** Nobody reviews more than this before each push. */
const mostSent = 200_000;

/** Messages and changes of the commits that the remote does not have; undefined where they are too many. */
async function commitsToSend(
  remote: string,
  branch: string,
  context: Parameters<typeof git>[1],
  options: GitOptions,
): Promise<string | undefined> {
  // As text and with merges: neither attributes nor a merge hide what a commit holds.
  const shown = ["--patch", "--text", "-m", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv"];
  // Only what the push makes sure of is left out: other references may have been moved to hide commits.
  const known = await knownOf(remote, branch, context, options);
  const range = [`refs/heads/${branch}`, ...(known === "" ? [] : [`^${known}`]), "--"];
  const args = ["log", "--format=%an <%ae>%n%B", ...shown, ...range];
  const log = await gitBytes(args, context, options, mostSent).catch(() => undefined);
  return log && `${branch}\n${log.toString("utf8")}`;
}

/**
 * What a push may contact, so that rules about hosts hold for it: where it goes, and where git fetches what a partial clone left
 * out. A remote that does not exist fails later, with a sentence.
 */
async function remotesReached(
  remote: string,
  context: Parameters<typeof git>[1],
  options: GitOptions,
): Promise<string[]> {
  const ask = (args: string[]) => git(args, context, options).catch(() => "");
  const settings = await ask([
    "config",
    "--get-regexp",
    String.raw`^(remote\..*\.promisor|extensions\.partialclone)$`,
  ]);
  const promisors = settings.split("\n").flatMap((line) => {
    const [, name] =
      /^remote\.(.*)\.promisor(?: true)?$/.exec(line) ?? /^extensions\.partialclone (.*)$/.exec(line) ?? [];
    return name ?? [];
  });
  const urls = [
    await ask(["remote", "get-url", "--push", "--all", "--", remote]),
    ...(await Promise.all(promisors.map((name) => ask(["remote", "get-url", "--all", "--", name])))),
  ];
  return [...new Set(urls.join("\n").split("\n").filter(Boolean))];
}

/** Every address the push goes to, and what the approval is bound to. */
async function whatWouldGo(
  remote: string,
  branch: string,
  context: Parameters<typeof git>[1],
  options: GitOptions,
): Promise<{ urls: string[]; head: string; known: string; state: string }> {
  const urls = (await git(["remote", "get-url", "--push", "--all", remote], context, options)).trim();
  const head = (await git(["rev-parse", `refs/heads/${branch}`], context, options)).trim();
  const known = await knownOf(remote, branch, context, options);
  return { urls: urls.split("\n"), head, known, state: sha256(`${branch}\0${head}\0${known}\0${urls}`) };
}

/** Where the branch of the remote was when it was last heard of; empty for a new one. */
async function knownOf(
  remote: string,
  branch: string,
  context: Parameters<typeof git>[1],
  options: GitOptions,
): Promise<string> {
  const ref = `refs/remotes/${remote}/${branch}`;
  return git(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`], context, options)
    .then((hash) => hash.trim())
    .catch(() => "");
}

/** Never by force: what the remote has must be a part of what it gets. */
async function requireForward(
  known: string,
  head: string,
  branch: string,
  context: Parameters<typeof git>[1],
  options: GitOptions,
): Promise<void> {
  const base = await git(["merge-base", known, head], context, options).catch(() => "");
  if (base.trim() === known) return;
  const message = `The remote's ${branch} has commits that are not in yours, and a push never removes commits. Fetch and merge them first.`;
  throw new Failure("CONFLICT", message);
}

/** What `git push --set-upstream` does, which it leaves out when a commit is pushed by its hash. */
async function setUpstream(
  remote: string,
  branch: string,
  context: Parameters<typeof git>[1],
  options: GitOptions,
): Promise<void> {
  const set = (key: string, value: string) =>
    git(["config", "--local", "--replace-all", `branch.${branch}.${key}`, value], context, options);
  await set("remote", remote);
  await set("merge", `refs/heads/${branch}`);
}
