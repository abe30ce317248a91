import { join } from "node:path";
import type { CodeIntelligence } from "../code/code.ts";
import type { ReadCommits } from "../code/files/files.ts";
import type { Watched } from "../code/filling.ts";
import type { SharedStart } from "../code/project/shared-index.ts";
import { announceChange } from "../code/word-index/last-survey.ts";
import { Failure } from "../failure/failure.ts";
import { rememberSuccess } from "../failure/remember-success.ts";
import { sha256 } from "../text/digest.ts";
import { writableFolder } from "../workspace/state-files.ts";
import type { WholeWorkspace } from "../workspace/workspace.ts";

/** An index that workspaces of one repository share. */
export interface SharedCode {
  /** Undefined: this workspace makes its own. */
  open(): Promise<SharedStart | undefined>;
  close(): void;
}

interface IndexParts {
  /** Called with indexing that somebody waits for. */
  watched?: Watched | undefined;
  shared?: SharedCode | undefined;
  pastCommits?: ReadCommits | undefined;
}

/** The index of a workspace's code, opened when it is first asked for. */
export class CodeIndex {
  readonly #workspace: WholeWorkspace;
  readonly #folder: string;
  readonly #parts: IndexParts;
  readonly open: () => Promise<CodeIntelligence>;
  #code: CodeIntelligence | undefined;
  #isClosed = false;
  #close = () => {};

  constructor(workspace: WholeWorkspace, stateDir: string, parts: IndexParts = {}) {
    this.#workspace = workspace;
    this.#parts = parts;
    this.#folder = indexFolderOf(stateDir, workspace.root);
    this.open = rememberSuccess(() => this.#open());
  }

  async #open(): Promise<CodeIntelligence> {
    const { CodeIntelligence } = await import("../code/code.ts");
    const { shared: sharedCode, ...parts } = this.#parts;
    const shared = await sharedCode?.open().catch(() => undefined);
    if (this.#isClosed) throw new Failure("ABORTED", "The index was closed.");
    // A state folder that cannot be written costs the index of earlier processes, not the search.
    const folder = writableFolder(this.#folder);
    const code = new CodeIntelligence(this.#workspace, folder.path, { ...parts, shared });
    this.#code = code;
    this.#close = () => {
      code.close();
      folder.remove();
    };
    return code;
  }

  /** The first line that the language of a file does not understand; null if none. Undefined where the grammar is not loaded. */
  async firstError(path: string, text: string): Promise<number | null | undefined> {
    return this.#code?.firstError(path, text);
  }

  /** These files were changed: an index that is not open finds out when it is opened. */
  changed(paths: readonly string[]): void {
    if (this.#code) this.#code.invalidate(paths);
    else announceChange(this.#folder);
  }

  close(): void {
    this.#isClosed = true;
    this.#close();
    this.#parts.shared?.close();
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
