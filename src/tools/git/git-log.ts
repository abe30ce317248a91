import { z } from "zod";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import {
  checkRevision,
  commitsOf,
  type GitOptions,
  git,
  isSharedRepository,
  requireRepository,
} from "./run-git.ts";

export const gitLog = (options: GitOptions) =>
  defineTool({
    name: "git_log",
    title: "Git log",
    description:
      "Commits of the git repository, newest first: hash, author, date, subject; of one commit its whole message. Of everything or of one path.",
    category: "Git",
    input: z.object({
      path: pathInput("Only commits that touch this").optional(),
      revision: z.string().min(1).optional().describe("Branch, commit or range; default HEAD"),
      limit: z.int().min(1).max(500).default(20),
    }),
    output: z.object({
      commits: z.array(
        z.object({
          hash: z.string(),
          author: z.string(),
          date: z.string(),
          subject: z.string(),
          body: z.string(),
        }),
      ),
    }),
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path: path ?? "." }],
    execute: async ({ path, revision, limit }, context) => {
      await requireRepository(context, options);
      const rangeOf = isSharedRepository(options) ? commitsOf : checkRevision;
      const range = revision === undefined ? [] : [await rangeOf(revision, context, options)];
      const where = ["--", ...(path === undefined ? [] : [path])];
      const format = "--format=%H%x00%an%x00%aI%x00%s%x00%b%x00";
      const text = await git(
        ["log", format, `--max-count=${limit}`, "--no-color", ...range, ...where],
        context,
        options,
      ).catch((error: Error) => {
        if (/does not have any commits yet/.test(error.message)) return "";
        throw error;
      });
      const fields = text.split("\0");
      const commits = [];
      for (let i = 0; i + 4 < fields.length; i += 5) {
        const [hash = "", author = "", date = "", subject = "", body = ""] = fields.slice(i, i + 5);
        commits.push({ hash: hash.trim(), author, date, subject, body: body.trim() });
      }
      return { commits };
    },
    render: ({ commits }) => {
      if (commits.length === 0) return "No commits.";
      const line = ({ hash, author, date, subject }: (typeof commits)[number]) =>
        `${hash.slice(0, 9)} ${date.slice(0, 10)} ${visibleLine(author)}: ${visibleLine(subject)}`;
      const [only] = commits;
      // A list gives an overview; a single commit is requested for its full message.
      if (commits.length > 1 || !only?.body) return commits.map(line).join("\n");
      return [line(only), only.body.replaceAll(/^/gm, "    ")].join("\n");
    },
    examples: [{ title: "The last five commits", input: { limit: 5 } }],
  });
