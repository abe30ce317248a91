/** A root directory and everything Wield may do in it. Paths are relative to the root, with `/`; see jail.ts. */
export interface Workspace {
  /** The real path of the root, to show and to hand to confined processes; never to open files by. */
  readonly root: string;

  /** Of the path itself: a symlink is told as a symlink. */
  stat(path: string): Promise<Entry>;
  /** The same; null where nothing is. */
  statIfThere(path: string): Promise<Entry | null>;
  /** What a path leads to through symlinks; the entry's own path is free of them and of `..`. */
  resolve(path: string): Promise<Entry>;
  /** Bytes of a regular file. `TOO_LARGE` above `maxBytes` (default 10 MB), even if the file grows while it is read. */
  read(path: string, options?: { maxBytes?: number }): Promise<FileContent>;
  /** One directory, sorted by name. Names are raw: whoever shows them escapes them. */
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

  /** Tells what these ignore files (default: all) leave out of a walk below `under`, of paths found in another way. */
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

  /** How far the journal is; counts up whenever a change is made, undone or done again. */
  position(): Promise<number>;
  /** What leads the files of certain calls back to a position of the journal; changes nothing. */
  planRewind(point: RewindPoint): Promise<Rewind>;
  rewind(point: RewindPoint, by: Authorship): Promise<Rewind>;

  close(): void;
}

/** As it is held by who opened it; a tool sees less. */
export interface WholeWorkspace extends Workspace {
  /** All files that are not ignored, and what became of them since an earlier survey. */
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
  /** Its name is not UTF-8: it is escaped here, and no path leads to it. */
  notText?: true;
}

/** One directory as it was. Times are when a thing last changed (ctime, which nobody can set back), in milliseconds. */
export interface SurveyedFolder {
  path: string;
  /** NaN, equal to nothing, where the time was too young to show a later change. */
  time: number;
  /** Its ignore files, and one number for the state of all of them. */
  rules: string[];
  rulesState: number;
  /** Names, sorted: directories that are walked, and regular files. */
  folders: string[];
  files: string[];
  /** Of each file, the first one's at `first`: what is kept on disk has one array for all folders. */
  first: number;
  sizes: ArrayLike<number>;
  times: ArrayLike<number>;
  /** When its content was last written, as its owner may set it. */
  modified: ArrayLike<number>;
  /** Names of links and the like. */
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
  /** Only files of these names are looked at again for a change in place; new and removed ones are always seen. Default: all. */
  isWanted?: ((name: string) => boolean) | undefined;
}

export interface Survey {
  /** The very map of the earlier survey when nothing at all has changed. */
  folders: SurveyedFolders;
  /** New, or not as they were before. */
  changed: SurveyedFile[];
  /** Paths that were files before. */
  gone: string[];
}

export interface FileContent {
  bytes: Buffer;
  size: number;
  modified: string;
  mode: number;
  /** Where it was read: from the root, free of symlinks and `..`. */
  place: string;
  fingerprint: Fingerprint;
}

/** The state of one path as a word: `absent`, `directory`, `file:<mode>:<sha256>`, `link:<target>`. Equal words, equal state. */
export type Fingerprint = string;

export interface WalkOptions {
  under?: string;
  /** Finds nothing where `under` is not there; left out: fails. */
  ifThere?: boolean;
  /** Names that start with a dot. Default false. */
  hidden?: boolean;
  /** What `.gitignore`, `.ignore` and `.wieldignore` leave out. Default false: they are left out. */
  ignored?: boolean;
  directories?: boolean;
  /** Also what nobody works with: `.git`, and names that are not text, spelt as far as they can be. */
  everything?: boolean;
  /** Also entries with names that are not UTF-8, as `notText`. */
  notText?: boolean;
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
  /** Every path whose state the plan rests on: what an approval is bound to. */
  seen: Map<string, Fingerprint>;
  /** False when the pre-images exceed the journal's byte cap: the change can be made, but not taken back. */
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
  /** Content on both sides where it is a regular file small enough to show (1 MB, 32 MB in all); null where there is none. */
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
  /** States that were previewed and approved; a path that differs now is a `CONFLICT`. */
  expect?: ReadonlyMap<string, Fingerprint>;
  /** What was shown when it was approved: changing anything else that is there is a `CONFLICT`. Left out: nothing was shown. */
  shown?: ReadonlySet<string>;
  /** The id that the change has in another journal, when it is done again here. Default: a new one. */
  changeId?: string;
  /** All files are ones that git ignores (caches, build output): undone by id only, and the first to lose their old contents. */
  ignored?: boolean;
}

/** Newest first: at most so many, older than one, of a path, of certain calls. */
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
  /** All its files are ones that git ignores: `undo` without an id skips it. */
  ignored: boolean;
  files: ChangedFile[];
  /** Told to the caller: for example that old entries were dropped to stay within the quota. */
  notices: string[];
}

export interface ChangedFile {
  path: string;
  change: "create" | "modify" | "delete" | "move";
  from?: string;
  type: EntryType;
  before: Fingerprint;
  after: Fingerprint;
  /** Unified diff for text, empty for binary and for what is too large to compare. */
  diff: string;
}

/** Of the changes to undo or redo: so many of the newest, or certain ones. */
export interface Which {
  steps?: number;
  changeId?: string | readonly string[];
}

export interface Reversal {
  changes: Change[];
  plan: Plan;
}

/** A position of the journal, and the calls whose work since then is taken back. */
export interface RewindPoint {
  position: number;
  callIds: readonly string[];
}

export interface Rewind extends Reversal {
  /** Build output whose old contents are no longer kept: it stays as it is. */
  left: Change[];
}
