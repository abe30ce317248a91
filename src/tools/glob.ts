import { z } from "zod";
import { globMatcher } from "../text/glob.ts";
import { visibleLine } from "../text/visible.ts";
import { defineTool } from "../tool/define-tool.ts";
import { pathInput } from "./path-input.ts";

const maxPaths = 100;

export const glob = defineTool({
  name: "glob",
  title: "Find files by pattern",
  description:
    "Find files by path pattern, newest first: **/*.test.ts, src/**/{store,model}*.go. At most 100 paths and the true total. Leaves out what .gitignore ignores.",
  category: "Explore",
  input: z.object({
    pattern: z
      .string()
      .min(1)
      .max(500)
      .describe("Glob; without a slash it is matched against file names anywhere"),
    path: pathInput("Only below this directory").default("."),
  }),
  output: z.object({ paths: z.array(z.string()), total: z.number() }),
  can: ["read"],
  idempotent: true,
  effects: ({ path }) => [{ kind: "read", path }],
  execute: async ({ pattern, path }, { workspace, signal }) => {
    const isMatch = globMatcher(pattern.replace(/^\.?\//, ""), { byName: !pattern.includes("/") });
    const base = path.replace(/^(\.\/)+|\/+$/g, "");
    const found: { path: string; modified: string }[] = [];
    for await (const entry of workspace.walk({ under: path, hidden: true, signal })) {
      // A pattern may be written from the root, or from the directory it is asked below.
      const below = base === "" || base === "." ? entry.path : entry.path.slice(base.length + 1);
      if (isMatch(entry.path) || isMatch(below)) found.push({ path: entry.path, modified: entry.modified });
    }
    found.sort((a, b) =>
      a.modified === b.modified ? (a.path < b.path ? -1 : 1) : a.modified < b.modified ? 1 : -1,
    );
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
