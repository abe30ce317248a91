/** The files of a workspace as code intelligence needs them. `app` joins it to the workspace. */
export interface SourceFiles {
  /** Every file that is not ignored, with its bytes on demand (null when it cannot be read, or is larger than `maxBytes`). */
  each(
    visit: (file: SourceFile, read: () => Buffer | null) => void,
    options: { maxBytes: number; signal?: AbortSignal | undefined },
  ): Promise<void>;
  /** The state of one path; undefined when there is nothing. */
  stat(path: string): Promise<(SourceFile & { isFile: boolean }) | undefined>;
  /** One file by path, checked like every path a model gives. */
  read(path: string): Promise<Buffer>;
}

export interface SourceFile {
  path: string;
  size: number;
  /** ISO 8601. */
  modified: string;
}

/** Wield's own folder for one workspace's index. Names are plain file names. */
export interface IndexFolder {
  /** Where it is, for the database. */
  readonly path: string;
  read(name: string): Buffer | undefined;
  /** Old or new, never half. */
  write(name: string, bytes: Uint8Array): void;
  remove(name: string): void;
  names(): string[];
}
