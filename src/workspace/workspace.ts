/** A root directory and everything Wield may do in it. Paths are relative to the root, with `/`; see jail.ts. */
export interface Workspace {
  /** The real path of the root, for display and for sandboxed processes; never used to open files. */
  readonly root: string;

  /** About the path itself: a symlink is reported as a symlink. */
  stat(path: string): Promise<Entry>;
  /** The same; null where nothing is. */
  statIfThere(path: string): Promise<Entry | null>;
  /** What a path leads to through symlinks; the entry's own path is free of them and of `..`. */
  resolve(path: string): Promise<Entry>;
  /** Bytes of a regular file. `TOO_LARGE` above `maxBytes` (default 10 MB), even if the file grows while it is read. */
  read(path: string, options?: { maxBytes?: number }): Promise<FileContent>;
  /** One directory, sorted by name. Names are raw: callers that show them escape them. */
  /** Names that are not UTF-8 come last, as `notText`. */
  list(path: string): Promise<Entry[]>;
  /** Files and links below `under`, depth first, sorted; directories too when asked. */
  walk(options?: WalkOptions): AsyncIterable<Entry>;
  /**
   * The regular files of a walk, for reading many cheaply: `read` is good until `visit` returns, and gives null for a
   * file above `maxBytes` (default 1 MB), gone or not permitted.
   */
  readEach(
    options: WalkOptions & { maxBytes?: number },
    visit: (entry: Entry, read: () => Buffer | null) => void | Promise<void>,
  ): Promise<void>;

  /**
   * Filters paths that were found in another way, as a walk below `under` would with these ignore files (default:
   * all).
   */
  ignoring(under: string, ruleNames?: readonly string[]): Promise<(path: string) => boolean>;

  /** What `apply` would do, with pre-images; changes nothing. */
  plan(operations: readonly FileOperation[], options?: PlanOptions): Promise<Plan>;
  /**
   * All or nothing, atomic per file, in the journal. `CONFLICT` when a path is not as `expect` says. A file with several
   * hard links is replaced under this name only; the others keep the old content.
   */
  apply(operations: readonly FileOperation[], by: Authorship): Promise<Change>;

  changes(query?: ChangeQuery): Promise<Change[]>;
  change(id: string): Promise<Change | undefined>;
  /** What undoing (or redoing) would do, so that it can be shown and approved like any other change. */
  planReversal(direction: "undo" | "redo", which: Which): Promise<Reversal>;
  reverse(direction: "undo" | "redo", which: Which, by: Authorship): Promise<Change[]>;

  /** The current position in the journal; it increases whenever a change is made, undone or redone. */
  position(): Promise<number>;
  /** How to return the files of certain calls to a position in the journal; changes nothing. */
  planRewind(point: RewindPoint): Promise<Rewind>;
  rewind(point: RewindPoint, by: Authorship): Promise<Rewind>;

  close(): void;
}

/** The workspace as its owner sees it; tools get only `Workspace`. */
export interface WholeWorkspace extends Workspace {
  /** All files that are not ignored, and what changed since an earlier survey. */
  survey(before: SurveyedFolders | undefined, options?: SurveyOptions): Promise<Survey>;
}

export type EntryType = "file" | "directory" | "symlink" | "other";

export interface Entry {
  path: string;
  name: string;
  type: EntryType;
  size: number;
  /** ISO 8601. */
  modified: string;
  mode: number;
  /** Where a symlink points, as written. */
  target?: string;
  /** The name is not UTF-8: it is shown escaped, and no path can refer to it. */
  notText?: true;
  /** The path is too long for the system; only with `notText`. */
  tooLong?: true;
  /** Only where it was asked for. */
  identity?: Identity;
}

/** What a name leads to, for the system: equal ids, the same file or folder. */
export interface Identity {
  /** Device and inode. */
  id: string;
  /** How many names it has. */
  links: number;
  /** When its content, its mode or its names last changed, in milliseconds. */
  changed: number;
}

/** One directory at the time of the survey. Times are ctimes, which cannot be set back, in milliseconds. */
export interface SurveyedFolder {
  path: string;
  /** NaN, which equals nothing, if the time was too recent to reveal a later change. */
  time: number;
  /** Its ignore files, and one number for the state of all of them. */
  rules: string[];
  rulesState: number;
  /** Names, sorted: directories that are walked, and regular files. */
  folders: string[];
  files: string[];
  /** One value per file, starting at `first`: the stored form has one array for all folders. */
  first: number;
  sizes: ArrayLike<number>;
  times: ArrayLike<number>;
  /** The mtime, which the owner may set. */
  modified: ArrayLike<number>;
  /** Names of symlinks and special files. */
  others: string[];
}

/** By path, parents first. */
export type SurveyedFolders = Map<string, SurveyedFolder>;

export interface SurveyedFile {
  path: string;
  size: number;
  time: number;
}

export interface SurveyOptions {
  signal?: AbortSignal | undefined;
  /**
   * Only files with these names are checked for changes in place; new and removed files are always noticed. Default:
   * all.
   */
  isWanted?: ((name: string) => boolean) | undefined;
}

export interface Survey {
  /** The same map object as in the earlier survey if nothing has changed. */
  folders: SurveyedFolders;
  /** New or changed. */
  changed: SurveyedFile[];
  /** Paths that were files before. */
  gone: string[];
}

export interface FileContent {
  bytes: Buffer;
  size: number;
  modified: string;
  mode: number;
  /** The path from the root, without symlinks and `..`. */
  place: string;
  identity: Identity;
  fingerprint: Fingerprint;
}

/**
 * The state of one path as a string: `absent`, `directory`, `file:<mode>:<sha256>`, `link:<target>`. Equal strings
 * mean equal states.
 */
export type Fingerprint = string;

export interface WalkOptions {
  under?: string;
  /** If `under` does not exist, finds nothing instead of failing. */
  ifThere?: boolean;
  /** Include names that start with a dot. Default false. */
  hidden?: boolean;
  /** Include what `.gitignore`, `.ignore` and `.wieldignore` exclude. Default false. */
  ignored?: boolean;
  directories?: boolean;
  /** Include everything, even `.git` and names that are not valid text, decoded as far as possible. */
  everything?: boolean;
  /** Include entries whose names are not UTF-8 or whose paths are too long for the system, as `notText`. */
  notText?: boolean;
  /** Tell the identity of each entry. */
  identity?: boolean;
  depth?: number;
  signal?: AbortSignal;
}

export type FileOperation =
  | {
      op: "write";
      path: string;
      bytes: Uint8Array;
      mode?: number;
      createDirs?: boolean;
      mustBe?: "new" | "existing";
    }
  | { op: "delete"; path: string; recursive?: boolean }
  | { op: "move"; from: string; to: string; overwrite?: boolean; createDirs?: boolean }
  | { op: "link"; path: string; target: string; createDirs?: boolean }
  | { op: "mkdir"; path: string };

export interface PlanOptions {
  /** `false` for who shows nothing: no content is read that the plan does not rest on. */
  contents?: boolean;
}

/** A dry run: each touched path, as it is and as it will be. */
export interface Plan {
  files: PlannedFile[];
  /** Every path whose state the plan depends on: an approval is valid for exactly these states. */
  seen: Map<string, Fingerprint>;
  /** False if the previous contents exceed the journal's byte cap: the change can be made but not undone. */
  undoable: boolean;
}

export interface PlannedFile {
  path: string;
  change: "create" | "modify" | "delete" | "move";
  /** For a move: where it comes from. */
  from?: string;
  type: EntryType;
  before: Fingerprint;
  after: Fingerprint;
  /**
   * The contents before and after, for regular files small enough to show (1 MB each, 32 MB in all); null if there is
   * no file.
   */
  beforeBytes: Buffer | null;
  afterBytes: Buffer | null;
  beforeSize: number;
  afterSize: number;
}

export interface Authorship {
  /** The call that makes the change, its tool, and why; kept in the journal. */
  callId: string;
  tool: string;
  description: string;
  /** States that were previewed and approved; a path in another state is a `CONFLICT`. */
  expect?: ReadonlyMap<string, Fingerprint>;
  /**
   * The paths that were shown for approval: changing any other existing path is a `CONFLICT`. Omitted if nothing was
   * shown.
   */
  shown?: ReadonlySet<string>;
  /** The id of the change in another journal, if it is repeated here. Default: a new one. */
  changeId?: string;
  /**
   * All files are ignored by git (caches, build output): undone by id only, and their old contents are dropped first.
   */
  ignored?: boolean;
}

/** A selection of changes, newest first: by number, age, path or call. */
export interface ChangeQuery {
  limit?: number;
  before?: string;
  path?: string;
  callIds?: readonly string[];
}

/** One journal entry. */
export interface Change {
  id: string;
  callId: string;
  tool: string;
  description: string;
  at: string;
  state: "done" | "undone";
  undoable: boolean;
  /** All its files are ignored by git: `undo` without an id skips it. */
  ignored: boolean;
  files: ChangedFile[];
  /** Notices for the caller, for example that old entries were dropped to stay within the quota. */
  notices: string[];
}

export interface ChangedFile {
  path: string;
  change: "create" | "modify" | "delete" | "move";
  from?: string;
  type: EntryType;
  before: Fingerprint;
  after: Fingerprint;
  /** Unified diff for text; empty for binary files and files too large to compare. */
  diff: string;
  /** Lines, where the diff is too long to be kept. */
  added?: number;
  removed?: number;
}

/** Which changes to undo or redo: a number of the newest ones, or certain ids. */
export interface Which {
  steps?: number;
  changeId?: string | readonly string[];
}

export interface Reversal {
  changes: Change[];
  plan: Plan;
}

/** A position in the journal, and the calls whose changes since then are reversed. */
export interface RewindPoint {
  position: number;
  callIds: readonly string[];
}

export interface Rewind extends Reversal {
  /** Build output whose old contents are no longer stored; it is left unchanged. */
  left: Change[];
}
