import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { sha256 } from "../../text/digest.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Effect } from "../../tool/effects.ts";
import { ownHooksFolder, runPushHook } from "./hooks.ts";
import { branchOf, knownRemote } from "./remotes.ts";
import { type GitOptions, git, gitBytes, requireRepository } from "./run-git.ts";

/** One for every branch: another branch than the approved one is another state. */
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
    effects: async ({ remote, branch }, context) => [
      { kind: "run", command: `git push ${remote} ${branch ?? "HEAD"}`, network: "full" },
      ...(await hostsOf(remote, context, options)),
    ],
    sends: async ({ remote, branch }, context) => {
      const name = await branchOf(branch, context, options).catch(() => undefined);
      // A branch that is not there cannot be pushed: the call fails, with a sentence.
      return name === undefined ? "" : commitsToSend(remote, name, context, options);
    },
    preview: async (input, context) => {
      await requireRepository(context, options);
      const remote = await knownRemote(input.remote, context, options);
      const branch = await branchOf(input.branch, context, options);
      const range = `refs/remotes/${remote}/${branch}..refs/heads/${branch}`;
      const commits = await git(
        ["log", "--oneline", "--no-color", "--max-count=50", range, "--"],
        context,
        options,
      ).catch(() => `(new branch ${branch})`);
      const { urls, state } = await whatWouldGo(remote, branch, context, options);
      const notes = [...urls.map((url) => `to ${url}`), ...commits.trim().split("\n").filter(Boolean)];
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
      const { urls, head, state } = await whatWouldGo(remote, branch, context, options);
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
      const known = await git(
        ["rev-parse", "--verify", "--quiet", `refs/remotes/${remote}/${branch}`],
        context,
        options,
      )
        .then((hash) => hash.trim())
        .catch(() => "0".repeat(head.length));
      const pushed = `${ref} ${head} ${ref} ${known}\n`;
      await runPushHook({ name: remote, url: urls[0] ?? "" }, pushed, context, options);
      const hooks = (await ownHooksFolder(context, options)) === undefined;
      const text = await git(["push", ...flags, "--", remote, target], context, options, {
        hooks,
        transports,
      }).catch((error: Error) => {
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

/** More than this nobody looks through before each push. */
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
  const range = [`refs/heads/${branch}`, "--not", `--remotes=${remote}`, "--"];
  const args = ["log", "--format=%an <%ae>%n%B", ...shown, ...range];
  const log = await gitBytes(args, context, options, mostSent).catch(() => undefined);
  return log && `${branch}\n${log.toString("utf8")}`;
}

/** Where a push goes, so that a rule about the host holds for it; a remote that does not exist fails later, with a sentence. */
async function hostsOf(
  remote: string,
  context: Parameters<typeof git>[1],
  options: GitOptions,
): Promise<Effect[]> {
  const text = await git(["remote", "get-url", "--push", "--all", "--", remote], context, options).catch(
    () => "",
  );
  const hosts = text.split("\n").flatMap((address) => {
    const [, short] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)/.exec(address) ?? [];
    return short ?? URL.parse(address)?.host ?? [];
  });
  const named = [...new Set(hosts)].filter((host) => host !== "");
  return named.map((host) => ({ kind: "fetch", url: `https://${host}/`, method: "POST" }));
}

/** Every address the push goes to, and what the approval is bound to. */
async function whatWouldGo(
  remote: string,
  branch: string,
  context: Parameters<typeof git>[1],
  options: GitOptions,
): Promise<{ urls: string[]; head: string; state: string }> {
  const urls = (await git(["remote", "get-url", "--push", "--all", remote], context, options)).trim();
  const head = (await git(["rev-parse", `refs/heads/${branch}`], context, options)).trim();
  return { urls: urls.split("\n"), head, state: sha256(`${branch}\0${head}\0${urls}`) };
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
