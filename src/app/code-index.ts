import { join } from "node:path";
import type { CodeIntelligence } from "../code/code.ts";
import type { Watched } from "../code/filling.ts";
import { announceChange } from "../code/word-index/last-survey.ts";
import { sha256 } from "../text/digest.ts";
import { writableFolder } from "../workspace/state-files.ts";
import type { WholeWorkspace } from "../workspace/workspace.ts";

/** The index of a workspace's code, opened when it is first asked for. */
export class CodeIndex {
  readonly #workspace: WholeWorkspace;
  readonly #folder: string;
  readonly #watched: Watched | undefined;
  #code: CodeIntelligence | undefined;
  #remove = () => {};

  /** `watched` is called with indexing that somebody waits for. */
  constructor(workspace: WholeWorkspace, stateDir: string, watched: Watched | undefined) {
    this.#workspace = workspace;
    this.#watched = watched;
    this.#folder = join(stateDir, "code", folderNameFor(workspace.root));
  }

  async open(): Promise<CodeIntelligence> {
    const { CodeIntelligence } = await import("../code/code.ts");
    if (!this.#code) {
      // A state folder that cannot be written costs the index of earlier processes, not the search.
      const folder = writableFolder(this.#folder);
      this.#remove = folder.remove;
      this.#code = new CodeIntelligence(this.#workspace, folder.path, this.#watched);
    }
    return this.#code;
  }

  /** These files were changed: an index that is not open finds out when it is opened. */
  changed(paths: readonly string[]): void {
    if (this.#code) this.#code.invalidate(paths);
    else announceChange(this.#folder);
  }

  close(): void {
    this.#code?.close();
    this.#remove();
  }
}

/** The path itself where that makes a name: a hash would load all of cryptography for one short command. */
function folderNameFor(path: string): string {
  const name = path.isWellFormed() ? encodeURIComponent(path) : "";
  return name !== "" && name.length <= 200 ? name : sha256(path);
}
