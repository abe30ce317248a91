import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput, pathInput } from "../../tool/path-input.ts";
import { notText, skippedLine } from "../../tool/skipped-names.ts";
import type { Code } from "./code-answers.ts";
import { writeMatchCursor } from "./match-cursor.ts";
import { otherFiles } from "./other-matches.ts";
import { findMatches, groupedMatches, matchCount, matchOutput, nextPage } from "./text-matches.ts";

const pageSize = 50;
/** So few more are shown below the page: asking for them would cost a call. */
const fewMore = 15;
/** If there are more, so many of one file at most, and so many other files by name. */
const mostOfFile = 15;
const mostOthers = 5;
const mostCounts = 1_000;

const output = z.object({
  matches: z.array(matchOutput),
  total: z.number().describe("Matching lines in all files"),
  files: z.number().describe("Files with a match"),
  nextCursor: z.string().optional(),
  rest: z.array(matchOutput).optional().describe("The next page, where it is short"),
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
      const { type } = await context.workspace.resolve(input.path);
      const perFile = type === "directory" ? mostOfFile : undefined;
      const { matches, files, ...found } = await findMatches(
        code,
        { ...input, limit: pageSize, spare: fewMore, perFile },
        context,
      );
      const [page, rest] = [matches.slice(0, pageSize), matches.slice(pageSize)];
      const last = page.at(-1);
      return {
        ...found,
        matches: page,
        files: files.length,
        counts: files.slice(0, mostCounts),
        ...(last && rest.length > 0 && { nextCursor: writeMatchCursor(last), rest }),
      };
    },
    render: ({ matches, total, files, nextCursor, rest, counts, notText: odd }, { pattern, cursor }) => {
      const skippedNames = skippedLine(odd);
      if (total === 0)
        return [
          ...skippedNames,
          `No match for ${JSON.stringify(pattern)}.${/^\(\?\w*i/.test(pattern) ? "" : " (?i) in front of the pattern matches any case."}`,
        ].join("\n");
      const shown = new Set(matches.map(({ file }) => file));
      const hidden = counts.filter(({ file }) => !shown.has(file));
      const others = cursor === undefined && nextCursor ? otherFiles(hidden, mostOthers) : undefined;
      const more = [
        ...skippedNames,
        ...nextPage(total - matches.length, nextCursor),
        ...(others ? [`Files not shown: ${others}.`] : []),
      ];
      const head = matchCount(total, files);
      const counted = new Map(counts.map(({ file, count }) => [file, count]));
      const countOf = (file: string) => (cursor === undefined && !rest ? (counted.get(file) ?? 0) : 0);
      const groups = [...Map.groupBy(matches, (match) => match.file)];
      const last = (width: number) =>
        rest ? [...skippedNames, `...and ${rest.length} more:`, ...groupedMatches(rest, width)] : more;
      return [
        [head, ...groupedMatches(matches, 300, countOf), ...last(300)].join("\n"),
        () => [head, ...groupedMatches(matches, 80, countOf), ...last(80)].join("\n"),
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
