import { isUtf8 } from "node:buffer";
import { Failure } from "../../failure/failure.ts";
import { shippedRipgrep } from "../../process/shipped-programs.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { escapedName, spellingsOf } from "../../workspace/non-utf8-names.ts";
import { checkedMatches } from "./checked-matches.ts";
import { excludedGlobs } from "./excluded-files.ts";
import { Collector, fileOrder, type SearchRequest, type SearchResult } from "./match-collector.ts";
import { maxColumns, OutputParser, plainPath } from "./ripgrep-output.ts";

/**
 * The lines of a tree, in two passes: the first only counts, file by file, and the second reads the few files that the
 * first matches are in. A broad pattern has many thousands of lines that nobody would look at.
 */
export async function searchTree(request: SearchRequest, context: ToolContext): Promise<SearchResult> {
  const { after, limit } = request;
  const { perFile, notText } = await countMatches(request, context);
  const compareFiles = fileOrder();
  const sorted = [...perFile.keys()].sort(compareFiles);
  const total = perFile.values().reduce((sum, count) => sum + count, 0);
  const most = total > limit ? (request.perFile ?? limit) : limit;
  const files: string[] = [];
  let before = 0;
  let ahead = 0;
  for (const file of sorted) {
    const count = perFile.get(file) ?? 0;
    if (after && compareFiles(file, after.file) < 0) before += count;
    else if (ahead < limit) {
      files.push(file);
      if (file !== after?.file) ahead += Math.min(count, most);
    }
  }
  const collector = new Collector(request, total - before);
  // Of a page, no file gives more; those before the cursor stand in lines before it.
  const needed = limit + (after && files.includes(after.file) ? after.line : 0);
  const found = await linesOf(files, request, context, collector, [`--max-count=${needed}`]);
  return { ...found, total, before: before + found.before, perFile, notText };
}

/** `path NUL count`, and a line end. Binary files are not counted. */
async function countMatches(
  request: SearchRequest,
  context: ToolContext,
): Promise<{ perFile: Map<string, number>; notText: string[] }> {
  const isIgnored = await ignoredBesides(request, context);
  const glob = globsOf(request);
  const output: Buffer[] = [];
  const found = await runRipgrep(
    ["--count", ...glob, "-e", request.pattern, "--", request.path],
    context,
    (chunk) => {
      output.push(chunk);
    },
  );
  const perFile = new Map<string, number>();
  const notText: string[] = [];
  for (const [, path = "", count] of Buffer.concat(output)
    .toString("latin1")
    .matchAll(/([^\0]*)\0(\d+)\r?\n/g)) {
    const raw = Buffer.from(path, "latin1");
    const file = plainPath(isUtf8(raw) ? raw.toString() : escapedName(raw));
    // Before anything is shown or counted: a name alone would tell that the file holds the pattern.
    if (!context.mayRead(file)) continue;
    if (isUtf8(raw)) {
      if (!isIgnored(file)) perFile.set(file, Number(count));
    } else if (!spellingsOf(file).some(isIgnored)) notText.push(file);
  }
  if (perFile.size === 0) found.require();
  return { perFile, notText: [...notText, ...(found.isTooDeep ? await tooLongBelow(request, context) : [])] };
}

/** By a walk, which the rules judge: in what ripgrep prints, a name with a line break could pass for another path. */
async function tooLongBelow({ path }: SearchRequest, { workspace, signal }: ToolContext): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of workspace.walk({ under: path, hidden: true, notText: true, signal }))
    if (entry.tooLong) found.push(entry.path);
  return found;
}

/** All lines of these files, added to what was collected already. */
export function searchFiles(
  files: readonly string[],
  request: SearchRequest,
  context: ToolContext,
  collector = new Collector(request),
): Promise<SearchResult> {
  // With several threads, ripgrep keeps all that it prints of a file in memory until it is through.
  return linesOf(files, request, context, collector, ["--threads=1"]);
}

async function linesOf(
  files: readonly string[],
  request: SearchRequest,
  context: ToolContext,
  collector: Collector,
  how: readonly string[],
): Promise<SearchResult> {
  if (files.length === 0) return collector.result();
  const parser = new OutputParser({
    match: (match) => collector.add(match),
    binary: (file) => collector.drop(file),
  });
  const found = await runRipgrep([...how, "-e", request.pattern, "--", ...files], context, (chunk) =>
    parser.push(chunk),
  );
  parser.end();
  if (collector.total === 0) found.require();
  const result = collector.result();
  return { ...result, matches: await checkedMatches(result.matches, context.workspace) };
}

async function runRipgrep(
  args: readonly string[],
  context: ToolContext,
  onStdout: (chunk: Buffer) => undefined,
): Promise<{ require(): void; isTooDeep: boolean }> {
  const outcome = await context.run({
    file: await shippedRipgrep(),
    args: [...options, ...args],
    cwd: context.workspace.root,
    env: { LANG: "C.UTF-8" },
    maxBytes: Number.POSITIVE_INFINITY,
    onStdout,
  });
  const { exitCode, stderr } = outcome;
  // What lies so deep that no path leads to it is left out, here as in every listing.
  const isTooDeep = /File ?name too long \(os error \d+\)\s*$/m.test(stderr.text);
  return {
    isTooDeep,
    // 1 means no match; 2 is an error, but also an unreadable directory beside good matches.
    require: () => {
      if (exitCode !== 0 && exitCode !== 1 && !isTooDeep) throw complaint(stderr.text);
    },
  };
}

/**
 * What we leave out and ripgrep does not: it knows no .wieldignore; below a folder it forgets the rules above; and a glob
 * lets it find what is ignored.
 */
function ignoredBesides({ path, filePattern }: SearchRequest, { workspace }: ToolContext) {
  return workspace.ignoring(path, path === "." && !filePattern ? [".wieldignore"] : undefined);
}

const options = [
  "--no-config",
  // A mapped file counts as memory, and one that is cut during the search would end it.
  "--no-mmap",
  "--no-heading",
  "--line-number",
  "--with-filename",
  "--null",
  "--color=never",
  "--crlf",
  "--hidden",
  "--glob=!.git",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--engine=auto",
  `--max-columns=${maxColumns}`,
  "--max-columns-preview",
];

/** What was asked for and what was to be left out, as ripgrep takes it: the last one that fits decides. */
function globsOf({ filePattern, exclude }: SearchRequest): string[] {
  return [
    ...(filePattern ? ["--glob", filePattern] : []),
    ...excludedGlobs(exclude).flatMap((glob) => ["--glob", `!${glob}`]),
  ];
}

function complaint(stderr: string): Failure {
  // It may name paths that rules hide.
  if (/^(?:rg: )?[^\n]*\(os error \d+\)\s*$/m.test(stderr))
    return new Failure("EXECUTION_ERROR", "The search failed: something below this path could not be read.");
  const message = stderr.replaceAll(/^rg: /gm, "").trim();
  if (/regex|pattern|glob/i.test(message)) {
    return new Failure(
      "INVALID_INPUT",
      `The pattern cannot be used: ${message}\nEscape special characters with a backslash to search for them literally.`,
    );
  }
  return new Failure("EXECUTION_ERROR", `The search failed: ${message || "ripgrep gave no reason"}`);
}
