import type { Code } from "./code-answers.ts";

export interface ExploreServices {
  code: Code;
}

/** Tools that search and explain code. Each is loaded when it is wanted: a command needs one. */
export const exploreTools = {
  search_files: async ({ code }: ExploreServices) => (await import("./search-files.ts")).searchFiles(code),
  find_files: async ({ code }: ExploreServices) => (await import("./find-paths.ts")).findFiles(code),
  find_definition: async ({ code }: ExploreServices) =>
    (await import("./find-definition.ts")).findDefinition(code),
  find_importers: async ({ code }: ExploreServices) =>
    (await import("./find-importers.ts")).findImporters(code),
  search_code: async ({ code }: ExploreServices) => (await import("./search-code.ts")).searchCodeTool(code),
  tree: async () => (await import("./tree.ts")).tree,
  symbols: async ({ code }: ExploreServices) => (await import("./symbols.ts")).symbols(code),
  definition: async ({ code }: ExploreServices) => (await import("./definition.ts")).definition(code),
  references: async ({ code }: ExploreServices) => (await import("./references.ts")).references(code),
  graph: async ({ code }: ExploreServices) => (await import("./graph.ts")).graph(code),
  search_types: async ({ code }: ExploreServices) => (await import("./search-types.ts")).searchTypes(code),
  rename_symbol: async ({ code }: ExploreServices) => (await import("./rename-symbol.ts")).renameSymbol(code),
  grep: async ({ code }: ExploreServices) => (await import("./grep.ts")).grep(code),
  glob: async ({ code }: ExploreServices) => (await import("./find-paths.ts")).glob(code),
  read: async () => (await import("./read.ts")).read,
  batch_read: async ({ code }: ExploreServices) => (await import("./batch-read.ts")).batchRead(code),
};
