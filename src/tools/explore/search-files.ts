import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput, pathInput } from "../../tool/path-input.ts";
import { notText, skippedLine } from "../../tool/skipped-names.ts";
import type { Code } from "./code-answers.ts";
import { excludeInput } from "./excluded-files.ts";
import { listLimits } from "./list-limits.ts";
import { findMatches, matchList, matchOutput } from "./text-matches.ts";

const mostCounts = 1_000;

const output = z.object({
  matches: z.array(matchOutput),
  total: z.number().describe("Matching lines in all files"),
  files: z.number().describe("Files with a match"),
  left: z.number().describe("Matching lines that are on no page up to this one"),
  nextCursor: z.string().optional(),
  counts: z.array(z.object({ file: z.string(), count: z.number() })).describe("Matching lines of each file"),
  notText,
});

/** `grep` in the form of the coding toolset: other parameter names, pages of a fixed size. */
export const searchFiles = (code: Code) =>
  defineTool({
    name: "search_files",
    title: "Search files",
    description:
      "Search file contents by regular expression: the first 50 matching lines and the true total, sources before tests.",
    brief: {
      description:
        "Lines that match a regular expression, with their function; the project's code before its tests.",
      input: z.object({
        pattern: z.string(),
        path: z.string().optional().describe("Directory or file"),
        filePattern: z.string().optional().describe("Glob"),
        exclude: z.string().optional().describe("Glob"),
        cursor: z.string().optional(),
      }),
    },
    category: "Search",
    input: z.object({
      pattern: z.string().min(1),
      path: pathInput("Only below this directory, or in this file").default("."),
      filePattern: z.string().min(1).optional().describe("Glob, for example src/**/*.test.ts"),
      exclude: excludeInput,
      cursor: cursorInput,
    }),
    output,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async (input, context) => {
      const { type } = await context.workspace.resolve(input.path);
      const perFile = type === "directory" ? listLimits.perFile : undefined;
      const { files, ...found } = await findMatches(
        code,
        { ...input, limit: listLimits.page, perFile },
        context,
      );
      return { ...found, files: files.length, counts: files.slice(0, mostCounts) };
    },
    render: (value, { pattern, cursor }) => {
      const odd = skippedLine(value.notText);
      const { files: totalFiles, counts: files } = value;
      if (value.total === 0)
        return [
          ...odd,
          `No match for ${JSON.stringify(pattern)}.${/^\(\?\w*i/.test(pattern) ? "" : " (?i) in front of the pattern matches any case."}`,
        ].join("\n");
      return matchList({ ...value, files, totalFiles }, { cursor, only: "path", odd });
    },
    examples: [
      { title: "All TODO comments", input: { pattern: "TODO" } },
      {
        title: "Calls in TypeScript files below src",
        input: { pattern: "fetch\\(", path: "src", filePattern: "*.ts" },
      },
    ],
  });
