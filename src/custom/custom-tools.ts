import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { Folder } from "../workspace/folder.ts";
import { type TypeChecker, typeErrors } from "./type-check.ts";
import { loadWorkerTool, type WorkerTool } from "./worker-tool.ts";

/** A folder of tool files that may run: the user's, or that of a trusted workspace. */
export interface ToolFolder {
  folder: Folder;
  /** The absolute path; threads load the files from it. */
  path: string;
}

const unchecked =
  "The types of your tool files were not checked. This needs a trusted workspace with TypeScript (npm install -D typescript).";

interface Loaded {
  stamp: string;
  tool?: WorkerTool;
  problem?: string;
}

/**
 * Tools from `*.ts` files, one each. A changed file is reloaded; one that fails does not affect the others. Loading does not
 * check types: that happens on demand, with the compiler that `checker` finds.
 */
export function customTools(
  folders: () => Promise<readonly ToolFolder[]>,
  root: string,
  checker: () => Promise<TypeChecker | undefined>,
): ToolSource {
  const files = new Map<string, Loaded>();

  async function refresh(): Promise<void> {
    const present = new Map<string, string>();
    for (const { folder, path } of await folders()) {
      for (const file of await folder.list())
        if (/^[^/]+\.ts$/.test(file.path) && !/\.(?:test|d)\.ts$/.test(file.path))
          present.set(join(path, file.path), file.stamp);
    }
    for (const [file, { tool }] of files) {
      if (present.has(file)) continue;
      tool?.close();
      files.delete(file);
    }
    await Promise.all(
      [...present].map(async ([file, stamp]) => {
        const before = files.get(file);
        if (before?.stamp === stamp) return;
        before?.tool?.close();
        files.set(file, { stamp });
        const loaded = await loadWorkerTool(file, root).then(
          (tool): Loaded => ({ stamp, tool }),
          (error: Error): Loaded => ({ stamp, problem: error.message }),
        );
        // The file was saved again while it was loading: the newer load wins.
        if (files.get(file)?.stamp === stamp) files.set(file, loaded);
        else loaded.tool?.close();
      }),
    );
  }

  return {
    refresh,
    tools: () => [...files.values()].flatMap(({ tool }) => (tool ? [tool.tool] : [])),
    problems: () => [...files.values()].flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
    pending: () => [],
    check: async () => {
      if (files.size === 0) return [];
      const found = await checker();
      if (!found) return [unchecked];
      return typeErrors([...files.keys()], found).catch((error: unknown) => {
        if (error instanceof Failure)
          return [`The types of your tool files were not checked: ${error.message}`];
        throw error;
      });
    },
    withheld: () => undefined,
    close: () => {
      for (const { tool } of files.values()) tool?.close();
      files.clear();
    },
  };
}
