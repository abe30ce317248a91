import type { StoredResult } from "../store/store.ts";
import type { Tool } from "../tool/tool.ts";
import { batchRead } from "../tools/batch-read.ts";
import type { Code } from "../tools/code-answers.ts";
import { createFile } from "../tools/create-file.ts";
import { definition } from "../tools/definition.ts";
import { deleteFile } from "../tools/delete-file.ts";
import { editFile } from "../tools/edit-file.ts";
import { editFiles } from "../tools/edit-files.ts";
import { findDefinition } from "../tools/find-definition.ts";
import { findFiles } from "../tools/find-files.ts";
import { findImporters } from "../tools/find-importers.ts";
import type { GitOptions } from "../tools/git.ts";
import { gitCommit } from "../tools/git-commit.ts";
import { gitDiff } from "../tools/git-diff.ts";
import { gitLog } from "../tools/git-log.ts";
import { gitPush } from "../tools/git-push.ts";
import { gitStatus } from "../tools/git-status.ts";
import { glob } from "../tools/glob.ts";
import { graph } from "../tools/graph.ts";
import { grep } from "../tools/grep.ts";
import { listDirectory } from "../tools/list-directory.ts";
import { listFiles } from "../tools/list-files.ts";
import { moveFile } from "../tools/move-file.ts";
import { read } from "../tools/read.ts";
import { readFile } from "../tools/read-file.ts";
import { readResult } from "../tools/read-result.ts";
import { redo } from "../tools/redo.ts";
import { references } from "../tools/references.ts";
import { replaceInFile } from "../tools/replace-in-file.ts";
import { searchCodeTool } from "../tools/search-code.ts";
import { searchFiles } from "../tools/search-files.ts";
import { searchTypes } from "../tools/search-types.ts";
import { symbols } from "../tools/symbols.ts";
import { tree } from "../tools/tree.ts";
import { undo } from "../tools/undo.ts";
import { writeFile } from "../tools/write-file.ts";

/** What the built-in tools need from outside. */
export interface ToolServices {
  results(id: string): StoredResult | undefined;
  readLines(): number;
  git: GitOptions;
  code: Code;
}

/** Every built-in tool, in the order they are shown. */
export function builtinTools(services: ToolServices): Tool[] {
  const tools = [
    listDirectory,
    listFiles,
    readFile(services.readLines),
    writeFile,
    deleteFile,
    moveFile,
    searchFiles(services.code),
    findFiles,
    findDefinition(services.code),
    findImporters(services.code),
    searchCodeTool(services.code),
    tree,
    symbols(services.code),
    definition(services.code),
    references(services.code),
    graph(services.code),
    searchTypes(services.code),
    grep(services.code),
    glob,
    read,
    batchRead,
    editFile,
    createFile,
    replaceInFile,
    editFiles,
    undo,
    redo,
    gitStatus(services.git),
    gitDiff(services.git),
    gitLog(services.git),
    gitCommit(services.git),
    gitPush(services.git),
    readResult(services.results),
  ];
  return tools as unknown as Tool[];
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
} as const satisfies Record<string, readonly string[]>;

export type ToolsetName = keyof typeof toolsets;

export const twins = [
  ["list_directory", "list_files"],
  ["search_files", "grep"],
  ["find_files", "glob"],
  ["read_file", "read"],
  ["find_definition", "definition"],
] as const;
