import { z } from "zod";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Code } from "./code-answers.ts";
import { below } from "./inputs.ts";
import { pathMatcher, pathPattern } from "./path-pattern.ts";
import { pathsBelow } from "./paths-below.ts";

const maxPaths = 100;

export const glob = (code: Code) =>
  defineTool({
    name: "glob",
    title: "Find files by pattern",
    description: "Files by path pattern (**/*.test.ts), newest first, at most 100.",
    category: "Explore",
    input: z.object({
      pattern: pathPattern({ longest: 500 }),
      path: below,
    }),
    output: z.object({ paths: z.array(z.string()), total: z.number() }),
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ pattern, path }, context) => {
      const isMatch = pathMatcher(pattern);
      // Who asks for the newest has often just made it: nothing of the last second may be missing.
      const { directory, entries } = await pathsBelow(code, path, context, { now: true });
      // A pattern may be written from the root, or from the directory it is asked below.
      const fromThere = (whole: string) => (directory === "." ? whole : whole.slice(directory.length + 1));
      const found: { path: string; modified: number }[] = [];
      for (const entry of entries) {
        if (!isMatch(entry.path) && !isMatch(fromThere(entry.path))) continue;
        const modified = entry.modified ?? (await modifiedNow(entry.path, context));
        if (modified !== undefined) found.push({ path: entry.path, modified });
      }
      found.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
      return { paths: found.slice(0, maxPaths).map((one) => one.path), total: found.length };
    },
    render: ({ paths, total }, { pattern }) => {
      if (total === 0)
        return `No file matches ${JSON.stringify(pattern)}. A pattern with ** searches all directories: **/${pattern.replace(/^.*\//, "")}`;
      const more =
        total > paths.length
          ? [`${paths.length} of ${total} shown, newest first: narrow the pattern or give a path`]
          : [];
      return [...paths.map(visibleLine), ...more].join("\n");
    },
    examples: [
      { title: "All tests", input: { pattern: "**/*.test.ts" } },
      { title: "By name anywhere", input: { pattern: "*store*" } },
    ],
  });

/** Undefined for what is gone. */
async function modifiedNow(path: string, { workspace }: ToolContext): Promise<number | undefined> {
  return workspace.stat(path).then(
    ({ modified }) => Date.parse(modified),
    () => undefined,
  );
}
