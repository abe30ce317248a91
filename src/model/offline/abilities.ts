import type { Call, Done, Move, Standing } from "./standing.ts";

/** One ability, and the tools that provide it, best first. The first that is registered is called. */
type Ability = readonly { tool: string; input(args: Args): Record<string, unknown> }[];

export interface Args {
  path?: string | undefined;
  pattern?: string;
  symbol?: string;
  content?: string;
  old?: string;
  count?: number;
  why?: string;
  language?: string;
}

const abilities = {
  read: [
    { tool: "read_file", input: ({ path }) => ({ path }) },
    { tool: "read", input: ({ path }) => ({ file: path, num_lines: 300 }) },
  ],
  find: [
    { tool: "find_files", input: ({ pattern }) => ({ pattern }) },
    { tool: "glob", input: ({ pattern }) => ({ pattern: `**/${pattern}` }) },
  ],
  search: [
    { tool: "search_files", input: ({ pattern, path }) => ({ pattern, ...(path && { path }) }) },
    { tool: "grep", input: ({ pattern, path }) => ({ pattern, ...(path && { path }) }) },
  ],
  define: [
    { tool: "find_definition", input: ({ symbol }) => ({ symbol }) },
    { tool: "definition", input: ({ symbol }) => ({ symbol }) },
  ],
  importers: [
    { tool: "find_importers", input: ({ path }) => ({ modulePath: path }) },
    { tool: "graph", input: ({ path }) => ({ operation: "importers", target: path }) },
  ],
  about: [{ tool: "search_code", input: ({ pattern }) => ({ query: pattern, limit: 8 }) }],
  references: [{ tool: "references", input: ({ symbol }) => ({ symbol }) }],
  structure: [
    { tool: "tree", input: ({ path }) => ({ ...(path && { path }) }) },
    { tool: "list_files", input: ({ path }) => ({ path: path ?? ".", recursive: true }) },
    { tool: "list_directory", input: ({ path }) => ({ path: path ?? ".", recursive: true }) },
  ],
  outline: [{ tool: "symbols", input: ({ path }) => ({ file: path }) }],
  rewrite: [
    { tool: "edit_file", input: ({ path, content, why }) => ({ path, content, description: why }) },
    { tool: "write_file", input: ({ path, content }) => ({ path, content }) },
  ],
  replace: [
    {
      tool: "replace_in_file",
      input: ({ path, old, content, count, why }) => ({
        path,
        edits: [{ oldText: old, newText: content, expectedCount: count }],
        description: why,
      }),
    },
  ],
  create: [
    { tool: "create_file", input: ({ path, content, why }) => ({ path, content, description: why }) },
    { tool: "write_file", input: ({ path, content }) => ({ path, content }) },
  ],
  run: [
    { tool: "run_code", input: ({ language, content }) => ({ language, code: content }) },
    { tool: "executeCode", input: ({ content }) => ({ code: content }) },
  ],
} as const satisfies Record<string, Ability>;

export type AbilityName = keyof typeof abilities;

export function callFor(ability: AbilityName, standing: Standing, args: Args): Call | undefined {
  const found = (abilities[ability] as Ability).find(({ tool }) => standing.has(tool));
  return found && { tool: found.tool, input: found.input(args) };
}

/** A call with its text; undefined without a suitable tool: then the results so far are the answer. */
export function calling(say: string, call: Call | undefined): Move {
  return call ? { say, calls: [call] } : { say: "" };
}

/** Results of calls of this kind so far, in order. */
export function doneBy(ability: AbilityName, standing: Standing): Done[] {
  const names = new Set((abilities[ability] as Ability).map(({ tool }) => tool));
  return standing.done.filter(({ tool }) => names.has(tool));
}
