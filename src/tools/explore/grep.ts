import { z } from "zod";
import { pathKind } from "../../code/files/path-kind.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { notText, skippedLine } from "../../tool/skipped-names.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { excludeInput } from "./excluded-files.ts";
import { below } from "./inputs.ts";
import { listLimits } from "./list-limits.ts";
import { isMain } from "./other-matches.ts";
import {
  findMatches,
  type MatchRequest,
  matchCount,
  matchList,
  matchOutput,
  type TextMatch,
} from "./text-matches.ts";

const output = z.object({
  matches: z.array(matchOutput),
  files: z.array(z.object({ file: z.string(), count: z.number() })),
  folders: z
    .array(z.object({ folder: z.string(), count: z.number(), files: z.number() }))
    .optional()
    .describe("Where the matches are, when they are too many to list"),
  total: z.number().describe("Matching lines in all files"),
  totalFiles: z.number(),
  left: z.number().describe("Matching lines that are on no page up to this one"),
  nextCursor: z.string().optional(),
  notText,
  chosen: z.boolean().optional().describe("Of each file, the matches closest to what the caller is after"),
});
type Value = z.infer<typeof output>;

export const grep = (code: Code) =>
  defineTool({
    name: "grep",
    title: "Search text",
    description:
      "Lines that match a regular expression, with the function or class around; sources before tests; very many as counts.",
    brief: {
      description: "Lines that match a regex, with their function.",
      input: z.object({
        pattern: z.string(),
        include: z.string().optional(),
        exclude: z.string().optional(),
        context: z.int().optional(),
        cursor: z.string().optional(),
      }),
    },
    category: "Explore",
    input: z.object({
      pattern: z.string().min(1).max(1_000),
      include: z.string().min(1).optional().describe("Glob"),
      exclude: excludeInput,
      path: below,
      context: z.int().min(0).optional().describe("Lines around, at most 20"),
      limit: z.int().min(1).default(listLimits.page),
      cursor: z.string().optional(),
      mode: z.enum(["content", "files", "count"]).default("content"),
    }),
    output,
    budget: 2_000,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ include, limit, mode, ...rest }, context) => {
      const request = {
        ...rest,
        filePattern: include,
        context: Math.min(rest.context ?? 0, listLimits.context),
        limit: Math.min(limit, listLimits.largestPage),
        perFile: listLimits.perFile,
      };
      const { type } = await context.workspace.resolve(rest.path);
      const isFile = type !== "directory";
      const found = await findMatches(code, isFile ? { ...request, perFile: undefined } : request, context);
      const files = found.files.sort((a, b) => b.count - a.count || (a.file < b.file ? -1 : 1));
      const isTooLong = found.nextCursor !== undefined && found.total <= listLimits.broad;
      const isOverview = context.topic !== undefined && rest.cursor === undefined && !isFile && isTooLong;
      const best = isOverview ? await matchesOfMain(code, request, files, context) : undefined;
      return {
        matches: best ?? found.matches,
        files: files.slice(0, 1_000),
        total: found.total,
        totalFiles: files.length,
        left: found.left,
        ...(found.total > listLimits.broad && { folders: byFolder(files) }),
        ...(found.nextCursor && !best && { nextCursor: found.nextCursor }),
        ...(best && { chosen: true }),
        ...(found.notText && { notText: found.notText }),
      };
    },
    render: (value, input) => {
      const odd = skippedLine(value.notText);
      if (value.total === 0)
        return `${odd.map((line) => `${line}\n`).join("")}No match for ${JSON.stringify(input.pattern)}${input.include ? ` in ${input.include}` : ""}${input.path === "." ? "" : ` below ${input.path}`}. ${/^\(\?\w*i/.test(input.pattern) ? "S" : "(?i) in front matches any case; s"}earch_code takes words that describe it.`;
      const head = matchCount(value.total, value.totalFiles);
      if (input.mode === "files") return [head, ...fileList(value, false)].join("\n");
      if (input.mode === "count") return [head, ...fileList(value, true)].join("\n");
      if (value.total > listLimits.broad && input.cursor === undefined && input.path === ".")
        return broadly(value, head, input);
      const tooMany = (input.context ?? 0) > listLimits.context;
      const notes = tooMany ? [`(at most ${listLimits.context} lines around a match)`] : [];
      return matchList(value, { cursor: input.cursor, only: "include", odd: [...odd, ...notes] });
    },
    examples: [
      { title: "All TODO comments", input: { pattern: "TODO" } },
      {
        title: "Which Go files mention a table",
        input: { pattern: "issue_events", include: "*.go", mode: "files" },
      },
    ],
  });

/**
 * Of the files with most matches, those whose matches speak most of what the caller is after, sources first, and these
 * matches: one who looks for something does not want the first ones by name.
 */
async function matchesOfMain(
  code: Code,
  request: MatchRequest,
  files: readonly { file: string; count: number }[],
  context: ToolContext,
): Promise<TextMatch[]> {
  const { overview } = listLimits;
  const opened = [...files.filter(({ file }) => isMain(file)), ...files.filter(({ file }) => !isMain(file))]
    .slice(0, overview.files)
    .map(({ file }) => file);
  const found = await findMatches(
    code,
    { ...request, files: opened, limit: overview.files * overview.matches, perFile: overview.matches },
    context,
  );
  const relevance = await (await code()).relevanceTo(context.topic ?? "", codeOptions(context));
  return [...Map.groupBy(found.matches, ({ file }) => file)]
    .map(([file, all]) => {
      const best = all
        .map((match) => ({ match, weight: relevance(`${match.within ?? ""} ${match.text}`) }))
        .sort((a, b) => b.weight - a.weight)
        .map(({ match }) => match);
      const texts = best.slice(0, overview.compared).map(({ text }) => text);
      return { file, weight: relevance([file, ...texts].join("\n")), best };
    })
    .sort((a, b) => Number(isMain(b.file)) - Number(isMain(a.file)) || b.weight - a.weight)
    .flatMap(({ best }, place) => best.slice(0, overview.shown[place] ?? 0).sort((a, b) => a.line - b.line));
}

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

const maxFolders = 12;
const maxTopFiles = 8;

/** Too many to list: where they are, one to see what they are like, and how to narrow. */
function broadly(
  { folders = [], files, matches }: Value,
  head: string,
  { pattern, include }: { pattern: string; include?: string | undefined },
): string {
  const [first] = matches;
  const top = folders.find(({ folder }) => pathKind(`${folder}/x`) === "source") ?? folders[0];
  // `include` is a parameter in every form of this tool, `path` is not.
  const names = /\*\.\w+$/.exec(include ?? "")?.[0];
  const below = `${top && top.folder !== "." ? `${top.folder}/` : ""}**${names ? `/${names}` : ""}`;
  const narrower = { pattern, include: below };
  return [
    `${head}: too broad to list. By directory:`,
    ...folders.slice(0, maxFolders).map(({ folder, count, files }) => `  ${folder}/ ${count} in ${files}`),
    ...(folders.length > maxFolders ? [`  … ${folders.length - maxFolders} more directories`] : []),
    `Most in: ${files
      .slice(0, maxTopFiles)
      .map(({ file, count }) => `${file} ${count}`)
      .join(", ")}`,
    ...(first
      ? [`Such as ${first.file}:${first.line}: ${visibleText(first.text.trim().slice(0, 100))}`]
      : []),
    `Narrow it: grep(${JSON.stringify(narrower)}) or a longer pattern.`,
  ].join("\n");
}
