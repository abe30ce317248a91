import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { Failure } from "../failure/failure.ts";
import { Blobs } from "./blobs.ts";
import { Lock } from "./lock.ts";
import type { FileNode } from "./node.ts";
import { isWithin } from "./path.ts";
import type { Intent } from "./perform.ts";
import { stateFailure } from "./state-failure.ts";
import { ensureDirectory, ensurePrivateFile } from "./state-files.ts";
import type { Step } from "./step.ts";
import type { Change, ChangedFile, ChangeQuery, RewindPoint } from "./workspace.ts";

export const journalFile = "journal.db";
const version = 3;
export const journalSchema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS change (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, call_id TEXT NOT NULL, tool TEXT NOT NULL,
    description TEXT NOT NULL, at TEXT NOT NULL, notices TEXT NOT NULL, files TEXT NOT NULL, steps TEXT NOT NULL,
    reversible INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'done', turned INTEGER NOT NULL,
    ignored INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS change_path (seq INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (path, seq)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS blob (seq INTEGER NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (hash, seq)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS turn (turn INTEGER PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL, call_id TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS intent (id TEXT PRIMARY KEY, steps TEXT NOT NULL, committed INTEGER NOT NULL DEFAULT 0) STRICT;
  PRAGMA user_version = ${version};
`;

const fromVersion1 = "ALTER TABLE change ADD COLUMN ignored INTEGER NOT NULL DEFAULT 0;";
/** For older changes only the last state is known. */
const oldTurns = "INSERT OR IGNORE INTO turn SELECT turned, seq, state, call_id FROM change;";

/** Never one that was given before: the change that had it may be removed by now. */
const nextTurn = "(SELECT COALESCE(MAX(turn), 0) + 1 FROM turn)";

/** Changes whose old contents may be dropped, in this order. */
const droppable = `
  SELECT seq FROM change WHERE seq IN (SELECT seq FROM blob)
    AND (ignored = 1 OR seq NOT IN (SELECT max(seq) FROM change_path GROUP BY path))
  ORDER BY ignored DESC, seq`;
const mostCandidates = 10;

type Row = Record<string, SQLOutputValue>;

/** A change with what is needed to reverse it. */
export interface Entry extends Change {
  seq: number;
  /** Increases over all changes: shows which was done, undone or redone last. */
  turned: number;
  steps: Step[];
}

/** A change to undo or redo. */
export interface ReversalStep {
  entry: Entry;
  direction: "undo" | "redo";
}

/** The stored part of the contents that steps remove. */
export interface PreImages {
  /** Whether they suffice to reverse the steps. */
  complete: boolean;
  files: FileNode[];
  notices: string[];
}

/** The record of all changes of one workspace, in Wield's state folder. Writing needs the lock. */
export class Journal {
  readonly lock: Lock;
  readonly blobs: Blobs;
  /** Whether a power cut leaves it whole. */
  readonly durable: boolean;
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #quotaBytes: number;

  private constructor(folder: string, quotaBytes: number, durable: boolean) {
    this.#file = join(folder, journalFile);
    this.#quotaBytes = quotaBytes;
    this.durable = durable;
    ensureDirectory(folder);
    this.lock = new Lock(join(folder, "lock.db"), "changing this workspace");
    this.blobs = new Blobs(join(folder, "blobs"), durable);
    ensurePrivateFile(this.#file);
    this.#database = new DatabaseSync(this.#file, { timeout: 5_000 });
    // Deleted rows are overwritten: steps and file names reveal contents.
    this.#database.exec("PRAGMA secure_delete = ON");
    this.#sync("FULL");
  }

  /** Errors of its files become failures that name the file and the remedy. */
  static async open(folder: string, quotaBytes: number, durable = true): Promise<Journal> {
    let journal: Journal | undefined;
    try {
      const opened = new Journal(folder, quotaBytes, durable);
      journal = opened;
      // Two processes that create the same database at once would block each other.
      if (opened.#version() !== version) await opened.lock.hold(async () => opened.#update());
      return opened;
    } catch (error) {
      journal?.close();
      throw stateFailure(error, join(folder, journalFile));
    }
  }

  /** Durable when it returns: from here on any process can roll the steps back. */
  begin(steps: Step[]): Intent {
    const id = randomBytes(5).toString("hex");
    this.#run("INSERT INTO intent (id, steps) VALUES (?, ?)", id, JSON.stringify(steps));
    return { id, steps };
  }

  /** Records the result and marks the intent as committed, in one transaction. */
  commit(intent: Intent, record: () => void): void {
    this.#transaction(() => {
      record();
      this.#run("UPDATE intent SET committed = 1 WHERE id = ?", intent.id);
    });
  }

  /** Not synced: after a power cut a finished intent is only checked once more. */
  forget(intent: Intent): void {
    this.#sync("NORMAL");
    this.#run("DELETE FROM intent WHERE id = ?", intent.id);
    this.#sync("FULL");
  }

  /** Intents of processes that died; call it with the lock held. */
  leftovers(): { intent: Intent; committed: boolean }[] {
    return this.#all("SELECT id, steps, committed FROM intent").map((row) => ({
      intent: { id: String(row["id"]), steps: JSON.parse(String(row["steps"])) as Step[] },
      committed: row["committed"] === 1,
    }));
  }

  add(change: Change, steps: readonly Step[], kept: readonly FileNode[]): void {
    const { id, callId, tool, description, at, notices, files, undoable, ignored } = change;
    const seq = this.#run(
      `INSERT INTO change (id, call_id, tool, description, at, notices, files, steps, reversible, ignored, turned)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${nextTurn})`,
      ...[id, callId, tool, description, at, JSON.stringify(notices), JSON.stringify(files)],
      ...[JSON.stringify(undoable ? steps : []), undoable ? 1 : 0, ignored ? 1 : 0],
    );
    this.#keep(seq, kept);
    this.#noteTurn(seq, callId);
    const paths = new Set(files.flatMap((file) => (file.from ? [file.path, file.from] : [file.path])));
    this.#run("INSERT INTO change_path SELECT ?, value FROM json_each(?)", seq, JSON.stringify([...paths]));
  }

  /** Records that a change was undone or redone, with what is needed to reverse that. */
  reverse({ entry, direction }: ReversalStep, preImages: PreImages, notice: string, callId: string): void {
    const { notices } = this.find(entry.id) ?? entry;
    this.#run(
      `UPDATE change SET state = ?, turned = ${nextTurn}, reversible = ?, notices = ? WHERE seq = ?`,
      direction === "undo" ? "undone" : "done",
      preImages.complete ? 1 : 0,
      JSON.stringify([...notices, ...preImages.notices, notice]),
      entry.seq,
    );
    this.#keep(entry.seq, preImages.files);
    this.#noteTurn(entry.seq, callId);
  }

  /** Increases whenever a change is made, undone or redone. */
  position(): number {
    return Number(this.#all("SELECT COALESCE(MAX(turn), 0) AS position FROM turn")[0]?.["position"]);
  }

  /**
   * The reversals that lead back, in order: everything that happened since to changes that these calls made, undid or
   * redid.
   */
  stepsBackTo({ position, callIds }: RewindPoint): ReversalStep[] {
    const rows = this.#all(
      `SELECT change.*, turn.state AS reached FROM turn JOIN change USING (seq)
        WHERE turn > ?1 AND (change.call_id IN (SELECT value FROM json_each(?2)) OR seq IN
          (SELECT seq FROM turn WHERE turn > ?1 AND call_id IN (SELECT value FROM json_each(?2))))
        ORDER BY turn DESC`,
      position,
      JSON.stringify(callIds),
    );
    return rows.map((row) => ({
      entry: entryOf(row),
      direction: row["reached"] === "done" ? "undo" : "redo",
    }));
  }

  find(id: string): Entry | undefined {
    return this.#all("SELECT * FROM change WHERE id = ?", id).map(entryOf)[0];
  }

  /** By the whole id or a unique prefix; `INVALID_INPUT` if the prefix is ambiguous. */
  lookUp(id: string): Entry | undefined {
    const exact = this.find(id);
    if (exact || id === "") return exact;
    const begins = "SELECT * FROM change WHERE substr(id, 1, length(?1)) = ?1 ORDER BY seq DESC LIMIT ?2";
    const [found, ...others] = this.#all(begins, id, mostCandidates).map(entryOf);
    if (found === undefined || others.length === 0) return found;
    const candidates = [found, ...others].map((entry) => `${entry.id} (${entry.description})`);
    const message = `Several changes begin with ${id}: ${candidates.join(", ")}. Give more of the id.`;
    throw new Failure("INVALID_INPUT", message);
  }

  list({ limit = 50, before, path, callIds }: ChangeQuery): Entry[] {
    return this.#all(
      `SELECT * FROM change
        WHERE (?1 IS NULL OR seq < (SELECT seq FROM change WHERE id = ?1))
          AND (?2 IS NULL OR seq IN
            (SELECT seq FROM change_path WHERE path = ?2 OR substr(path, 1, length(?2) + 1) = ?2 || '/'))
          AND (?3 IS NULL OR call_id IN (SELECT value FROM json_each(?3)))
        ORDER BY seq DESC LIMIT ?4`,
      before ?? null,
      path ?? null,
      callIds ? JSON.stringify(callIds) : null,
      limit,
    ).map(entryOf);
  }

  /** The next changes to undo or redo, most recent first. Caches and build output are skipped. */
  next(direction: "undo" | "redo", steps: number): Entry[] {
    const which = direction === "undo" ? "state = 'done' AND ignored = 0" : "state = 'undone'";
    return this.#all(`SELECT * FROM change WHERE ${which} ORDER BY turned DESC LIMIT ?`, steps).map(entryOf);
  }

  /**
   * Changes made after `entry` was last done or undone that touched the path, something in it, or a directory above
   * it.
   */
  laterOn(path: string, entry: Entry): Entry[] {
    const touching = this.#all(
      "SELECT id, path FROM change JOIN change_path USING (seq) WHERE turned > ? AND state = 'done' ORDER BY turned DESC",
      entry.turned,
    ).filter((row) => isWithin(String(row["path"]), path) || isWithin(path, String(row["path"])));
    const ids = new Set(touching.map((row) => String(row["id"])));
    return [...ids].map((id) => this.find(id)).filter((later) => later !== undefined);
  }

  /**
   * Makes space for new contents within the quota: drops the contents of changes to files that git ignores first,
   * then those of the oldest changes whose files were all changed again later. Such changes stay as history but
   * cannot be undone. Returns their number, or null if there cannot be enough space: the last change of a file always
   * keeps what it replaced.
   */
  makeSpace(files: readonly FileNode[], keep: readonly Entry[]): number | null {
    const drops = this.#dropsFor(files, keep);
    if (drops === null) return null;
    for (const seq of drops) this.#drop(seq);
    if (drops.length > 0) this.sweep();
    return drops.length;
  }

  /** Whether there can be space for these. */
  hasSpaceFor(files: readonly FileNode[]): boolean {
    return this.#dropsFor(files, []) !== null;
  }

  #dropsFor(files: readonly FileNode[], keep: readonly Entry[]): number[] | null {
    const wanted = new Map(files.map(({ hash, size }) => [hash, size]));
    let rows = this.#all("SELECT seq, hash, size FROM blob");
    if (usedBytes(rows, wanted) <= this.#quotaBytes) return [];
    const kept = new Set(keep.map(({ seq }) => seq));
    const candidates = this.#all(droppable).map(({ seq }) => Number(seq));
    const drops: number[] = [];
    for (const seq of candidates) {
      if (kept.has(seq)) continue;
      drops.push(seq);
      rows = rows.filter((row) => Number(row["seq"]) !== seq);
      if (usedBytes(rows, wanted) <= this.#quotaBytes) return drops;
    }
    return null;
  }

  /** How many changes there are, made before this time if one is given, and how many bytes are kept for them. */
  usage(before: string | null): { count: number; bytes: number } {
    const chosen = "(SELECT seq FROM change WHERE ?1 IS NULL OR at < ?1)";
    const [row] = this.#all(
      `SELECT (SELECT count(*) FROM change WHERE ?1 IS NULL OR at < ?1) AS count,
         (SELECT total(size) FROM (SELECT DISTINCT hash, size FROM blob WHERE seq IN ${chosen})) AS bytes`,
      before,
    );
    return { count: Number(row?.["count"]), bytes: Number(row?.["bytes"]) };
  }

  /** Removes changes made before this time and the contents kept to undo them. Call it with the lock held. */
  removeBefore(time: string): void {
    this.#transaction(() => {
      for (const table of ["blob", "change_path"])
        this.#run(`DELETE FROM ${table} WHERE seq IN (SELECT seq FROM change WHERE at < ?)`, time);
      // The last one stays, so that later ones are counted from it.
      this.#run(
        "DELETE FROM turn WHERE seq IN (SELECT seq FROM change WHERE at < ?) AND turn < (SELECT MAX(turn) FROM turn)",
        time,
      );
      this.#run("DELETE FROM change WHERE at < ?", time);
    });
    this.sweep();
    this.#all("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** Removes contents that no change needs. */
  sweep(): void {
    const needed = new Set(this.#all("SELECT DISTINCT hash FROM blob").map((row) => row["hash"]));
    for (const name of this.blobs.names()) if (!needed.has(name)) this.blobs.remove(name);
  }

  close(): void {
    this.#database.close();
    this.blobs.close();
    this.lock.close();
  }

  #sync(how: "FULL" | "NORMAL"): void {
    this.#database.exec(`PRAGMA synchronous = ${this.durable ? how : "OFF"}`);
  }

  #keep(seq: number, kept: readonly FileNode[]): void {
    this.#run(
      "INSERT OR IGNORE INTO blob SELECT ?, value ->> 'hash', value ->> 'size' FROM json_each(?)",
      seq,
      JSON.stringify(kept),
    );
  }

  #noteTurn(seq: number, callId: string): void {
    this.#run("INSERT INTO turn SELECT turned, seq, state, ? FROM change WHERE seq = ?", callId, seq);
  }

  #update(): void {
    const found = this.#version();
    if (found === version) return;
    if (found === 1) this.#database.exec(fromVersion1);
    this.#database.exec(journalSchema + oldTurns);
  }

  #version(): SQLOutputValue | undefined {
    return this.#all("PRAGMA user_version")[0]?.["user_version"];
  }

  #drop(seq: number): void {
    this.#transaction(() => {
      this.#run("DELETE FROM blob WHERE seq = ?", seq);
      this.#run("UPDATE change SET reversible = 0, steps = '[]' WHERE seq = ?", seq);
    });
  }

  #transaction(work: () => void): void {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw stateFailure(error, this.#file);
    }
  }

  /** Returns the id of the inserted row. */
  #run(sql: string, ...values: (string | number | null)[]): number {
    return this.#asStateFailure(() => Number(this.#database.prepare(sql).run(...values).lastInsertRowid));
  }

  #all(sql: string, ...values: (string | number | null)[]): Row[] {
    return this.#asStateFailure(() => this.#database.prepare(sql).all(...values));
  }

  #asStateFailure<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw stateFailure(error, this.#file);
    }
  }
}

function entryOf(row: Row): Entry {
  return {
    seq: Number(row["seq"]),
    id: String(row["id"]),
    callId: String(row["call_id"]),
    tool: String(row["tool"]),
    description: String(row["description"]),
    at: String(row["at"]),
    state: row["state"] === "done" ? "done" : "undone",
    turned: Number(row["turned"]),
    undoable: row["reversible"] === 1,
    ignored: row["ignored"] === 1,
    files: JSON.parse(String(row["files"])) as ChangedFile[],
    steps: JSON.parse(String(row["steps"])) as Step[],
    notices: JSON.parse(String(row["notices"])) as string[],
  };
}

/** Each content once. */
function usedBytes(rows: readonly Row[], wanted: ReadonlyMap<string, number>): number {
  const sizes = new Map(wanted);
  for (const { hash, size } of rows) sizes.set(String(hash), Number(size));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
