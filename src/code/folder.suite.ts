// Real folders for tests: the port onto plain files, and a temporary place for an index.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { IndexFolder, SourceFiles } from "./files.ts";

export function filesBelow(root: string): SourceFiles {
  return {
    async each(visit, { maxBytes }) {
      const walk = (folder: string) => {
        for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
          a.name < b.name ? -1 : 1,
        )) {
          if (entry.name === ".git" || entry.name === "node_modules") continue;
          const path = join(folder, entry.name);
          if (entry.isDirectory()) walk(path);
          if (!entry.isFile()) continue;
          const stats = statSync(path, { throwIfNoEntry: false });
          if (!stats) continue;
          const file = { path: relative(root, path), size: stats.size, modified: stats.mtime.toISOString() };
          visit(file, () => {
            try {
              return stats.size > maxBytes ? null : readFileSync(path);
            } catch {
              return null;
            }
          });
        }
      };
      walk(root);
    },
    async stat(path) {
      const stats = statSync(join(root, path), { throwIfNoEntry: false });
      return stats && { path, size: stats.size, modified: stats.mtime.toISOString(), isFile: stats.isFile() };
    },
    async read(path) {
      return readFileSync(join(root, path));
    },
  };
}

export function indexFolderAt(path: string): IndexFolder {
  mkdirSync(path, { recursive: true });
  return {
    path,
    read: (name) => {
      try {
        return readFileSync(join(path, name));
      } catch {
        return undefined;
      }
    },
    write: (name, bytes) => {
      const temporary = join(path, `${name}.${process.pid}.tmp`);
      writeFileSync(temporary, bytes);
      renameSync(temporary, join(path, name));
    },
    remove: (name) => rmSync(join(path, name), { force: true }),
    names: () => readdirSync(path),
  };
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
