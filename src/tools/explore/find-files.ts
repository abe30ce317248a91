import { z } from "zod";
import { fitLines } from "../../text/fit-lines.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { Code } from "./code-answers.ts";
import { pathMatcher, pathPattern } from "./path-pattern.ts";
import { pathsBelow } from "./paths-below.ts";

const maxPaths = 1000;

export const findFiles = (code: Code) =>
  defineTool({
    name: "find_files",
    title: "Find files",
    description: "Files by name pattern with * and ?, or by path pattern (src/**/*.css).",
    category: "Search",
    input: z.object({
      pattern: pathPattern(),
      path: pathInput("Only below this directory").default("."),
    }),
    output: z.object({ paths: z.array(z.string()), total: z.number() }),
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ pattern, path }, context) => {
      const isMatch = pathMatcher(pattern, { anyCase: true });
      const { entries } = await pathsBelow(code, path, context);
      const found = entries.filter((entry) => isMatch(entry.path));
      return { paths: found.slice(0, maxPaths).map((entry) => entry.path), total: found.length };
    },
    render: ({ paths, total }, { pattern }) => {
      if (total === 0)
        return `No file matches ${JSON.stringify(pattern)}. Wildcards: *${pattern.replaceAll("*", "")}* matches more.`;
      const lines = paths.map(visibleLine);
      const closing = (shown: number) => `...and ${total - shown} more: narrow the pattern or give a path`;
      return [
        [...lines, ...(total > paths.length ? [closing(paths.length)] : [])].join("\n"),
        (budget) => fitLines(lines, budget, closing),
      ];
    },
    examples: [
      { title: "Test files", input: { pattern: "*.test.ts" } },
      { title: "Styles below src", input: { pattern: "src/**/*.css" } },
    ],
  });
