import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineChangeTool, type NotedOperations } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { FileOperation } from "../../workspace/workspace.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "../files/applied-diff.ts";
import { type RawChange, rawChanges } from "./raw-changes.ts";
import { commitsOf, type GitOptions, gitBytes, requireRepository } from "./run-git.ts";

const maxFiles = 500;
const maxFileBytes = 64 * 1024 * 1024;

interface Input {
  paths: string[];
  revision?: string | undefined;
}

export const gitRestore = (options: GitOptions) =>
  defineChangeTool({
    name: "git_restore",
    title: "Git restore",
    description:
      "Bring files back to how they are in the index, or in a commit: discards changes of tracked files. Untracked files stay. The change is in the journal, so undo takes it back.",
    category: "Git",
    loading: "deferred",
    input: z.object({
      paths: z.array(pathInput("File or directory")).min(1),
      revision: z.string().min(1).optional().describe("Commit or branch; default: the index"),
    }),
    output: appliedDiff,
    approval: "ask",
    operations: (input, context) => toOperations(input, context, options),
    describe: ({ paths, revision }) => `restore ${paths.join(", ")} from ${revision ?? "the index"}`,
    value: appliedDiffOf,
    render: renderApplied,
    examples: [{ title: "Discard the changes of a file", input: { paths: ["src/app.ts"] } }],
  });

/** The contents come from git, the files are written like any other change: shown, judged, in the journal. */
async function toOperations(
  { paths, revision }: Input,
  context: ToolContext,
  options: GitOptions,
): Promise<NotedOperations> {
  await requireRepository(context, options);
  const source = revision === undefined ? [] : [await commitsOf(revision, context, options)];
  const changes = await rawChanges([...source, "--", ...paths], context, options);
  if (changes.length === 0) {
    const where = revision === undefined ? "the index" : revision;
    throw new Failure("INVALID_INPUT", `Nothing in ${paths.join(", ")} differs from ${where}.`);
  }
  if (changes.length > maxFiles) {
    const message = `${changes.length} files differ, and at most ${maxFiles} are restored at once. Name fewer paths.`;
    throw new Failure("LIMIT_EXCEEDED", message);
  }
  const unmerged = changes.find(({ kind }) => kind === "U");
  if (unmerged) {
    const message = `${unmerged.path} has a conflict of a merge: restore it from a commit, such as HEAD.`;
    throw new Failure("CONFLICT", message);
  }
  const operations: FileOperation[] = [];
  const notes: string[] = [];
  for (const change of changes) {
    if (change.oldMode === "160000") notes.push(`${change.path} is a submodule: it stays as it is.`);
    else operations.push(await operationFor(change, context, options));
  }
  return { operations, notes };
}

async function operationFor(
  { path, kind, oldMode, oldId }: RawChange,
  context: ToolContext,
  options: GitOptions,
): Promise<FileOperation> {
  if (kind === "A") return { op: "delete", path };
  // With the line endings that the repository's attributes ask for.
  const args = ["cat-file", "--filters", `--path=${path}`, oldId];
  if (oldMode === "120000") {
    const target = await gitBytes(["cat-file", "blob", oldId], context, options, 4096);
    return { op: "link", path, target: target.toString(), createDirs: true };
  }
  const bytes = await gitBytes(args, context, options, maxFileBytes);
  return { op: "write", path, bytes, mode: oldMode === "100755" ? 0o755 : 0o644, createDirs: true };
}
