import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { notText, skipped, skippedLine } from "../../tool/skipped-names.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { below } from "./inputs.ts";

const maxDepth = 4;
const maxEntries = 200;
/** Beyond this many, the total is no longer counted. */
const maxCounted = 20_000;
const leftOut = new Set(
  ".git node_modules vendor __pycache__ .next dist build .idea .vscode .cache coverage .turbo target".split(
    " ",
  ),
);

const output = z.object({
  path: z.string(),
  depth: z.number(),
  entries: z.array(
    z.object({
      path: z.string(),
      type: z.enum(["file", "directory", "symlink"]),
      /** Of each level: whether more of the same directory follows. */
      more: z.array(z.boolean()),
    }),
  ),
  total: z.number().describe("Entries down to this depth; 20,000 means at least that many"),
  notText,
});
type Entry = z.infer<typeof output>["entries"][number];

export const tree = defineTool({
  name: "tree",
  title: "Directory tree",
  description: "Directory structure, at most 200 entries and 4 levels; build output left out.",
  category: "Explore",
  input: z.object({
    path: below,
    depth: z.int().min(1).default(2),
  }),
  output,
  can: ["read"],
  idempotent: true,
  effects: ({ path }) => [{ kind: "read", path }],
  execute: async ({ path, depth }, { workspace, signal }) => {
    const { type, path: place } = await workspace.resolve(path);
    if (type !== "directory") {
      throw new Failure(
        "INVALID_PATH",
        `${path} is a file, not a directory. Use symbols or read to see what is in it.`,
      );
    }
    const levels = Math.min(depth, maxDepth);
    const entries: Entry[] = [];
    const odd: string[] = [];
    let total = 0;
    for await (const entry of entriesBelow(workspace, place, levels, [], odd)) {
      if (signal.aborted || ++total >= maxCounted) break;
      if (entries.length < maxEntries) entries.push(entry);
    }
    return { path, depth: levels, entries, total, ...skipped(odd) };
  },
  render: ({ path, entries, total, notText: odd }, { depth }) => {
    const root = path === "." || path === "" ? "." : visibleLine(path.replace(/\/+$/, ""));
    if (entries.length === 0) return [`${root}/ is empty.`, ...skippedLine(odd)].join("\n");
    const lines = entries.map(({ path: entry, type, more }) => {
      const stems = more.slice(0, -1).map((goesOn) => (goesOn ? "│   " : "    "));
      const name = visibleLine(entry.slice(entry.lastIndexOf("/") + 1));
      return `${stems.join("")}${more.at(-1) ? "├── " : "└── "}${name}${{ file: "", directory: "/", symlink: "@" }[type]}`;
    });
    const notes = [
      ...skippedLine(odd),
      ...(total > entries.length
        ? [
            `… ${entries.length} of ${total >= maxCounted ? `more than ${maxCounted}` : total} entries shown. Give a path to see a part of it, or a smaller depth.`,
          ]
        : []),
      ...(depth > maxDepth ? [`(depth is at most ${maxDepth})`] : []),
    ];
    return [[`${root}/`, ...lines, ...notes].join("\n")];
  },
  examples: [
    { title: "The whole project, two levels", input: {} },
    { title: "One directory, deeper", input: { path: "src", depth: 3 } },
  ],
});

/** Directories first, each followed by what is in it. A directory that cannot be listed is shown without content. */
async function* entriesBelow(
  workspace: Workspace,
  path: string,
  levels: number,
  above: boolean[],
  odd: string[],
): AsyncGenerator<Entry> {
  const listed = above.length === 0 ? await workspace.list(path) : await workspace.list(path).catch(() => []);
  odd.push(...listed.filter((entry) => entry.notText).map((entry) => entry.path));
  const shown = listed.filter(({ name, type }) => type !== "other" && !leftOut.has(name));
  const sorted = [
    ...shown.filter((e) => e.type === "directory"),
    ...shown.filter((e) => e.type !== "directory"),
  ];
  for (const [index, entry] of sorted.entries()) {
    const more = [...above, index < sorted.length - 1];
    yield { path: entry.path, type: entry.type as Entry["type"], more };
    if (entry.type === "directory" && levels > 1)
      yield* entriesBelow(workspace, entry.path, levels - 1, more, odd);
  }
}
