import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput, pathInput } from "../../tool/path-input.ts";
import type { Code } from "./code-answers.ts";
import { readMatchCursor, writeMatchCursor } from "./match-cursor.ts";
import { searchText } from "./text-search.ts";

const maxLimit = 100;
/** From this many matches on, a list tells less than where they are. */
const broad = 300;

const output = z.object({
  matches: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })),
  files: z.array(z.object({ file: z.string(), count: z.number() })),
  folders: z
    .array(z.object({ folder: z.string(), count: z.number(), files: z.number() }))
    .optional()
    .describe("Where the matches are, when they are too many to list"),
  total: z.number().describe("Matching lines in all files"),
  totalFiles: z.number(),
  nextCursor: z.string().optional(),
});
type Value = z.infer<typeof output>;

export const grep = (code: Code) =>
  defineTool({
    name: "grep",
    title: "Search text",
    description:
      "Search file contents by regular expression. Returns matching lines grouped by file with the true totals; a pattern with very many matches comes back as counts by directory, so narrow it with path or include. For where a name is defined or used, definition and references are better.",
    category: "Explore",
    input: z.object({
      pattern: z
        .string()
        .min(1)
        .max(1_000)
        .describe("Regular expression, for example TODO|FIXME or func \\w+Store"),
      include: z.string().min(1).optional().describe("Glob on file names, for example *.go or src/**/*.ts"),
      path: pathInput("Only below this directory, or in this file").default("."),
      limit: z.int().min(1).default(50).describe("Matches to return, at most 100"),
      cursor: cursorInput,
      mode: z
        .enum(["content", "files", "count"])
        .default("content")
        .describe("Matching lines, only the files, or counts per file"),
    }),
    output,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ pattern, include, path, limit, cursor }, context) => {
      const { type, path: place } = await context.workspace.resolve(path);
      if (type === "other") throw new Failure("INVALID_PATH", `${path} is neither a file nor a directory.`);
      const after = cursor === undefined ? undefined : readMatchCursor(cursor);
      const request = { pattern, path: place, filePattern: include, after, limit: Math.min(limit, maxLimit) };
      const found = await searchText(code, request, context);
      const last = found.matches.at(-1);
      const more = found.total - found.before > found.matches.length;
      const files = [...found.perFile]
        .map(([file, count]) => ({ file, count }))
        .sort((a, b) => b.count - a.count || (a.file < b.file ? -1 : 1));
      return {
        matches: found.matches,
        files: files.slice(0, 1_000),
        total: found.total,
        totalFiles: files.length,
        ...(found.total > broad && { folders: byFolder(files) }),
        ...(more && last && { nextCursor: writeMatchCursor(last) }),
      };
    },
    render: (value, input) => {
      if (value.total === 0)
        return `No match for ${JSON.stringify(input.pattern)}${input.include ? ` in ${input.include}` : ""}${input.path === "." ? "" : ` below ${input.path}`}. (?i) in front matches any case; search_code takes words that describe it.`;
      const head = `${value.total} ${value.total === 1 ? "match" : "matches"} in ${value.totalFiles} ${value.totalFiles === 1 ? "file" : "files"}`;
      if (input.mode === "files") return [head, ...fileList(value, false)].join("\n");
      if (input.mode === "count") return [head, ...fileList(value, true)].join("\n");
      if (value.total > broad && input.cursor === undefined && input.path === ".")
        return broadly(value, head, input);
      const next = value.nextCursor && `grep(${JSON.stringify({ ...input, cursor: value.nextCursor })})`;
      const more = next ? [`...and ${value.total - value.matches.length} more: ${next}`] : [];
      const groups = [...Map.groupBy(value.matches, (match) => match.file)];
      const lines = (width: number) =>
        groups.flatMap(([file, all]) => [
          file,
          ...all.map(({ line, text }) => `  ${line}: ${visibleText(text.trim().slice(0, width))}`),
        ]);
      return [
        [head, ...lines(200), ...more].join("\n"),
        () => [head, ...lines(80), ...more].join("\n"),
        () =>
          [
            head,
            ...groups.map(([file, all]) => `${file}: ${all.map((m) => m.line).join(",")}`),
            ...more,
          ].join("\n"),
        () => [head, ...fileList(value, true)].join("\n"),
      ];
    },
    examples: [
      { title: "All TODO comments", input: { pattern: "TODO" } },
      {
        title: "Which Go files mention a table",
        input: { pattern: "issue_events", include: "*.go", mode: "files" },
      },
    ],
  });

const maxListed = 100;

function fileList({ files, totalFiles }: Value, counted: boolean): string[] {
  const shown = files.slice(0, maxListed);
  return [
    ...shown.map(({ file, count }) => (counted ? `${file}: ${count}` : file)),
    ...(totalFiles > shown.length
      ? [`...and ${totalFiles - shown.length} more files: narrow with path or include`]
      : []),
  ];
}

/** Counts by the first two directories, most matches first. */
function byFolder(files: Value["files"]): NonNullable<Value["folders"]> {
  const folders = new Map<string, { folder: string; count: number; files: number }>();
  for (const { file, count } of files) {
    const folder = file.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
    const sum = folders.get(folder) ?? { folder, count: 0, files: 0 };
    folders.set(folder, { folder, count: sum.count + count, files: sum.files + 1 });
  }
  return [...folders.values()].sort((a, b) => b.count - a.count);
}

const maxFolders = 20;

/** Too many to list: where they are, one to see what they are like, and how to narrow. */
function broadly(
  { folders = [], matches }: Value,
  head: string,
  { pattern, include }: { pattern: string; include?: string | undefined },
): string {
  const [first] = matches;
  const narrower = { pattern, ...(include && { include }), path: folders[0]?.folder ?? "." };
  return [
    `${head}: too broad to list. By directory:`,
    ...folders.slice(0, maxFolders).map(({ folder, count, files }) => `  ${folder}/ ${count} in ${files}`),
    ...(folders.length > maxFolders ? [`  … ${folders.length - maxFolders} more directories`] : []),
    ...(first
      ? [`Such as ${first.file}:${first.line}: ${visibleText(first.text.trim().slice(0, 100))}`]
      : []),
    `Narrow it: grep(${JSON.stringify(narrower)}), a longer pattern, or definition/references for a name.`,
  ].join("\n");
}
