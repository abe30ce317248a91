import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { sha256 } from "../../text/digest.ts";
import { fenceUntrusted } from "../../text/untrusted.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { forgeOf, type PullRequest, pullRequest } from "./forge.ts";
import { branchOf, knownRemote } from "./remotes.ts";
import { type GitContext, type GitOptions, git, requireRepository } from "./run-git.ts";

const input = z.object({
  action: z.enum(["create", "list", "view"]).default("list"),
  title: z.string().trim().min(1).max(256).optional().describe("For create"),
  body: z.string().optional().describe("For create, in Markdown"),
  branch: z.string().min(1).optional().describe("For create: the pushed branch; default: the current one"),
  base: z.string().min(1).optional().describe("For create; default: the repository's main branch"),
  draft: z.boolean().default(false),
  number: z.int().min(1).optional().describe("For view"),
  remote: z.string().min(1).default("origin"),
});
type Input = z.infer<typeof input>;

export const pullRequestTool = (options: GitOptions) =>
  defineTool({
    name: "pull_request",
    title: "Pull request",
    description:
      "List, view or create pull requests on GitHub or merge requests on GitLab, for the repository of a remote. Push the branch first.",
    category: "Git",
    loading: "deferred",
    input,
    output: z.object({ requests: z.array(pullRequest), created: z.boolean() }),
    can: ["fetch"],
    approval: "ask",
    effects: async (given, context) => {
      const { url } = await place(given, context, options);
      return [{ kind: "fetch", url, method: given.action === "create" ? "POST" : "GET" }];
    },
    preview: async (given, context) => {
      const forge = await place(given, context, options);
      if (given.action !== "create")
        return {
          summary: `${given.action} pull requests of ${forge.repository}`,
          files: [],
          seen: new Map(),
          notes: [],
        };
      const { title, branch, state } = await newRequest(given, context, options);
      return {
        summary: `create a pull request on ${forge.kind}, ${forge.repository}: ${title}`,
        files: [],
        seen: new Map([["git:pull-request", sha256(`${state} ${forge.url}`)]]),
        notes: [
          `from ${branch} to ${given.base ?? "the main branch"}${given.draft ? ", as a draft" : ""}`,
          ...(given.body ? [given.body] : []),
          "It is visible to others at once, and undo does not take it back.",
        ],
      };
    },
    execute: async (given, context) => {
      const forge = await place(given, context, options);
      const { signal } = context;
      if (given.action === "list") return { requests: await forge.list(signal), created: false };
      if (given.action === "view") {
        if (given.number === undefined)
          throw new Failure("INVALID_INPUT", "Give the number of the pull request.");
        return { requests: [await forge.view(given.number, signal)], created: false };
      }
      const { title, branch, state } = await newRequest(given, context, options);
      const approved = context.approved.get("git:pull-request");
      if (approved !== undefined && approved !== sha256(`${state} ${forge.url}`))
        throw new Failure("CONFLICT", `${branch} changed since the pull request was approved.`, {
          stale: [branch],
        });
      const base = given.base ?? (await forge.defaultBranch(signal));
      if (base === branch)
        throw new Failure(
          "INVALID_INPUT",
          `${branch} is the branch to merge into. Commit on a separate branch and push that.`,
        );
      const request = { title, body: given.body ?? "", head: branch, base, draft: given.draft };
      return { requests: [await forge.create(request, signal)], created: true };
    },
    render: ({ requests, created }, { action }) => {
      const [first] = requests;
      if (!first) return "No open pull requests.";
      if (created)
        return `Created #${first.number} (${first.head} → ${first.base}): ${visibleLine(first.url)}`;
      const lines = requests.map(lineOf).join("\n");
      return fenceUntrusted(
        action === "view" ? `${lines}\n${first.url}\n\n${first.body}` : lines,
        "pull requests",
      );
    },
    examples: [
      { title: "Open ones", input: {} },
      {
        title: "For the current branch",
        input: { action: "create", title: "Handle empty input", body: "Fixes a crash on an empty file." },
      },
    ],
  });

function lineOf({ number, state, author, head, base, title }: PullRequest): string {
  return `#${number} ${state} ${visibleLine(author)} ${visibleLine(head)} → ${visibleLine(base)}: ${visibleLine(title)}`;
}

async function place({ remote }: Input, context: GitContext, options: GitOptions) {
  await requireRepository(context, options);
  return forgeOf(await knownRemote(remote, context, options), context, options);
}

async function newRequest({ title, branch: given }: Input, context: GitContext, options: GitOptions) {
  if (title === undefined) throw new Failure("INVALID_INPUT", "Give the title of the pull request.");
  const branch = await branchOf(given, context, options);
  return {
    title,
    branch,
    state: (await git(["rev-parse", `refs/heads/${branch}`], context, options)).trim(),
  };
}
