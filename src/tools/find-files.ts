import { z } from "zod";
import { fitLines } from "../text/fit-lines.ts";
import { globMatcher } from "../text/glob.ts";
import { visibleLine } from "../text/visible.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { ToolContext } from "../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { pathInput } from "./path-input.ts";

const maxPaths = 1000;

export const findFiles = (code: Code) =>
  defineTool({
    name: "find_files",
    title: "Find files",
    description:
      "Find files by name pattern with * and ?. A pattern without / is matched against file names anywhere; one with / against paths (** spans directories). Leaves out what .gitignore ignores.",
    category: "Search",
    input: z.object({
      pattern: z.string().min(1).describe("For example *.test.ts, package.json or src/**/*.css"),
      path: pathInput("Only below this directory").default("."),
    }),
    output: z.object({ paths: z.array(z.string()), total: z.number() }),
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ pattern, path }, context) => {
      const isMatch = globMatcher(pattern.replace(/^\.?\//, ""), {
        anyCase: true,
        byName: !pattern.includes("/"),
      });
      const found = (await pathsBelow(code, path, context)).filter((each) => isMatch(each));
      return { paths: found.slice(0, maxPaths), total: found.length };
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

/** Files and links below a directory that are not ignored: from the index where it is warm, else by walking; the same either way. */
async function pathsBelow(code: Code, path: string, context: ToolContext): Promise<string[]> {
  const { workspace, signal } = context;
  const place = await workspace.resolve(path);
  const known = await (await code()).pathsBelow(place.path, codeOptions(context));
  if (known) return known;
  const paths: string[] = [];
  for await (const entry of workspace.walk({ under: path, hidden: true, signal })) paths.push(entry.path);
  return paths;
}
