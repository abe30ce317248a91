import type { SurveyedFolders } from "../../workspace/workspace.ts";
import type { IndexFolder, ReadCommits } from "../files/files.ts";
import { SyntaxStore } from "../syntax/syntax-store.ts";
import type { Segment } from "../word-index/segment.ts";
import type { SharedWords } from "../word-index/word-index.ts";
import { CommitHistory } from "./commit-history.ts";
import type { FirstLook } from "./first-look.ts";

/** What one workspace has of an index that it shares with others. */
export interface SharedStart {
  index: SharedIndex;
  words: SharedWords;
}

interface SharedIndexParts {
  generation: string;
  segments: readonly Segment[];
  /** The folders of the files that it was made from. */
  keptFolders(): SurveyedFolders;
  folder: IndexFolder;
  pastCommits: ReadCommits;
  /** The work of parsing the files, if it is not done yet; true: all are parsed. */
  parsing?: { done: Promise<boolean>; stop(): void };
}

/**
 * The index of files as several workspaces begin with them, made once from those files alone: what a workspace changes is in its own
 * index. Only the syntax of these very files is added while they are parsed.
 */
export class SharedIndex {
  readonly generation: string;
  readonly segments: readonly Segment[];
  readonly syntax: SyntaxStore;
  readonly history: CommitHistory;
  /** Resolves when they are parsed, or cannot be. */
  readonly parsed: Promise<void>;
  readonly #folders: () => SurveyedFolders;
  readonly #stop: () => void;
  #isParsed: boolean;

  constructor({ generation, segments, keptFolders, folder, pastCommits, parsing }: SharedIndexParts) {
    this.#folders = keptFolders;
    this.generation = generation;
    this.segments = segments;
    this.syntax = new SyntaxStore(folder);
    this.history = new CommitHistory({ pastCommits }, folder);
    this.#isParsed = parsing === undefined;
    this.#stop = parsing?.stop ?? (() => undefined);
    this.parsed = (parsing?.done ?? Promise.resolve(true)).then((isParsed) => {
      this.#isParsed = isParsed;
    });
  }

  get isParsed(): boolean {
    return this.#isParsed;
  }

  /** Whether one of the files has this content. */
  holds(key: string): boolean {
    const hash = key.slice(0, key.indexOf(":"));
    return this.segments.some(({ files }) => files.withHash(hash).length > 0);
  }

  async parsedWithin(limitMs: number): Promise<void> {
    if (this.#isParsed) return;
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, limitMs);
    await Promise.race([this.parsed, over.promise]);
    clearTimeout(timer);
  }

  /** For a workspace that looked so when it had just the files of this index; undefined: it had others. */
  startFor(look: FirstLook): SharedStart | undefined {
    const folders = look.folders(this.#folders());
    const there = folders.values().reduce((sum, { files }) => sum + files.length, 0);
    const indexed = this.segments.reduce((sum, { files }) => sum + files.length, 0);
    if (there !== indexed) return undefined;
    return { index: this, words: { generation: this.generation, segments: this.segments, folders } };
  }

  async close(): Promise<void> {
    this.#stop();
    await this.parsed;
    this.syntax.close();
  }
}
