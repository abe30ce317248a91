import type { Survey, SurveyedFolders, SurveyOptions } from "../../workspace/workspace.ts";

/** The files of a workspace as code intelligence needs them. */
export interface SourceFiles {
  /** Where they are, for threads of ours that open them, jailed, for themselves; undefined when they are in no folder. */
  readonly root: string | undefined;
  survey(before: SurveyedFolders | undefined, options?: SurveyOptions): Promise<Survey>;
  /** The state of one path; undefined when there is nothing. */
  stat(path: string): Promise<{ size: number; isFile: boolean } | undefined>;
  /** One file by path, checked like every path a model gives; fails when it has more than `maxBytes`. */
  read(path: string, maxBytes?: number): Promise<Buffer>;
  readonly pastCommits?: ReadCommits | undefined;
}

/** The last commits of the workspace, newest first; fails where no history can be read. */
export type ReadCommits = (most: number) => Promise<PastCommit[]>;

/** What was said of a change, and the files that it changed. */
export interface PastCommit {
  subject: string;
  files: string[];
}

/** Wield's own folder for one workspace's index. Names are plain file names. */
export interface IndexFolder {
  /** Where it is, for the database. */
  readonly path: string;
  read(name: string): Buffer | undefined;
  /** Old or new, never half. */
  write(name: string, chunks: readonly Uint8Array[]): void;
  remove(name: string): void;
  names(): string[];
  /** Makes the file for its owner alone, if it is not there: before a database is opened by its path. */
  ensurePrivate(name: string): void;
}
