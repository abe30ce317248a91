import type { IndexFolder, PastCommit, SourceFiles } from "../files/files.ts";

const keptAs = "commits.json";
const mostCommits = 8_000;
/** The order of answers alone depends on it: it may be older than the files. */
const freshForMs = 60 * 60 * 1_000;
/** So long the first question waits for git, which reads the history in a moment where the machine is not busy. */
const patienceMs = 3_000;

interface KeptCommits {
  at: number;
  commits: PastCommit[];
}

/** The last commits of a workspace, read at most once in an hour and kept for later processes. */
export class CommitHistory {
  readonly #source: Pick<SourceFiles, "pastCommits">;
  readonly #folder: IndexFolder;
  #known: KeptCommits | undefined;
  #reading: Promise<void> | undefined;

  constructor(source: Pick<SourceFiles, "pastCommits">, folder: IndexFolder) {
    this.#source = source;
    this.#folder = folder;
  }

  /** The same array until it was read again. */
  async commits(): Promise<readonly PastCommit[]> {
    if (!this.#source.pastCommits) return [];
    this.#known ??= this.#kept();
    if (!this.#known || Date.now() - this.#known.at > freshForMs) {
      this.#reading ??= this.#read();
      if (!this.#known) await Promise.race([this.#reading, afterPatience()]);
    }
    return this.#known?.commits ?? [];
  }

  clear(): void {
    this.#known = undefined;
    this.#folder.remove(keptAs);
  }

  /** A workspace without a history, or whose git may not be run, is not asked again before an hour is over. */
  async #read(): Promise<void> {
    const commits = (await this.#source.pastCommits?.(mostCommits).catch(() => [])) ?? [];
    this.#known = { at: Date.now(), commits };
    this.#reading = undefined;
    try {
      this.#folder.write(keptAs, [Buffer.from(JSON.stringify(this.#known))]);
    } catch {
      // A full disk: the next process asks git again.
    }
  }

  #kept(): KeptCommits | undefined {
    try {
      const bytes = this.#folder.read(keptAs);
      const kept: unknown = bytes && JSON.parse(bytes.toString());
      return isKept(kept) && kept.at <= Date.now() ? kept : undefined;
    } catch {
      return undefined;
    }
  }
}

/** What another process wrote, or a damaged file. */
function isKept(value: unknown): value is KeptCommits {
  const { at, commits } = (value ?? {}) as Partial<Record<keyof KeptCommits, unknown>>;
  return typeof at === "number" && Array.isArray(commits) && commits.every(isCommit);
}

function isCommit(value: unknown): value is PastCommit {
  const { subject, files } = (value ?? {}) as Partial<Record<keyof PastCommit, unknown>>;
  return (
    typeof subject === "string" && Array.isArray(files) && files.every((file) => typeof file === "string")
  );
}

function afterPatience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
}
