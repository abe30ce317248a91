import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * What in a git directory leads git to files elsewhere, to read them or to write into them: links at any depth, names of one file
 * that it shares with another place, other objects' folders. Git itself makes none of these. Object files are named by their
 * hash, which git compares, and never written to again: of them, only the folders can lead astray.
 */
export function strayEntries(gitDir: string, shownAs: string): string[] {
  const found: string[] = [];
  const look = (folder: string, shown: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const place = join(folder, entry.name);
      const path = `${shown}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!isObjectFolder(path) && !isHooksFolder(path)) look(place, path);
      } else if (path.endsWith("/fsmonitor--daemon.ipc")) continue;
      else if (/\/worktrees\/[^/]+\/config\.worktree$/.test(path))
        found.push(`the settings of a worktree at ${path}`);
      else if (entry.isSymbolicLink()) found.push(`a link at ${path}`);
      else if (!entry.isFile()) found.push(`something that is no file at ${path}`);
      else if (/\/objects\/info\/(http-)?alternates$/.test(path)) found.push(path);
      else if (!/\/objects\//.test(path) && lstatSync(place).nlink > 1) found.push(`a hard link at ${path}`);
    }
  };
  if (lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory()) look(gitDir, shownAs);
  return found;
}

/** Git writes nothing there, and its hooks are started neither in a folder that nobody trusts nor unasked elsewhere. */
function isHooksFolder(path: string): boolean {
  return /(^|\/)\.git\/(modules\/.*\/)?hooks$/.test(path);
}

function isObjectFolder(path: string): boolean {
  return /\/objects\/[0-9a-f]{2}$/.test(path);
}
