import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";
import { checkRevision, type GitOptions, git, requireRepository } from "./git.ts";
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
        ...(revision === undefined ? [] : [checkRevision(revision)]),
      ];
      const where = ["--", ...(path === undefined ? [] : [path])];
      const plain = ["diff", "--no-ext-diff", "--no-textconv", "--no-color"];
      const inFull = async (...renames: string[]) =>
        git([...plain, ...renames, ...what, ...where], context, options);
      const numbers = await git(
        [...plain, "--numstat", "-z", "--no-renames", ...what, ...where],
        context,
        options,
      );
      const all = parseNumstat(numbers);
      const files = all.filter((file) => context.mayRead(file.path));
      if (files.length === all.length) return { diff: await inFull(), files };
      return { diff: partsOf(await inFull("--no-renames"), all, files), files };
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

/** Git lists the parts of a diff in the order of its numbers; if it ever did not, nothing is shown. */
function partsOf<T>(diff: string, all: readonly T[], wanted: readonly T[]): string {
  const parts = diff.split(/^(?=diff --)/m).filter((part) => part !== "");
  if (parts.length !== all.length) return "";
  return parts.filter((_, at) => wanted.includes(all[at] as T)).join("");
}

function parseNumstat(text: string): { path: string; added: number; removed: number }[] {
  return text
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const [added = "", removed = "", ...path] = record.split("\t");
      return { path: path.join("\t"), added: Number(added) || 0, removed: Number(removed) || 0 };
    });
}
