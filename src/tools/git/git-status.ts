import { z } from "zod";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { conventionOf } from "./commit-convention.ts";
import { type GitOptions, git, leftOutFiles, requireRepository } from "./run-git.ts";

/** Shown where not all fit. */
const mostLines = 100;

const output = z.object({
  branch: z.string().nullable().describe("Null when HEAD is detached"),
  upstream: z.string().nullable(),
  ahead: z.number(),
  behind: z.number(),
  files: z.array(
    z.object({
      path: z.string(),
      from: z.string().optional().describe("Old path of a rename"),
      staged: z.string().describe("Letter of git: M, A, D, R, C, or . for none"),
      unstaged: z.string().describe("The same for the working tree; ? when untracked"),
    }),
  ),
  leftOut: z.number().describe("Changed files that the person's rules hide"),
  convention: z.string().optional().describe("What commit messages look like here"),
});
type Status = Omit<z.infer<typeof output>, "leftOut" | "convention">;

export const gitStatus = (options: GitOptions) =>
  defineTool({
    name: "git_status",
    title: "Git status",
    description:
      "Branch, upstream, and every changed, staged or untracked file of the workspace's git repository.",
    category: "Git",
    input: z.object({}),
    output,
    can: ["read"],
    idempotent: true,
    effects: () => [{ kind: "read", path: "." }],
    execute: async (_input, context) => {
      await requireRepository(context, options);
      const status = parseStatus(await git(["status", "--porcelain=v2", "--branch", "-z"], context, options));
      const files = status.files.filter(
        ({ path, from = path }) => context.mayRead(path) && context.mayRead(from),
      );
      const convention = files.length > 0 ? await conventionOf(context, options) : undefined;
      return {
        ...status,
        files,
        leftOut: status.files.length - files.length,
        ...(convention && { convention: convention.description }),
      };
    },
    render: (status) => {
      const where = status.branch ?? "(detached HEAD)";
      const distance = status.upstream
        ? ` → ${status.upstream} (${status.ahead} ahead, ${status.behind} behind)`
        : "";
      const lines = status.files.map(
        ({ path, from, staged, unstaged }) =>
          `${staged}${unstaged} ${from ? `${visibleLine(from)} → ` : ""}${visibleLine(path)}`,
      );
      const { leftOut } = status;
      const rest = leftOut > 0 ? [leftOutFiles(leftOut)] : lines.length > 0 ? [] : ["Nothing to commit."];
      const convention = status.convention
        ? [`Commit messages here have ${visibleLine(status.convention)}.`]
        : [];
      const text = (shown: readonly string[]) =>
        [`On ${where}${distance}`, ...shown, ...rest, ...convention].join("\n");
      const more = lines.length - mostLines;
      return [
        text(lines),
        () => text([...lines.slice(0, mostLines), ...(more > 0 ? [`… ${more} more files`] : [])]),
      ];
    },
    examples: [{ title: "What changed", input: {} }],
  });

/** Format v2 with NUL: headers, then `1`, `2` (rename, its old path in the next field), `u`, `?`. */
export function parseStatus(text: string): Status {
  const status: Status = { branch: null, upstream: null, ahead: 0, behind: 0, files: [] };
  const fields = text.split("\0");
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] ?? "";
    const words = field.split(" ");
    const [kind, second = ""] = words;
    if (kind === "#") {
      const value = words.slice(2).join(" ");
      if (second === "branch.head") status.branch = value === "(detached)" ? null : value;
      if (second === "branch.upstream") status.upstream = value;
      if (second === "branch.ab")
        [status.ahead = 0, status.behind = 0] = words.slice(2).map((n) => Math.abs(Number(n)));
    } else if (kind === "?") {
      status.files.push({ path: field.slice(2), staged: ".", unstaged: "?" });
    } else if (kind === "1" || kind === "2" || kind === "u") {
      const path = words.slice({ "1": 8, "2": 9, u: 10 }[kind]).join(" ");
      const from = kind === "2" ? fields[++i] : undefined;
      status.files.push({
        path,
        ...(from !== undefined && { from }),
        staged: second[0] ?? ".",
        unstaged: second[1] ?? ".",
      });
    }
  }
  return status;
}
