import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { commitsOf, type GitOptions, git, requireRepository } from "./run-git.ts";

const block = z.object({
  startLine: z.number(),
  endLine: z.number(),
  hash: z.string().describe("Zeros for lines that are not committed"),
  author: z.string(),
  date: z.string(),
  subject: z.string(),
});
type Block = z.infer<typeof block>;

export const gitBlame = (options: GitOptions) =>
  defineTool({
    name: "git_blame",
    title: "Git blame",
    description:
      "Which commit last changed each line of a file: hash, author, date, subject for every block of lines.",
    category: "Git",
    loading: "deferred",
    input: z.object({
      path: pathInput("File"),
      startLine: z.int().min(1).default(1),
      endLine: z.int().min(1).optional().describe("Default: the last line"),
      revision: z.string().min(1).optional().describe("The file as of this commit; default: as it is now"),
    }),
    output: z.object({ path: z.string(), blocks: z.array(block) }),
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ path, startLine, endLine, revision }, context) => {
      await requireRepository(context, options);
      if (endLine !== undefined && endLine < startLine)
        throw new Failure("INVALID_INPUT", `endLine ${endLine} is before startLine ${startLine}.`);
      const ignored = await ignoredRevisions(context, options);
      const at = revision === undefined ? [] : [await commitsOf(revision, context, options)];
      const range = `${startLine},${endLine ?? ""}`;
      const ignore = ["--no-ignore-revs-file", "--ignore-revs-file=/dev/stdin"];
      const args = ["blame", "--porcelain", "--no-textconv", ...ignore, "-L", range, ...at, "--", path];
      const text = await git(args, context, options, { input: ignored, keepBytes: 32 * 1024 * 1024 });
      return { path, blocks: parseBlame(text) };
    },
    render: ({ blocks }) => {
      const line = ({ startLine, endLine, hash, author, date, subject }: Block) => {
        const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
        return /^0+$/.test(hash)
          ? `${lines}: not committed yet`
          : `${lines}: ${hash.slice(0, 9)} ${date} ${visibleLine(author)}: ${visibleLine(subject)}`;
      };
      const seen = new Set<string>();
      const once = (each: Block) => {
        const known = seen.has(each.hash);
        seen.add(each.hash);
        const { startLine, endLine } = each;
        return known
          ? `${startLine === endLine ? startLine : `${startLine}-${endLine}`}: ${each.hash.slice(0, 9)}`
          : line(each);
      };
      return blocks.length === 0 ? "No lines." : blocks.map(once).join("\n");
    },
    examples: [{ title: "Ten lines", input: { path: "src/app.ts", startLine: 40, endLine: 50 } }],
  });

/**
 * The commits in files that `blame.ignoreRevsFile` names. Git itself would read any file there and repeat a line of it in an error:
 * only files of the workspace count, and of them only what can be a commit.
 */
async function ignoredRevisions(context: ToolContext, options: GitOptions): Promise<string> {
  const args = ["config", "--null", "--get-all", "blame.ignoreRevsFile"];
  const names = (await git(args, context, options).catch(() => "")).split("\0").filter(Boolean);
  const files = names.map(async (name) => {
    const entry = await context.workspace.resolve(name).catch(() => undefined);
    if (entry?.type !== "file" || entry.path !== name || !context.mayRead(name)) return [];
    const { bytes } = await context.workspace.read(name);
    return bytes.toString("latin1").match(/^(?:[0-9a-f]{40}|[0-9a-f]{64})\b/gm) ?? [];
  });
  return (await Promise.all(files))
    .flat()
    .map((revision) => `${revision}\n`)
    .join("");
}

/** A head line for each line; what a commit is comes with its first line only. */
function parseBlame(text: string): Block[] {
  const commits = new Map<string, { author: string; date: string; subject: string }>();
  const blocks: Block[] = [];
  let hash = "";
  let number = 0;
  let about = { author: "", date: "", subject: "" };
  for (const line of text.split("\n")) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line);
    if (head && !line.startsWith("\t")) {
      [hash, number] = [head[1] ?? "", Number(head[2])];
      about = commits.get(hash) ?? { author: "", date: "", subject: "" };
      commits.set(hash, about);
    } else if (line.startsWith("author ")) about.author = line.slice(7);
    else if (line.startsWith("author-time "))
      about.date = new Date(Number(line.slice(12)) * 1000).toISOString().slice(0, 10);
    else if (line.startsWith("summary ")) about.subject = line.slice(8);
    else if (line.startsWith("\t")) {
      const last = blocks.at(-1);
      if (last?.hash === hash && last.endLine === number - 1) last.endLine = number;
      else blocks.push({ startLine: number, endLine: number, hash, ...about });
    }
  }
  return blocks;
}
