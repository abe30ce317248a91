import { z } from "zod";
import { Failure } from "../events/failure.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { ToolContext } from "../tool/tool.ts";
import { commitsOf, type GitOptions, git, plainDiff, requireRepository } from "./git.ts";
import { pathInput } from "./path-input.ts";

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
      const all = await numbersOf(what, context, options);
      const files = all.filter((file) => context.mayRead(file.path));
      // Renames are told only where nothing is hidden: a part would be about two files.
      if (files.length === all.length)
        return { diff: await git([...plainDiff, ...what], context, options), files };
      const parts = await diffParts(what, context, options);
      const diff = parts.filter(({ path: file }) => context.mayRead(file)).map(({ text }) => text);
      return { diff: diff.join(""), files };
    },
    render: ({ diff, files }) => {
      if (files.length === 0) return "No differences.";
      const summary = files.map(({ path, added, removed }) => `${path} (+${added} −${removed})`);
      return [diff, `Too long to show whole; name one path to see its diff:\n${summary.join("\n")}`];
    },
    examples: [
      { title: "Not yet staged", input: {} },
      { title: "One file since main", input: { path: "src/app.ts", revision: "main..HEAD" } },
    ],
  });

type Context = Pick<ToolContext, "run" | "workspace">;

interface Numbers {
  path: string;
  added: number;
  removed: number;
}

export interface DiffPart extends Numbers {
  text: string;
}

/** A diff file by file. Git lists the parts in the order of its numbers; names are taken from those, never from the text. */
export async function diffParts(
  what: readonly string[],
  context: Context,
  options: GitOptions,
): Promise<DiffPart[]> {
  const files = await numbersOf(what, context, options);
  const whole = await git([...plainDiff, "--no-renames", ...what], context, options);
  const parts = whole.split(/^(?=diff --)/m).filter((part) => part !== "");
  if (parts.length !== files.length) {
    const message = "Git's diff cannot be told apart by file here. Finish the merge, or name one path.";
    throw new Failure("CONFLICT", message);
  }
  return files.map((file, at) => ({ ...file, text: parts[at] ?? "" }));
}

async function numbersOf(what: readonly string[], context: Context, options: GitOptions): Promise<Numbers[]> {
  return parseNumstat(
    await git([...plainDiff, "--numstat", "-z", "--no-renames", ...what], context, options),
  );
}

function parseNumstat(text: string): Numbers[] {
  return text
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const [added = "", removed = "", ...path] = record.split("\t");
      return { path: path.join("\t"), added: Number(added) || 0, removed: Number(removed) || 0 };
    });
}
