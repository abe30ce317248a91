import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput, pathInput } from "../../tool/path-input.ts";
import type { Code } from "./code-answers.ts";
import { findMatches, groupedMatches, matchCount, matchOutput, nextPage } from "./text-matches.ts";

const pageSize = 50;

const output = z.object({
  matches: z.array(matchOutput),
  total: z.number().describe("Matching lines in all files"),
  files: z.number().describe("Files with a match"),
  nextCursor: z.string().optional(),
});

/** `grep` in the form of the coding toolset: other parameter names, pages of a fixed size. */
export const searchFiles = (code: Code) =>
  defineTool({
    name: "search_files",
    title: "Search files",
    description:
      "Search file contents by regular expression: the first 50 matching lines and the true total, sources before tests.",
    category: "Search",
    input: z.object({
      pattern: z.string().min(1),
      path: pathInput("Only below this directory, or in this file").default("."),
      filePattern: z.string().min(1).optional().describe("Glob, for example src/**/*.test.ts"),
      cursor: cursorInput,
    }),
    output,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async (input, context) => {
      const { files, ...found } = await findMatches(code, { ...input, limit: pageSize }, context);
      return { ...found, files: files.length };
    },
    render: ({ matches, total, files, nextCursor }, { pattern }) => {
      if (total === 0)
        return `No match for ${JSON.stringify(pattern)}. (?i) in front of the pattern matches any case.`;
      const more = nextPage(total - matches.length, nextCursor);
      const head = matchCount(total, files);
      const groups = [...Map.groupBy(matches, (match) => match.file)];
      return [
        [head, ...groupedMatches(matches, 300), ...more].join("\n"),
        () => [head, ...groupedMatches(matches, 80), ...more].join("\n"),
        () =>
          [
            head,
            ...groups.map(([file, lines]) => `${file}: lines ${lines.map((m) => m.line).join(", ")}`),
            ...more,
          ].join("\n"),
      ];
    },
    examples: [
      { title: "All TODO comments", input: { pattern: "TODO" } },
      {
        title: "Calls in TypeScript files below src",
        input: { pattern: "fetch\\(", path: "src", filePattern: "*.ts" },
      },
    ],
  });
