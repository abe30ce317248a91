import type { Skills } from "../discovery/skills.ts";
import type { Documents } from "../store/documents.ts";
import type { Plans } from "../store/plans.ts";
import type { StoredResult } from "../store/store.ts";
import type { AnyTool, Tool } from "../tool/tool.ts";
import type { Code } from "../tools/explore/code-answers.ts";
import type { GitOptions } from "../tools/git/git.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { Suggest } from "../tools/studio/request-suggestions.ts";
import type { ToolFinder } from "../tools/studio/search-tools.ts";
import type { Web } from "../web/web.ts";

/** What the built-in tools need from outside. */
export interface ToolServices {
  results(id: string): StoredResult | undefined;
  readLines(): number;
  git: GitOptions;
  documents(): Documents;
  plans(): Plans;
  skills: Skills;
  discovery: ToolFinder;
  suggest: Suggest;
  code: Code;
  /** Only when a tool runs code: the sandbox is not loaded for anything else. */
  execution(): Promise<Execution>;
  web(): Promise<Web>;
}

/** Every built-in tool by name, in the order they are shown. Each is loaded when it is wanted: a command needs one. */
const builtin: Record<string, (services: ToolServices) => Promise<AnyTool>> = {
  list_directory: async () => (await import("../tools/files/list-directory.ts")).listDirectory,
  list_files: async () => (await import("../tools/files/list-files.ts")).listFiles,
  read_file: async (services) => (await import("../tools/files/read-file.ts")).readFile(services.readLines),
  write_file: async () => (await import("../tools/files/write-file.ts")).writeFile,
  delete_file: async () => (await import("../tools/files/delete-file.ts")).deleteFile,
  move_file: async () => (await import("../tools/files/move-file.ts")).moveFile,
  search_files: async ({ code }) => (await import("../tools/explore/search-files.ts")).searchFiles(code),
  find_files: async ({ code }) => (await import("../tools/explore/find-files.ts")).findFiles(code),
  find_definition: async ({ code }) =>
    (await import("../tools/explore/find-definition.ts")).findDefinition(code),
  find_importers: async ({ code }) =>
    (await import("../tools/explore/find-importers.ts")).findImporters(code),
  search_code: async ({ code }) => (await import("../tools/explore/search-code.ts")).searchCodeTool(code),
  tree: async () => (await import("../tools/explore/tree.ts")).tree,
  symbols: async ({ code }) => (await import("../tools/explore/symbols.ts")).symbols(code),
  definition: async ({ code }) => (await import("../tools/explore/definition.ts")).definition(code),
  references: async ({ code }) => (await import("../tools/explore/references.ts")).references(code),
  graph: async ({ code }) => (await import("../tools/explore/graph.ts")).graph(code),
  search_types: async ({ code }) => (await import("../tools/explore/search-types.ts")).searchTypes(code),
  grep: async ({ code }) => (await import("../tools/explore/grep.ts")).grep(code),
  glob: async ({ code }) => (await import("../tools/explore/glob.ts")).glob(code),
  read: async () => (await import("../tools/explore/read.ts")).read,
  batch_read: async () => (await import("../tools/explore/batch-read.ts")).batchRead,
  edit_file: async () => (await import("../tools/files/edit-file.ts")).editFile,
  create_file: async () => (await import("../tools/files/create-file.ts")).createFile,
  replace_in_file: async () => (await import("../tools/files/replace-in-file.ts")).replaceInFile,
  edit_files: async () => (await import("../tools/files/edit-files.ts")).editFiles,
  undo: async () => (await import("../tools/files/undo.ts")).undo,
  redo: async () => (await import("../tools/files/redo.ts")).redo,
  git_status: async (services) => (await import("../tools/git/git-status.ts")).gitStatus(services.git),
  git_diff: async (services) => (await import("../tools/git/git-diff.ts")).gitDiff(services.git),
  git_log: async (services) => (await import("../tools/git/git-log.ts")).gitLog(services.git),
  git_commit: async (services) => (await import("../tools/git/git-commit.ts")).gitCommit(services.git),
  git_push: async (services) => (await import("../tools/git/git-push.ts")).gitPush(services.git),
  createDocument: async (services) =>
    (await import("../tools/studio/create-document.ts")).createDocument(services.documents),
  updateDocument: async (services) =>
    (await import("../tools/studio/update-document.ts")).updateDocument(services.documents),
  readDocument: async (services) =>
    (await import("../tools/studio/read-document.ts")).readDocument(services.documents),
  listDocuments: async (services) =>
    (await import("../tools/studio/list-documents.ts")).listDocuments(services.documents),
  searchDocuments: async (services) =>
    (await import("../tools/studio/search-documents.ts")).searchDocuments(services.documents),
  requestSuggestions: async (services) =>
    (await import("../tools/studio/request-suggestions.ts")).requestSuggestions(
      services.documents,
      services.suggest,
    ),
  createPlan: async (services) => (await import("../tools/studio/create-plan.ts")).createPlan(services.plans),
  updatePlan: async (services) => (await import("../tools/studio/update-plan.ts")).updatePlan(services.plans),
  readPlan: async (services) => (await import("../tools/studio/read-plan.ts")).readPlan(services.plans),
  readSkill: async (services) => (await import("../tools/studio/read-skill.ts")).readSkill(services.skills),
  searchSkills: async (services) =>
    (await import("../tools/studio/search-skills.ts")).searchSkills(services.skills),
  searchTools: async (services) =>
    (await import("../tools/studio/search-tools.ts")).searchTools(services.discovery),
  run_code: async ({ execution }) => (await import("../tools/run/run-code.ts")).runCode(await execution()),
  apply_held_changes: async ({ execution }) =>
    (await import("../tools/run/apply-held-changes.ts")).applyHeldChanges((await execution()).held),
  run_tests: async ({ execution }) => (await import("../tools/run/run-tests.ts")).runTests(await execution()),
  format_code: async ({ execution }) =>
    (await import("../tools/run/format-code.ts")).formatCode(await execution()),
  install_package: async ({ execution }) =>
    (await import("../tools/run/install-package.ts")).installPackage(await execution()),
  executeCode: async ({ execution }) =>
    (await import("../tools/run/execute-code.ts")).executeCode(await execution()),
  web_fetch: async ({ web }) => (await import("../tools/web/web-fetch.ts")).webFetch(always(await web())),
  web_search: async ({ web }) => (await import("../tools/web/web-search.ts")).webSearch(always(await web())),
  browseWeb: async ({ web }) => (await import("../tools/web/browse-web.ts")).browseWeb(always(await web())),
  agentBrowserNavigate: async ({ web }) =>
    (await import("../tools/web/agent-browser-navigate.ts")).agentBrowserNavigate(always(await web())),
  agentBrowserInteract: async ({ web }) =>
    (await import("../tools/web/agent-browser-interact.ts")).agentBrowserInteract(always(await web())),
  agentBrowserExtract: async ({ web }) =>
    (await import("../tools/web/agent-browser-extract.ts")).agentBrowserExtract(always(await web())),
  agentBrowserClose: async ({ web }) =>
    (await import("../tools/web/agent-browser-close.ts")).agentBrowserClose(always(await web())),
  getWeather: async ({ web }) =>
    (await import("../tools/web/get-weather.ts")).getWeather(always(await web())),
  read_result: async (services) =>
    (await import("../tools/agent/read-result.ts")).readResult(services.results),
};

/** Registered only when the user named a repository, so it is no entry of the table. */
export const builtinNames: readonly string[] = [...Object.keys(builtin), "read_research"];

/** The built-in tools among `names`, in the order of the table. */
export async function loadTools(names: Iterable<string>, services: ToolServices): Promise<Tool[]> {
  const wanted = new Set(names);
  return Promise.all(
    Object.entries(builtin).flatMap(([name, load]) => (wanted.has(name) ? [load(services)] : [])),
  );
}

/** Named lists for one kind of agent each. Twins (two names on one engine) never stand in one list. */
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
    "search_code",
    "run_code",
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

function always<T>(service: T): () => T {
  return () => service;
}
