import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { sha256 } from "../../text/digest.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { FilePreview, ToolContext } from "../../tool/tool.ts";
import { agentCommit, type Convention, conventionOf } from "./commit-convention.ts";
import { type DiffPart, diffParts } from "./git-diff.ts";
import { parseStatus } from "./git-status.ts";
import { ownHooksFolder, runCommitHooks } from "./hooks.ts";
import { namesOf } from "./raw-changes.ts";
import { type GitOptions, git, requireRepository } from "./run-git.ts";

interface Input {
  message: string;
  paths?: string[] | undefined;
}

export const gitCommit = (options: GitOptions) =>
  defineTool({
    name: "git_commit",
    title: "Git commit",
    description:
      "Commit to the git repository: what is staged, or exactly the given paths (new files included). A person sees the diff and approves first.",
    category: "Git",
    input: z.object({
      message: z.string().trim().min(1),
      paths: z
        .array(pathInput("File or directory"))
        .min(1)
        .optional()
        .describe("Commit these instead of what is staged"),
    }),
    output: z.object({
      hash: z.string(),
      branch: z.string().nullable(),
      files: z.array(z.string()),
      notes: z.array(z.string()),
    }),
    can: ["run"],
    approval: "ask",
    effects: ({ message, paths = [] }) => [
      {
        kind: "run",
        command: ["git commit -m", JSON.stringify(message), ...paths].join(" "),
        network: "off",
      },
    ],
    preview: async (input, context) => {
      const { parts, files, state } = await whatWouldGo(input, context, options);
      const notes = [
        ...(options.trusted() ? [] : ["Hooks do not run: this workspace is not trusted."]),
        ...deviation(await conventionOf(context, options), input.message),
      ];
      return {
        summary: `commit: ${input.message.split("\n")[0]}`,
        files: previewsOf(parts, files),
        seen: new Map([["git", state]]),
        notes,
      };
    },
    execute: async (input, context) => {
      const { files, state } = await whatWouldGo(input, context, options);
      const approved = context.approved.get("git");
      if (approved !== undefined && approved !== state) {
        throw new Failure("CONFLICT", "What would be committed changed since it was approved.", {
          stale: ["git"],
        });
      }
      const convention = deviation(await conventionOf(context, options), input.message);
      const only = input.paths ? ["--", ...input.paths] : [];
      if (input.paths) await git(["add", "--all", ...only], context, options);
      const { message, hooks: own } = await runCommitHooks(input.message, context, options);
      // Hooks of the workspace have run already, confined.
      const hooks = (await ownHooksFolder(context, options)) === undefined;
      await git(["commit", "--quiet", "--file=-", ...only], context, options, {
        input: message,
        hooks,
        reflogAction: agentCommit,
      });
      const hash = (await git(["rev-parse", "HEAD"], context, options)).trim();
      const branch = (await git(["branch", "--show-current"], context, options)).trim();
      const notes = [...convention, ...hooksTold(own, options.trusted())];
      return { hash, branch: branch || null, files, notes };
    },
    render: ({ hash, branch, files, notes }) => {
      const head = `Committed ${hash.slice(0, 9)} on ${branch ?? "a detached HEAD"}: ${namesOf(files.map(visibleLine))}`;
      return [head, ...notes].join("\n");
    },
    examples: [
      {
        title: "Two files",
        input: { message: "fix: handle empty input", paths: ["src/a.ts", "src/a.test.ts"] },
      },
    ],
  });

/** Whether the repository's commit hooks ran; empty if it has none. */
function hooksTold(hooks: readonly string[], isTrusted: boolean): string[] {
  if (hooks.length === 0) return [];
  const names = hooks.join(", ");
  return [
    isTrusted
      ? `Hooks ran and passed: ${names}.`
      : `Hooks did not run (${names}): this workspace is not trusted.`,
  ];
}

function deviation(convention: Convention | undefined, message: string): string[] {
  if (!convention || convention.fits(message)) return [];
  return [`The message is unlike the other commits here, which have ${convention.description}.`];
}

/** The diff that the commit would record, found without touching the index. */
async function whatWouldGo({ paths }: Input, context: ToolContext, options: GitOptions) {
  await requireRepository(context, options);
  const only = ["--", ...(paths ?? [])];
  const status = parseStatus(
    await git(["status", "--porcelain=v2", "-z", "--untracked-files=all", ...only], context, options),
  );
  const going = status.files.filter(
    (file) => paths !== undefined || (file.staged !== "." && file.staged !== "?"),
  );
  if (going.length === 0) {
    throw new Failure(
      "INVALID_INPUT",
      paths ? "Nothing has changed in these paths." : "Nothing is staged. Name the paths to commit.",
    );
  }
  const hidden = going.filter(({ path, from = path }) => !context.mayRead(path) || !context.mayRead(from));
  if (hidden.length > 0) {
    const message = `The person's rules hide what would go with it (changed files: ${hidden.length}). Name the paths to commit without them.`;
    throw new Failure("APPROVAL_DENIED", message);
  }
  await requireIdentity(context, options);
  const head = await git(["rev-parse", "--verify", "--quiet", "HEAD"], context, options).catch(() => "");
  const base = paths && head !== "" ? ["HEAD"] : ["--cached"];
  const parts = await diffParts([...base, ...only], context, options);
  const untracked = going.filter((file) => file.unstaged === "?").map((file) => file.path);
  const contents = await Promise.all(
    untracked.map(async (path) => `${path}\0${(await context.workspace.read(path)).fingerprint}`),
  );
  const state = sha256([head, ...parts.map(({ text }) => text), ...contents].join("\0"));
  return { parts, files: going.map((file) => file.path), state };
}

/** A commit needs a name and an email address, which only the person can provide. */
async function requireIdentity(context: ToolContext, options: GitOptions): Promise<void> {
  try {
    await git(["var", "GIT_COMMITTER_IDENT"], context, options);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "ABORTED") throw error;
    throw new Failure(
      "UNAVAILABLE",
      'Git does not know who commits here, and only the person can say so: git config --global user.name "…" and git config --global user.email "…". Nothing was staged or committed; say in your answer what is left to commit.',
    );
  }
}

/** One preview a file; new files that git does not know yet have no diff. */
function previewsOf(parts: readonly DiffPart[], files: readonly string[]): FilePreview[] {
  const compared = new Set(parts.map(({ path }) => path));
  const unknown = files.filter((path) => !compared.has(path));
  return [
    ...parts.map(({ path, added, removed, text }) => ({
      path,
      change: kindOf(text),
      diff: text.slice(Math.max(0, text.indexOf("\n--- ") + 1)),
      added,
      removed,
    })),
    ...unknown.map((path) => ({ path, change: "create" as const, diff: "", added: 0, removed: 0 })),
  ];
}

function kindOf(part: string): FilePreview["change"] {
  if (/^new file mode/m.test(part)) return "create";
  return /^deleted file mode/m.test(part) ? "delete" : "modify";
}
