import picomatch from "picomatch";
import type { ToolContext } from "../tool/tool.ts";
import type { Code } from "./code-answers.ts";
import {
  Collector,
  maxColumns,
  type SearchRequest,
  type SearchResult,
  searchWithRipgrep,
} from "./ripgrep.ts";

/** More files than this are searched faster by ripgrep, which uses all processors. */
const fewFiles = 200;
/** A longer line could make a backtracking engine slow. */
const longLine = 5_000;

/**
 * Lines that match a regular expression. With a warm index the few files that can match are read here; otherwise, and for
 * patterns that this engine reads differently, ripgrep searches the tree. Both give the same answer.
 */
export async function searchText(
  code: Code,
  request: SearchRequest,
  context: ToolContext,
): Promise<SearchResult> {
  const expression = sharedSyntax(request.pattern);
  const files =
    expression && (await (await code()).filesThatMayMatch(request.pattern, { signal: context.signal }));
  const found = files && (await searchFew(expression, files, request, context));
  return found ?? searchWithRipgrep(request, context);
}

/** Undefined when the files are too many, or hold something only ripgrep judges rightly. */
async function searchFew(
  expression: RegExp,
  files: readonly string[],
  request: SearchRequest,
  { workspace, mayRead }: ToolContext,
): Promise<SearchResult | undefined> {
  const { path, filePattern } = request;
  const isWanted = filePattern ? globFilter(filePattern) : () => true;
  const below = files.filter(
    (file) =>
      (path === "." || file === path || file.startsWith(`${path}/`)) && isWanted(file) && mayRead(file),
  );
  if (below.length > fewFiles) return undefined;
  const collector = new Collector(request);
  for (const file of below) {
    const bytes = await workspace.read(file).then(
      (content) => content.bytes,
      () => undefined,
    );
    if (!bytes || bytes.includes(0)) continue;
    const text = bytes.toString();
    // Outside ASCII, \w and \b mean different things to the two engines.
    if (/\\[a-zA-Z]/.test(request.pattern) && /[^\x00-\x7F]/.test(text)) return undefined;
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const [index, line] of lines.entries()) {
      if (line.length > longLine) return undefined;
      if (expression.test(line.replace(/\r$/, ""))) {
        collector.add({ file, line: index + 1, text: line.replace(/\r$/, "").slice(0, maxColumns) });
      }
    }
  }
  return collector.result();
}

/**
 * The pattern as a JavaScript expression, where both engines read it the same way and neither can run away: plain
 * characters, classes, the common escapes, groups without a quantifier, at most two open repetitions.
 */
function sharedSyntax(pattern: string): RegExp | undefined {
  const isPlain =
    /^(?:\\[wdsbWDSB.*+?^$()[\]{}|/\\"'`=:;,<>@#%&!~-]|\[(?:\\[wds\]\\.-]|[^\\[\]&~-]|(?<=\w)-(?=\w))+\]|\((?:\?:)?|[^\\[\](){}]|\))*$/;
  const repetitions = pattern.replace(/\\./g, "").match(/[*+]/g)?.length ?? 0;
  if (!isPlain.test(pattern) || repetitions > 2 || /\)[*+?]/.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

/** As ripgrep reads --glob: without a slash it is about the name, with `!` it excludes. */
function globFilter(pattern: string): (path: string) => boolean {
  const negated = pattern.startsWith("!");
  const glob = pattern.replace(/^!/, "").replace(/^\//, "");
  const isMatch = picomatch(glob, { dot: true, basename: !glob.includes("/") });
  const inFolder = picomatch(`**/${glob.replace(/\/$/, "")}/**`, { dot: true });
  return (path) => (isMatch(path) || inFolder(path)) !== negated;
}
