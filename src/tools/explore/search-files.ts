import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput, pathInput } from "../../tool/path-input.ts";
import type { Code } from "./code-answers.ts";
import { readMatchCursor, writeMatchCursor } from "./match-cursor.ts";
import { searchText } from "./text-search.ts";

const pageSize = 50;

const output = z.object({
  matches: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })),
  total: z.number().describe("Matching lines in all files"),
  files: z.number().describe("Files with a match"),
  nextCursor: z.string().optional(),
});
type Value = z.infer<typeof output>;

export const searchFiles = (code: Code) =>
  defineTool({
    name: "search_files",
    title: "Search files",
    description:
      "Search file contents by regular expression. Returns file, line and text of the first 50 matches and the true total; narrow with path or filePattern. Leaves out binary files and what .gitignore ignores.",
    category: "Search",
    input: z.object({
      pattern: z.string().min(1).describe("Regular expression, for example TODO|FIXME or function\\s+\\w+"),
      path: pathInput("Only below this directory, or in this file").default("."),
      filePattern: z
        .string()
        .min(1)
        .optional()
        .describe("Glob on file names, for example *.ts or src/**/*.test.ts"),
      cursor: cursorInput,
    }),
    output,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ pattern, path, filePattern, cursor }, context) => {
      // ripgrep follows a link that it is given by name: it gets the place itself, which the jail has found to be inside.
      const { type, path: place } = await context.workspace.resolve(path);
      if (type === "other") throw new Failure("INVALID_PATH", `${path} is neither a file nor a directory.`);
      const after = cursor === undefined ? undefined : readMatchCursor(cursor);
      const found = await searchText(
        code,
        { pattern, path: place, filePattern, after, limit: pageSize },
        context,
      );
      const last = found.matches.at(-1);
      const more = found.total - found.before > found.matches.length;
      return {
        matches: found.matches,
        total: found.total,
        files: found.perFile.size,
        ...(more && last && { nextCursor: writeMatchCursor(last) }),
      };
    },
    render: (value, input) => renderMatches(value, input),
    examples: [
      { title: "All TODO comments", input: { pattern: "TODO" } },
      {
        title: "Calls in TypeScript files below src",
        input: { pattern: "fetch\\(", path: "src", filePattern: "*.ts" },
      },
    ],
  });

/** Grouped by file; then one line a match; then counts per file. */
function renderMatches(
  { matches, total, files, nextCursor }: Value,
  input: { pattern: string },
): (string | (() => string))[] {
  if (total === 0)
    return [`No match for ${JSON.stringify(input.pattern)}. (?i) in front of the pattern matches any case.`];
  const rest = total - matches.length;
  const next = nextCursor && `search_files(${JSON.stringify({ ...input, cursor: nextCursor })})`;
  const more = rest > 0 ? [`...and ${rest} more${next ? `: ${next}` : ""}`] : [];
  const head = `${total} ${total === 1 ? "match" : "matches"} in ${files} ${files === 1 ? "file" : "files"}`;
  const groups = [...Map.groupBy(matches, (match) => match.file)];
  const grouped = (width: number) =>
    groups.map(([file, lines]) =>
      [file, ...lines.map(({ line, text }) => `  ${line}: ${visibleText(text.trim().slice(0, width))}`)].join(
        "\n",
      ),
    );
  return [
    [head, ...grouped(300), ...more].join("\n"),
    () => [head, ...grouped(80), ...more].join("\n"),
    () =>
      [
        head,
        ...groups.map(([file, lines]) => `${file}: lines ${lines.map((m) => m.line).join(", ")}`),
        ...more,
      ].join("\n"),
  ];
}
