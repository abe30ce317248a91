import { z } from "zod";
import { fitLines } from "../../text/fit-lines.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Example, ToolContext } from "../../tool/tool.ts";
import type { Code } from "./code-answers.ts";
import { below } from "./inputs.ts";
import { pathMatcher, pathPattern } from "./path-pattern.ts";
import { type PathBelow, pathsBelow } from "./paths-below.ts";

/** One way to offer the search for files; two specifications name it differently. */
interface Form {
  name: string;
  title: string;
  description: string;
  category: string;
  maxPaths: number;
  anyCase: boolean;
  /** Otherwise in the order of paths. */
  newestFirst: boolean;
  /** What to try when nothing matches. */
  tip(pattern: string): string;
  examples: Example[];
}

const forms = {
  glob: {
    name: "glob",
    title: "Find files by pattern",
    description: "Files by path pattern (**/*.test.ts), newest first, at most 100.",
    category: "Explore",
    maxPaths: 100,
    anyCase: false,
    newestFirst: true,
    tip: (pattern) => `A pattern with ** searches all directories: **/${pattern.replace(/^.*\//, "")}`,
    examples: [
      { title: "All tests", input: { pattern: "**/*.test.ts" } },
      { title: "By name anywhere", input: { pattern: "*store*" } },
    ],
  },
  find_files: {
    name: "find_files",
    title: "Find files",
    description: "Files by name pattern with * and ?, or by path pattern (src/**/*.css).",
    category: "Search",
    maxPaths: 1000,
    anyCase: true,
    newestFirst: false,
    tip: (pattern) => `Wildcards: *${pattern.replaceAll("*", "")}* matches more.`,
    examples: [
      { title: "Test files", input: { pattern: "*.test.ts" } },
      { title: "Styles below src", input: { pattern: "src/**/*.css" } },
    ],
  },
} satisfies Record<string, Form>;

export const glob = (code: Code) => findPaths(code, forms.glob);
export const findFiles = (code: Code) => findPaths(code, forms.find_files);

function findPaths(code: Code, form: Form) {
  const { maxPaths, anyCase, newestFirst, tip, ...described } = form;
  return defineTool({
    ...described,
    input: z.object({ pattern: pathPattern({ longest: 500 }), path: below }),
    output: z.object({ paths: z.array(z.string()), total: z.number() }),
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ pattern, path }, context) => {
      const isMatch = pathMatcher(pattern, { anyCase });
      // The newest files were often just created, so files of the last second must be included.
      const { directory, entries } = await pathsBelow(code, path, context, { now: newestFirst });
      // A pattern may be written from the root, or from the directory it is asked below.
      const fromThere = (whole: string) => (directory === "." ? whole : whole.slice(directory.length + 1));
      const matching = entries.filter((entry) => isMatch(entry.path) || isMatch(fromThere(entry.path)));
      const found = newestFirst ? await byTime(matching, context) : matching;
      return { paths: found.slice(0, maxPaths).map((entry) => entry.path), total: found.length };
    },
    render: ({ paths, total }, { pattern }) => {
      if (total === 0) return `No file matches ${JSON.stringify(pattern)}. ${tip(pattern)}`;
      const lines = paths.map(visibleLine);
      const order = newestFirst ? ", newest first" : "";
      const closing = (shown: number) =>
        `${shown} of ${total} shown${order}: narrow the pattern or give a path`;
      return [
        [...lines, ...(total > paths.length ? [closing(paths.length)] : [])].join("\n"),
        (budget) => fitLines(lines, budget, closing),
      ];
    },
  });
}

/** Newest first; without what is gone by now. */
async function byTime(entries: readonly PathBelow[], { workspace }: ToolContext): Promise<PathBelow[]> {
  const timed = await Promise.all(
    entries.map(async (entry) => ({
      entry,
      modified:
        entry.modified ??
        (await workspace.stat(entry.path).then(
          ({ modified }) => Date.parse(modified),
          () => undefined,
        )),
    })),
  );
  return timed
    .flatMap(({ entry, modified }) => (modified === undefined ? [] : [{ entry, modified }]))
    .sort((a, b) => b.modified - a.modified || (a.entry.path < b.entry.path ? -1 : 1))
    .map(({ entry }) => entry);
}
