import { join } from "node:path";
import type { CodeIntelligence } from "../code/code.ts";
import type { ReadCommits } from "../code/files/files.ts";
import type { Watched } from "../code/filling.ts";
import { announceChange } from "../code/word-index/last-survey.ts";
import { sha256 } from "../text/digest.ts";
import { copyClosedDatabase, isThere, writableFolder } from "../workspace/state-files.ts";
import type { WholeWorkspace } from "../workspace/workspace.ts";

/** In the folder of an index: what was parsed, by content. As `code/syntax/syntax-store.ts` names it. */
const syntaxFile = "syntax.db";

interface IndexParts {
  /** Called with indexing that somebody waits for. */
  watched?: Watched | undefined;
  /**
   * A file with what was parsed in earlier workspaces of the same repository; this one begins with a copy of it, and leaves
   * its own there.
   */
  parsed?: string | undefined;
  pastCommits?: ReadCommits | undefined;
}

/** The index of a workspace's code, opened when it is first asked for. */
export class CodeIndex {
  readonly #workspace: WholeWorkspace;
  readonly #folder: string;
  readonly #parts: IndexParts;
  #code: CodeIntelligence | undefined;
  #close = () => {};

  constructor(workspace: WholeWorkspace, stateDir: string, parts: IndexParts = {}) {
    this.#workspace = workspace;
    this.#parts = parts;
    this.#folder = indexFolderOf(stateDir, workspace.root);
  }

  async open(): Promise<CodeIntelligence> {
    const { CodeIntelligence } = await import("../code/code.ts");
    if (!this.#code) {
      // A state folder that cannot be written costs the index of earlier processes, not the search.
      const folder = writableFolder(this.#folder);
      const { watched, parsed, pastCommits } = this.#parts;
      const own = join(folder.path, syntaxFile);
      if (parsed !== undefined && !isThere(own)) copyClosedDatabase(parsed, own);
      const code = new CodeIntelligence(this.#workspace, folder.path, watched, pastCommits);
      this.#code = code;
      this.#close = () => {
        code.close();
        if (parsed !== undefined) copyClosedDatabase(own, parsed);
        folder.remove();
      };
    }
    return this.#code;
  }

  /** These files were changed: an index that is not open finds out when it is opened. */
  changed(paths: readonly string[]): void {
    if (this.#code) this.#code.invalidate(paths);
    else announceChange(this.#folder);
  }

  close(): void {
    this.#close();
  }
}

/** Where the index of a workspace is kept. */
export function indexFolderOf(stateDir: string, root: string): string {
  return join(stateDir, "code", folderNameFor(root));
}

/** The path itself where that makes a name: a hash would load all of cryptography for one short command. */
function folderNameFor(path: string): string {
  const name = path.isWellFormed() ? encodeURIComponent(path) : "";
  return name !== "" && name.length <= 200 ? name : sha256(path);
}
