import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { codeLines, numbered } from "../../text/code-lines.ts";
import { readText } from "../../text/encoding.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { diffParts } from "./git-diff.ts";
import {
  commitsOf,
  type GitOptions,
  git,
  gitBytes,
  leftOutFiles,
  requireRepository,
  withoutIds,
} from "./run-git.ts";

const maxFileBytes = 10 * 1024 * 1024;

export const gitShow = (options: GitOptions) =>
  defineTool({
    name: "git_show",
    title: "Git show",
    description: "A commit with its message and diff; with path, that file as it was in the commit.",
    category: "Git",
    loading: "deferred",
    input: z.object({
      revision: z.string().min(1).default("HEAD").describe("Commit, tag or branch"),
      path: pathInput("Show this file as it was").optional(),
      stat: z.boolean().default(false).describe("Message and changed files only, without the diff"),
    }),
    output: z.object({
      hash: z.string(),
      author: z.string(),
      date: z.string(),
      message: z.string(),
      files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number() })),
      diff: z.string().describe("Empty with path or stat"),
      content: z.string().optional().describe("Of the path"),
      leftOut: z.number().describe("Files that the person's rules hide"),
    }),
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path: path ?? "." }],
    execute: async ({ revision, path, stat }, context) => {
      await requireRepository(context, options);
      if (revision.includes(".."))
        throw new Failure("INVALID_INPUT", "Name one commit; for a range use git_diff.");
      const hash = await commitsOf(revision, context, options);
      const format = "--format=%an%x00%aI%x00%B";
      const head = await git(["log", "-1", "--no-color", format, hash, "--"], context, options);
      const [author = "", date = "", message = ""] = head.split("\0");
      const about = { hash, author, date, message: message.trim() };
      if (path !== undefined) {
        const bytes = await gitBytes(
          ["cat-file", "blob", `${hash}:${path}`],
          context,
          options,
          maxFileBytes,
        ).catch((error: Error) => {
          if (!/not exist|does not|bad file|Not a valid|exists on disk/i.test(error.message)) throw error;
          throw new Failure("FILE_NOT_FOUND", `There is no file ${path} in ${hash.slice(0, 9)}.`);
        });
        const content = (await readText(bytes))?.text;
        if (content === undefined)
          throw new Failure(
            "INVALID_INPUT",
            `${path} is not text in ${hash.slice(0, 9)} (${bytes.length} bytes).`,
          );
        return { ...about, files: [], diff: "", content, leftOut: 0 };
      }
      const parent = await commitsOf(`${hash}^`, context, options).catch(async () =>
        (await git(["hash-object", "-t", "tree", "--stdin"], context, options, { input: "" })).trim(),
      );
      const parts = await diffParts([parent, hash, "--"], context, options);
      const shown = parts.filter((part) => context.mayRead(part.path));
      return {
        ...about,
        files: shown.map(({ path: file, added, removed }) => ({ path: file, added, removed })),
        diff: stat ? "" : shown.map(({ text }) => text).join(""),
        leftOut: parts.length - shown.length,
      };
    },
    render: ({ hash, author, date, message, files, diff, content, leftOut }, { path, stat }) => {
      const head = `${hash.slice(0, 9)} ${date.slice(0, 10)} ${visibleLine(author)}`;
      if (content !== undefined) {
        const lines = content.replace(/\n$/, "").split("\n");
        return `${path} in ${head}\n${codeLines(numbered(lines))
          .map(({ text }) => text)
          .join("\n")}`;
      }
      const hidden = leftOut === 0 ? [] : [leftOutFiles(leftOut)];
      const names = files.map(
        ({ path: file, added, removed }) => `${visibleLine(file)} (+${added} −${removed})`,
      );
      const short = [head, message, ...hidden, ...names];
      if (stat) return short.join("\n");
      return [
        [head, message, ...hidden, withoutIds(diff)].join("\n"),
        [...short, "The diff is too long to show whole: git_diff shows one path of it."].join("\n"),
      ];
    },
    examples: [
      { title: "The last commit", input: {} },
      { title: "What a commit touched", input: { revision: "HEAD~1", stat: true } },
      { title: "A file as it was", input: { revision: "HEAD~3", path: "src/app.ts" } },
    ],
  });
