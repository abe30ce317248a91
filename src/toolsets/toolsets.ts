import type { AnyTool, Tool } from "../tool/tool.ts";
import { type AgentServices, agentTools } from "../tools/agent/agent.ts";
import { type ExploreServices, exploreTools } from "../tools/explore/explore.ts";
import { type FileServices, fileTools } from "../tools/files/files.ts";
import { type GitServices, gitTools } from "../tools/git/git.ts";
import { type RunServices, runTools } from "../tools/run/run.ts";
import { type StudioServices, studioTools } from "../tools/studio/studio.ts";
import type { readResearch } from "../tools/web/read-research.ts";
import { type WebServices, webTools } from "../tools/web/web.ts";

/** What the built-in tools need from outside. */
export type ToolServices = AgentServices &
  ExploreServices &
  FileServices &
  GitServices &
  RunServices &
  StudioServices &
  WebServices;

/** Every built-in tool by name, in the order they are shown. */
const builtin = {
  ...fileTools,
  ...exploreTools,
  ...gitTools,
  ...studioTools,
  ...runTools,
  ...webTools,
  ...agentTools,
} satisfies Record<string, (services: ToolServices) => Promise<AnyTool>>;

type Loaders = typeof builtin & { read_research: () => Promise<ReturnType<typeof readResearch>> };

/** The names of the built-in tools. */
export type BuiltinName = keyof Loaders;

type Builtin<N extends BuiltinName> = Awaited<ReturnType<Loaders[N]>>;

/** What a caller sends to a built-in tool; members with a default may be left out. */
export type ToolInput<N extends BuiltinName> =
  // biome-ignore lint/suspicious/noExplicitAny: any tool fits, only its input is looked at
  Builtin<N> extends Tool<any, any, infer Given> ? Given : never;

/** What a built-in tool returns. */
export type ToolValue<N extends BuiltinName> =
  // biome-ignore lint/suspicious/noExplicitAny: any tool fits, only its value is looked at
  Builtin<N> extends Tool<any, infer Value, any> ? Value : never;

/** Registered only when the user named a repository, so it is no entry of the table. */
export const builtinNames: readonly string[] = [...Object.keys(builtin), "read_research"];

/** The built-in tools among `names`, in the order of the table, and those that they call to complete a call. */
export async function loadTools(names: Iterable<string>, services: ToolServices): Promise<Tool[]> {
  const wanted = new Set(names);
  const load = (isWanted: (name: string) => boolean): Promise<Tool[]> =>
    Promise.all(Object.entries(builtin).flatMap(([name, one]) => (isWanted(name) ? [one(services)] : [])));
  const tools = await load((name) => wanted.has(name));
  const called = new Set(tools.map(({ followUp }) => followUp?.tool));
  return [...tools, ...(await load((name) => called.has(name) && !wanted.has(name)))];
}

/** Named lists, each for one kind of agent. Twins (two names for one engine) are never in the same list. */
export const toolsets = {
  workspace: [
    "list_directory",
    "read_file",
    "write_file",
    "delete_file",
    "move_file",
    "git_status",
    "git_diff",
    "git_log",
    "git_commit",
    "git_push",
    "git_show",
    "git_blame",
    "git_branch",
    "git_stash",
    "git_restore",
    "git_worktree",
    "pull_request",
    "search_code",
    "run_code",
    "background_processes",
    "apply_held_changes",
    "run_tests",
    "format_code",
    "install_package",
    "web_fetch",
    "web_search",
    "read_result",
  ],
  coding: [
    "read_file",
    "list_files",
    "search_files",
    "find_files",
    "find_definition",
    "find_importers",
    "edit_file",
    "create_file",
    "replace_in_file",
    "edit_files",
    "apply_patch",
    "edit_notebook",
    "rename_symbol",
    "undo",
    "redo",
    "read_result",
  ],
  studio: [
    "createDocument",
    "updateDocument",
    "readDocument",
    "listDocuments",
    "searchDocuments",
    "requestSuggestions",
    "createPlan",
    "updatePlan",
    "readPlan",
    "readSkill",
    "searchSkills",
    "searchTools",
    "agentBrowserNavigate",
    "agentBrowserInteract",
    "agentBrowserExtract",
    "agentBrowserClose",
    "browseWeb",
    "executeCode",
    "getWeather",
    "read_result",
  ],
  explore: [
    "tree",
    "symbols",
    "definition",
    "references",
    "graph",
    "search_types",
    "search_code",
    "grep",
    "glob",
    "read",
    "batch_read",
    "read_result",
  ],
  research: ["web_search", "read_research", "web_fetch", "read_file", "read_result"],
} as const satisfies Record<string, readonly string[]>;

export type ToolsetName = keyof typeof toolsets;

export const twins = [
  ["list_directory", "list_files"],
  ["search_files", "grep"],
  ["find_files", "glob"],
  ["read_file", "read"],
  ["find_definition", "definition"],
] as const;
