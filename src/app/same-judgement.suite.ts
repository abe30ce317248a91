import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { serveMcpHttp } from "../mcp/http.ts";
import { createMcp } from "../mcp/server.ts";
import type { TestWield } from "../testing/testing.ts";
import { defineChangeTool } from "../tool/change-tool.ts";
import { changeDefault } from "../tool/effects.ts";
import type { Wield, WieldOptions } from "./wield.ts";

/** One change of one file, as each way to make it would be told. */
export interface Change {
  path: string;
  kind: "create" | "replace" | "delete";
}

/** Where it is made: `wield` has the rules and the mode of the case, and nobody to ask. */
export interface Place extends TestWield {
  options: Partial<WieldOptions>;
}

export interface Way {
  name: string;
  /** Tools that this way stands for. */
  tools: readonly string[];
  /** It asks about more than the change itself, so it may be refused where others are not, but never the other way round. */
  isStricter?: (change: Change) => boolean;
  /** Makes the change, in another folder if it returns one; "none": this way cannot make such a change. */
  make(change: Change, place: Place): Promise<unknown> | "none";
}

const notebook = (source: string) =>
  JSON.stringify({
    ...{ nbformat: 4, nbformat_minor: 5, metadata: {} },
    cells: [{ id: "a", cell_type: "code", metadata: {}, execution_count: null, outputs: [], source }],
  });
const manifest = (name: string) => JSON.stringify({ name, version: "1.0.0" });

/** The content of a file before and after its change. */
export function contentsOf(path: string): { old: string; fresh: string } {
  if (path.endsWith(".ipynb")) return { old: notebook("old = 1"), fresh: notebook("fresh = 1") };
  if (path === "package-lock.json") return { old: manifest("old"), fresh: manifest("fresh") };
  return { old: "export const old = 1;\n", fresh: "export const fresh = 1;\n" };
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function shellFor({ path, kind }: Change): string {
  if (kind === "delete") return `rm ${quoted(path)}`;
  return `mkdir -p "$(dirname ${quoted(path)})"; printf %s ${quoted(contentsOf(path).fresh)} > ${quoted(path)}`;
}

function git({ root }: Pick<TestWield, "root">, ...args: string[]): void {
  const person = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.hooksPath=/dev/null"];
  execFileSync("git", [...person, ...args], { cwd: root, stdio: "ignore" });
}

function commitAll(place: Pick<TestWield, "root">): void {
  git(place, "add", "-A", "-f");
  git(place, "commit", "-q", "--allow-empty", "-m", "state");
}

/** In a repository whose last commit has the file as it should become, while the folder has it as it is. */
function withCommitted({ path, kind }: Change, place: Place): void {
  const file = join(place.root, path);
  git(place, "init", "-q");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contentsOf(path).fresh);
  commitAll(place);
  if (kind === "replace") writeFileSync(file, contentsOf(path).old);
  else rmSync(file);
}

/** Over the wire, as another program would. */
async function overMcp(wield: Wield, { path, kind }: Change): Promise<void> {
  const served = serveMcpHttp(createMcp(wield));
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = async (body: object) => {
    const init = { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...body }) };
    const response = await served.fetch(new Request("http://127.0.0.1/mcp", init));
    await response.text();
    return response.headers.get("mcp-session-id");
  };
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  headers["mcp-session-id"] = (await post({ id: 1, method: "initialize", params })) ?? "";
  await post({ method: "notifications/initialized" });
  const call =
    kind === "delete"
      ? { name: "delete_file", arguments: { path } }
      : {
          name: "write_file",
          arguments: { path, content: contentsOf(path).fresh, createDirs: true },
        };
  await post({ id: 2, method: "tools/call", params: call });
  await served.close();
}

const fileTool = ({ path, kind }: Change, wield: Wield) =>
  kind === "delete"
    ? wield.call("delete_file", { path })
    : wield.call("write_file", { path, content: contentsOf(path).fresh, createDirs: true });

const yes = () => ({ approved: true });
const always = () => true;
const whenCreating = ({ kind }: Change) => kind === "create";
const only =
  (kind: Change["kind"], make: (change: Change, place: Place) => Promise<unknown>): Way["make"] =>
  (change, place) =>
    change.kind === kind ? make(change, place) : "none";

/** A run whose changes wait for a person. */
async function afterHolding(change: Change, wield: Wield, reopen: Place["reopen"]): Promise<unknown> {
  const asking = await reopen();
  const { result } = await asking.call("run_code", { language: "bash", code: shellFor(change) });
  const id = result.ok ? result.value.held?.id : undefined;
  if (id === undefined) throw new Error("nothing was held");
  return wield.call("apply_held_changes", { id });
}

/** Every way in which a byte of the workspace can change. */
export const ways: readonly Way[] = [
  {
    name: "a file tool",
    tools: ["write_file", "delete_file"],
    make: (change, { wield }) => fileTool(change, wield),
  },
  {
    name: "a new file by its own tool",
    tools: ["create_file"],
    isStricter: always,
    make: only("create", ({ path }, { wield }) =>
      wield.call("create_file", { path, content: contentsOf(path).fresh, description: "d" }),
    ),
  },
  {
    name: "an edit",
    tools: ["edit_file"],
    make: only("replace", ({ path }, { wield }) =>
      wield.call("edit_file", { path, content: contentsOf(path).fresh, description: "d" }),
    ),
  },
  {
    name: "a replacement in a file",
    tools: ["replace_in_file"],
    make: only("replace", ({ path }, { wield }) =>
      wield.call("replace_in_file", {
        path,
        edits: [{ oldText: "old", newText: "fresh" }],
        description: "d",
      }),
    ),
  },
  {
    name: "several edits",
    tools: ["edit_files"],
    isStricter: whenCreating,
    make: ({ path, kind }, { wield }) =>
      wield.call("edit_files", {
        changes: [kind === "delete" ? { path, delete: true } : { path, content: contentsOf(path).fresh }],
        description: "d",
      }),
  },
  {
    name: "a patch",
    tools: ["apply_patch"],
    isStricter: whenCreating,
    make: ({ path, kind }, { wield }) => {
      if (path.endsWith(".ipynb") || path.endsWith(".json")) return "none";
      const body = {
        create: `*** Add File: ${path}\n+export const fresh = 1;\n`,
        replace: `*** Update File: ${path}\n-export const old = 1;\n+export const fresh = 1;\n`,
        delete: `*** Delete File: ${path}\n`,
      }[kind];
      return wield.call("apply_patch", { patch: `*** Begin Patch\n${body}*** End Patch\n` });
    },
  },
  {
    name: "a notebook's cell",
    tools: ["edit_notebook"],
    make: ({ path, kind }, { wield }) =>
      kind === "replace" && path.endsWith(".ipynb")
        ? wield.call("edit_notebook", { path, cell: 0, source: "fresh = 1" })
        : "none",
  },
  {
    name: "a move",
    tools: ["move_file"],
    // What is moved leaves its own place, too.
    isStricter: always,
    make: ({ path, kind }, { wield, write }) => {
      if (kind === "delete") return "none";
      write("moved.txt", contentsOf(path).fresh);
      return wield.call("move_file", { from: "moved.txt", to: path, overwrite: kind === "replace" });
    },
  },
  {
    name: "a renamed symbol",
    tools: ["rename_symbol"],
    make: ({ path, kind }, { wield }) =>
      kind === "replace" && path.endsWith(".ts")
        ? wield.call("rename_symbol", { symbol: `${path}#old`, to: "fresh" })
        : "none",
  },
  {
    name: "a run",
    tools: ["run_code"],
    make: (change, { wield }) => wield.call("run_code", { language: "bash", code: shellFor(change) }),
  },
  {
    name: "a process in the background",
    tools: ["background_processes"],
    make: async (change, { wield }) => {
      const code = `${shellFor(change)}; sleep 600`;
      const { text } = await wield.call("run_code", { language: "bash", code, background: true });
      const id = /\bp_\w+/.exec(text)?.[0];
      return id === undefined ? undefined : wield.call("background_processes", { id, stop: true });
    },
  },
  {
    name: "the sandbox of the AI SDK",
    tools: [],
    make: async (change, { wield }) => (await wield.sandboxSession()).run({ command: shellFor(change) }),
  },
  {
    name: "a custom tool",
    tools: ["change_it"],
    make: (change, { wield }) => wield.callAny("change_it", change),
  },
  {
    name: "a formatter",
    tools: ["format_code"],
    make: only("replace", ({ path }, { wield }) => wield.call("format_code", { paths: [path] })),
  },
  {
    name: "packages",
    tools: ["install_package"],
    isStricter: always,
    make: ({ path, kind }, { wield, write }) => {
      if (path !== "package-lock.json" || kind === "delete") return "none";
      write("package.json", manifest("fresh"));
      return wield.call("install_package", { manager: "npm", packages: [] });
    },
  },
  {
    name: "undo",
    tools: ["undo"],
    make: async ({ path, kind }, { wield, reopen }) => {
      // What is undone was made with a person's yes.
      const approving = await reopen({ approve: yes });
      const write = (content: string) => approving.call("write_file", { path, content, createDirs: true });
      await approving.call("delete_file", { path });
      const { old, fresh } = contentsOf(path);
      await write(kind === "replace" ? fresh : old);
      if (kind === "replace") await write(old);
      if (kind === "create") await approving.call("delete_file", { path });
      return wield.call("undo", {});
    },
    // Bringing back asks, by its own default.
    isStricter: whenCreating,
  },
  {
    name: "redo",
    tools: ["redo"],
    isStricter: whenCreating,
    make: async (change, { wield, reopen }) => {
      const approving = await reopen({ approve: yes });
      await fileTool(change, approving);
      await approving.call("undo", {});
      return wield.call("redo", {});
    },
  },
  {
    name: "held changes",
    tools: ["apply_held_changes"],
    make: (change, { wield, reopen }) => {
      if (change.kind === "create") return "none";
      return afterHolding(change, wield, reopen);
    },
  },
  {
    name: "git restore",
    tools: ["git_restore"],
    isStricter: whenCreating,
    make: (change, place) => {
      if (change.kind === "delete") return "none";
      withCommitted(change, place);
      return place.wield.call("git_restore", { paths: [change.path] });
    },
  },
  {
    name: "git stash",
    tools: ["git_stash"],
    isStricter: always,
    make: only("replace", (change, place) => {
      withCommitted(change, place);
      return place.wield.call("git_stash", { action: "push" });
    }),
  },
  {
    name: "another branch",
    tools: ["git_branch"],
    isStricter: always,
    make: only("replace", async ({ path }, place) => {
      git(place, "init", "-q", "-b", "main");
      commitAll(place);
      git(place, "switch", "-q", "-c", "other");
      place.write(path, contentsOf(path).fresh);
      commitAll(place);
      git(place, "switch", "-q", "main");
      return place.wield.call("git_branch", { action: "switch", name: "other" });
    }),
  },
  {
    name: "a worktree of a session",
    tools: [],
    make: async (change, place) => {
      git(place, "init", "-q");
      commitAll(place);
      const { worktree } = await place.wield.worktrees.open("apart");
      const wield = await place.reopen({ ...place.options, workspace: worktree.folder });
      await fileTool(change, wield);
      return worktree.folder;
    },
  },
  { name: "an MCP client", tools: [], make: (change, { wield }) => overMcp(wield, change) },
  {
    name: "an editor with text that is not saved",
    tools: [],
    make: async (change, { reopen, options }) => {
      const unsaved = async (_path: string, onDisk: string) => `${onDisk}unsaved\n`;
      return void (await fileTool(change, await reopen({ ...options, unsaved })));
    },
  },
];

/** Tools that are in no way, and why. */
export const otherTools: Readonly<Record<string, string>> = {
  git_worktree: "adds or removes a whole checkout in a folder of its own; it asks as a command",
};

export const changeIt = defineChangeTool({
  name: "change_it",
  title: "Change",
  description: "Changes a file.",
  category: "Mine",
  input: z.object({ path: z.string(), kind: z.string() }),
  output: z.object({}),
  approval: (effects) => (effects.some((effect) => changeDefault(effect) === "ask") ? "ask" : "auto"),
  operations: ({ path, kind }) => [
    kind === "delete"
      ? { op: "delete" as const, path }
      : { op: "write" as const, path, bytes: Buffer.from(contentsOf(path).fresh), createDirs: true },
  ],
  describe: () => "change",
  value: () => ({}),
});

export const formatCommand = [
  "sh",
  "-c",
  'for file; do sed s/old/fresh/ "$file" > /tmp/x; cat /tmp/x > "$file"; done',
  "format",
];
