import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import {
  commitsOf,
  type GitOptions,
  git,
  leftOutFiles,
  plainDiff,
  requireRepository,
  withoutIds,
} from "./run-git.ts";

export const gitDiff = (options: GitOptions) =>
  defineTool({
    name: "git_diff",
    title: "Git diff",
    description:
      "Differences in the git repository: of the working tree (default), of what is staged, or of a revision or range such as HEAD~1 or main..HEAD; of everything or of one path.",
    category: "Git",
    input: z.object({
      path: pathInput("Only this file or directory").optional(),
      staged: z.boolean().default(false),
      revision: z.string().min(1).optional().describe("Commit, branch or range"),
    }),
    output: z.object({
      diff: z.string(),
      files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number() })),
      leftOut: z.number().describe("Files that the person's rules hide"),
    }),
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path: path ?? "." }],
    execute: async ({ path, staged, revision }, context) => {
      await requireRepository(context, options);
      const what = [
        ...(staged ? ["--cached"] : []),
        ...(revision === undefined ? [] : [await commitsOf(revision, context, options)]),
        ...["--", ...(path === undefined ? [] : [path])],
      ];
      const all = await changedFiles(what, context, options);
      const files = all
        .filter((file) => context.mayRead(file.path))
        .map(({ path: file, added, removed }) => ({ path: file, added, removed }));
      // Renames are reported only if nothing is hidden: a part would concern two files.
      if (files.length === all.length)
        return { diff: await git([...plainDiff, ...what], context, options), files, leftOut: 0 };
      const parts = await diffParts(what, context, options);
      const shown = parts.filter(({ path: file }) => context.mayRead(file));
      return {
        diff: shown.map(({ text }) => text).join(""),
        files,
        leftOut: parts.length - shown.length,
      };
    },
    render: ({ diff, files, leftOut }) => {
      const hidden = leftOut === 0 ? [] : [`(${leftOutFiles(leftOut)})`];
      if (files.length === 0) return ["No differences.", ...hidden].join("\n");
      const summary = files.map(({ path, added, removed }) => `${path} (+${added} −${removed})`);
      const short = ["Too long to show whole; name one path to see its diff:", ...summary];
      return [[...hidden, withoutIds(diff)].join("\n"), [...hidden, ...short].join("\n")];
    },
    examples: [
      { title: "Not yet staged", input: {} },
      { title: "One file since main", input: { path: "src/app.ts", revision: "main..HEAD" } },
    ],
  });

type Context = Pick<ToolContext, "run" | "workspace">;

interface ChangedFile {
  path: string;
  added: number;
  removed: number;
}

export interface DiffPart extends ChangedFile {
  text: string;
}

/** A diff file by file. Git lists the parts in the order of its numbers; names are taken from those, never from the text. */
export async function diffParts(
  what: readonly string[],
  context: Context,
  options: GitOptions,
): Promise<DiffPart[]> {
  const files = await changedFiles(what, context, options);
  const whole = await git([...plainDiff, "--no-renames", ...what], context, options);
  const texts = whole.split(/^(?=diff --)/m).filter((text) => text !== "");
  const parts = files.map(({ kind, ...file }) => ({
    ...file,
    // A file that became a link is reported as one removed and one added.
    text: texts.splice(0, kind === "T" ? 2 : 1).join(""),
  }));
  // Files with conflicts have a different order and format.
  if (texts.length > 0 || parts.some(({ text }) => text === "") || files.some(({ kind }) => kind === "U")) {
    const message = "Git's diff cannot be told apart by file here. Finish the merge, or name one path.";
    throw new Failure("CONFLICT", message);
  }
  return parts;
}

/** With git's letter for the kind of change: M, A, D, T (of type), U (not merged). */
async function changedFiles(
  what: readonly string[],
  context: Context,
  options: GitOptions,
): Promise<(ChangedFile & { kind: string })[]> {
  const ask = ["--raw", "--numstat", "-z", "--no-renames"];
  const fields = (await git([...plainDiff, ...ask, ...what], context, options)).split("\0").slice(0, -1);
  // First a head and a path for each, then all numbers in the same order.
  const count = fields.length / 3;
  return Array.from({ length: count }, (_, at) => {
    const kind = fields[2 * at]?.at(-1) ?? "";
    const [added = "", removed = "", ...path] = (fields[2 * count + at] ?? "").split("\t");
    return { kind, path: path.join("\t"), added: Number(added) || 0, removed: Number(removed) || 0 };
  });
}
