import { backup, DatabaseSync, type StatementSync } from "node:sqlite";
import type { IndexFolder } from "../files/files.ts";
import { NameList, nameText } from "./name-list.ts";
import type { FileSyntax } from "./syntax.ts";
import { decodeSyntax, type EncodedSyntax } from "./syntax-code.ts";

/** Raised whenever a grammar, extraction or the stored form changes: what an older version kept is dropped. */
const version = 33;
const fileName = "syntax.db";
const keptInMemory = 3_000;

/**
 * The syntax of every file content ever parsed here, by language and content hash: it survives restarts, branches and
 * renames, and is shared by all processes and threads on the workspace. A damaged database is thrown away and filled again.
 */
export class SyntaxStore {
  readonly #folder: IndexFolder;
  #database: DatabaseSync | undefined;
  readonly #statements = new Map<string, StatementSync>();
  /** What was asked for, ready for use, newest last. */
  readonly #ready = new Map<string, FileSyntax>();
  /** All names declared in rows up to this one. */
  #names: { list: NameList; upTo: number } | undefined;

  constructor(folder: IndexFolder) {
    this.#folder = folder;
  }

  /** Null for a content that was found not to be parsable. */
  get(key: string): FileSyntax | null | undefined {
    const ready = this.#ready.get(key);
    if (ready) return this.keep(key, ready);
    const row = this.#run((db) => db("SELECT data FROM syntax WHERE key = ?").get(key));
    return row && (row["data"] ? this.keep(key, decodeSyntax(String(row["data"]))) : null);
  }

  /** In memory, for the next question. */
  keep(key: string, syntax: FileSyntax): FileSyntax {
    return keepNewest(this.#ready, key, syntax, keptInMemory);
  }

  has(key: string): boolean {
    return this.#run((db) => db("SELECT 1 FROM syntax WHERE key = ?").get(key)) !== undefined;
  }

  /** Keys of contents that were found not to be parsable. */
  unparsable(): string[] {
    return this.#run((db) => db("SELECT key FROM syntax WHERE data IS NULL").all()).map((row) =>
      String(row["key"]),
    );
  }

  /** Without syntax: the content cannot be parsed, and need not be tried again. */
  put(entries: readonly (readonly [key: string, syntax: EncodedSyntax | undefined])[]): void {
    this.#change((db) => {
      for (const [key, syntax] of entries) {
        const { data = null, names = [], parents = [] } = syntax ?? {};
        const added = db("INSERT OR IGNORE INTO syntax (key, data, names) VALUES (?, ?, ?)").run(
          key,
          data,
          names.join("\n"),
        );
        if (added.changes === 0) continue;
        for (const name of names)
          db("INSERT INTO declared (name, file) VALUES (?, ?)").run(name, added.lastInsertRowid);
        for (const { child, parent } of parents)
          db("INSERT OR IGNORE INTO inherits (parent, child, file) VALUES (?, ?, ?)").run(
            parent,
            child,
            added.lastInsertRowid,
          );
      }
    });
  }

  /** Keys of the contents that declare this name. */
  declaring(name: string): string[] {
    const sql = "SELECT key FROM declared JOIN syntax ON syntax.id = declared.file WHERE name = ?";
    return this.#run((db) => db(sql).all(name)).map((row) => String(row["key"]));
  }

  /** Types that inherit from a type of this name, each with the key of the content that says so. */
  childrenOf(parent: string): { name: string; key: string }[] {
    const sql =
      "SELECT child AS name, key FROM inherits JOIN syntax ON syntax.id = inherits.file WHERE parent = ?";
    return this.#run((db) => db(sql).all(parent)) as { name: string; key: string }[];
  }

  /** Types that a type of this name inherits from. */
  parentsOf(child: string): { name: string; key: string }[] {
    const sql =
      "SELECT parent AS name, key FROM inherits JOIN syntax ON syntax.id = inherits.file WHERE child = ?";
    return this.#run((db) => db(sql).all(child)) as { name: string; key: string }[];
  }

  /** All declared names that hold the text, in any case. */
  namesWith(text: string): string[] {
    return this.#allNames().holding(text);
  }

  /** All declared names that a pattern matches as a whole. */
  namesLike(pattern: RegExp): string[] {
    return this.#allNames().matching(pattern);
  }

  /** Kept in memory, and beside the rows as one text; what was added since, by whomever, is added. */
  #allNames(): NameList {
    return this.#run((db) => {
      if (!this.#names) {
        this.#names = { list: new NameList(), upTo: 0 };
        const row = db("SELECT up_to, lower, capitals FROM completed").get();
        if (row?.["lower"] instanceof Uint8Array && row["capitals"] instanceof Uint8Array) {
          this.#names.list.add({ lower: row["lower"], capitals: row["capitals"] });
          this.#names.upTo = Number(row["up_to"]);
        }
      }
      const rows = db("SELECT id, names FROM syntax WHERE id > ? ORDER BY id").all(this.#names.upTo);
      const last = rows.at(-1);
      if (last) {
        this.#names.list.add(nameText(rows.map((row) => String(row["names"]))));
        this.#names.upTo = Number(last["id"]);
      }
      return this.#names.list;
    });
  }

  keys(): Set<string> {
    return new Set(this.#run((db) => db("SELECT key FROM syntax").all()).map((row) => String(row["key"])));
  }

  /** Whether everything in this generation of the word index is parsed, as far as it can be. */
  isComplete(generation: string): boolean {
    return this.#run((db) => db("SELECT generation FROM completed").get())?.["generation"] === generation;
  }

  /** Says so, when nothing had to be parsed for it. */
  markComplete(generation: string): void {
    this.#change((db) => {
      if (db("UPDATE completed SET generation = ?").run(generation).changes === 0)
        db("INSERT INTO completed (generation) VALUES (?)").run(generation);
    });
  }

  /**
   * Everything is parsed: contents that no file has any more are forgotten, and what a short process would have to gather
   * from all rows is kept ready.
   */
  complete(generation: string, keys: ReadonlySet<string>): void {
    this.#change((db) => {
      const gone = db("SELECT id, key FROM syntax")
        .all()
        .filter((row) => !keys.has(String(row["key"])));
      for (const row of gone) {
        const id = Number(row["id"]);
        const names = db("SELECT names FROM syntax WHERE id = ?").get(id)?.["names"];
        for (const name of String(names).split("\n"))
          db("DELETE FROM declared WHERE name = ? AND file = ?").run(name, id);
        db("DELETE FROM syntax WHERE id = ?").run(id);
      }
      if (gone.length > 0) db("DELETE FROM inherits WHERE file NOT IN (SELECT id FROM syntax)").run();
      const names = Array.from(db("SELECT DISTINCT name FROM declared").iterate(), (row) =>
        String(row["name"]),
      );
      const { lower, capitals } = nameText(names);
      const last = db("SELECT max(id) AS id FROM syntax").get();
      db("DELETE FROM completed").run();
      db("INSERT INTO completed (generation, up_to, lower, capitals) VALUES (?, ?, ?, ?)").run(
        generation,
        Number(last?.["id"] ?? 0),
        lower,
        capitals,
      );
    });
    this.#names = undefined;
  }

  clear(): void {
    this.#change((db) => {
      for (const table of ["syntax", "declared", "inherits", "completed"]) db(`DELETE FROM ${table}`).run();
    });
    this.#names = undefined;
    this.#ready.clear();
  }

  close(): void {
    this.#names = undefined;
    this.#ready.clear();
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  /** All or nothing. */
  #change(work: (prepare: (sql: string) => StatementSync) => void): void {
    this.#run((db) => {
      db("BEGIN IMMEDIATE").run();
      try {
        work(db);
        db("COMMIT").run();
      } catch (error) {
        db("ROLLBACK").run();
        throw error;
      }
    });
  }

  /** Runs on the open database; once more on a fresh one when the old one turns out to be damaged. */
  #run<T>(work: (prepare: (sql: string) => StatementSync) => T): T {
    try {
      return work(this.#prepare);
    } catch (error) {
      if (!/malformed|not a database|disk image|corrupt/i.test(String(error))) throw error;
      this.#discard();
      return work(this.#prepare);
    }
  }

  readonly #prepare = (sql: string): StatementSync => {
    let statement = this.#statements.get(sql);
    if (!statement) {
      this.#database ??= this.#open();
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  };

  #open(): DatabaseSync {
    this.#folder.ensurePrivate(fileName);
    const database = new DatabaseSync(`${this.#folder.path}/${fileName}`, { timeout: 10_000 });
    try {
      database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      // Two processes switch a new database at once: the other one does it.
      if (!/locked|busy/i.test(String(error))) throw error;
    }
    // What a crash of the machine costs is parsed again. A larger cache would not help: each thread that writes makes those
    // of the others stale.
    database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 4000");
    const isCurrent = () => database.prepare("PRAGMA user_version").get()?.["user_version"] === version;
    if (isCurrent()) return database;
    database.exec("BEGIN IMMEDIATE");
    // Another process may have done it while this one waited.
    if (!isCurrent()) {
      database.exec(`
        DROP TABLE IF EXISTS syntax;
        DROP TABLE IF EXISTS declared;
        DROP TABLE IF EXISTS inherits;
        DROP TABLE IF EXISTS completed;
        CREATE TABLE syntax (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, data TEXT, names TEXT);
        CREATE INDEX unparsable ON syntax (key) WHERE data IS NULL;
        CREATE TABLE declared (name TEXT, file INTEGER, PRIMARY KEY (name, file)) WITHOUT ROWID;
        CREATE TABLE inherits (parent TEXT, child TEXT, file INTEGER, PRIMARY KEY (parent, child, file)) WITHOUT ROWID;
        CREATE INDEX by_child ON inherits (child);
        CREATE TABLE completed (generation TEXT, up_to INTEGER, lower BLOB, capitals BLOB);
        PRAGMA user_version = ${version}`);
    }
    database.exec("COMMIT");
    return database;
  }

  #discard(): void {
    try {
      this.close();
    } catch {
      // A damaged database may not even close.
      this.#database = undefined;
    }
    for (const suffix of ["", "-wal", "-shm"]) this.#folder.remove(`${fileName}${suffix}`);
  }
}

/** What is stored in one folder is copied to another that has nothing yet, also while it is used. */
export async function copySyntax(from: IndexFolder, to: IndexFolder): Promise<void> {
  const database = new DatabaseSync(`${from.path}/${fileName}`, { readOnly: true });
  try {
    to.ensurePrivate(fileName);
    await backup(database, `${to.path}/${fileName}`);
  } finally {
    database.close();
  }
}

export function keepNewest<T>(kept: Map<string, T>, key: string, value: T, most: number): T {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > most) kept.delete(kept.keys().next().value ?? "");
  return value;
}
