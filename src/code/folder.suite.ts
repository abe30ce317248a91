// Real folders for tests: the port onto a folder, and a temporary place for an index.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "../testing/remove-folder.ts";
import { readPath, statPath } from "../workspace/files.ts";
import { Jail } from "../workspace/jail.ts";
import { surveyTree } from "../workspace/survey.ts";
import type { SourceFiles } from "./files/files.ts";
import { indexFolder, workspaceFiles } from "./files/workspace-files.ts";
import { Project } from "./project/project.ts";

export const indexFolderAt = indexFolder;

export function filesBelow(root: string): SourceFiles {
  const jail = new Jail(root);
  return workspaceFiles({
    root: jail.root,
    survey: (before, options) => surveyTree(jail, before, options),
    stat: async (path) => statPath(jail, path),
    read: async (path) => readPath(jail, path),
  });
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "wield-code-"));
}

export function writeTree(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export interface ProjectPlace {
  project: Project;
  root: string;
  close(): void;
}

/** A project on an empty folder; both are gone when it is closed. */
export function openProject(): ProjectPlace {
  const root = temporaryFolder();
  const state = temporaryFolder();
  const project = new Project(filesBelow(root), indexFolderAt(state));
  return {
    project,
    root,
    close: () => {
      project.close();
      for (const folder of [root, state]) removeFolder(folder);
    },
  };
}
