import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { IndexFolder } from "./files.ts";
import { NameList } from "./name-list.ts";
import type { FileSyntax } from "./syntax.ts";
import { decodeSyntax, type EncodedSyntax } from "./syntax-code.ts";

/** Raised whenever extraction or the stored form changes: what an older version kept is dropped. */
const version = 2;
const fileName = "syntax.db";

/**
 * The syntax of every file content ever parsed here, by language and content hash: it survives restarts, branches and
 * renames, and is shared by all processes on the workspace. A damaged database is thrown away and filled again.
 */
export class SyntaxStore {
  readonly #folder: IndexFolder;
  #database: DatabaseSync | undefined;
  readonly #statements = new Map<string, StatementSync>();
  #names: NameList | undefined;
  #namesVersion = 0;

  constructor(folder: IndexFolder) {
    this.#folder = folder;
  }

  get(key: string): FileSyntax | undefined {
    const row = this.#run((db) => db("SELECT data FROM syntax WHERE key = ?").get(key));
    return row ? decodeSyntax(String(row["data"])) : undefined;
  }

  put(entries: readonly (readonly [key: string, syntax: EncodedSyntax])[]): void {
    this.#run((db) => {
      db("BEGIN IMMEDIATE").run();
      try {
        for (const [key, { data, names }] of entries) {
          const added = db("INSERT OR IGNORE INTO syntax (key, data) VALUES (?, ?)").run(key, data);
          if (added.changes === 0) continue;
          for (const name of names) {
            db("INSERT INTO declared (name, file) VALUES (?, ?)").run(name, added.lastInsertRowid);
          }
          this.#names?.add(names);
        }
        db("COMMIT").run();
      } catch (error) {
        db("ROLLBACK").run();
        throw error;
      }
    });
  }

  /** Keys of the contents that declare this name. */
  declaring(name: string): string[] {
    const sql = "SELECT key FROM declared JOIN syntax ON syntax.id = declared.file WHERE name = ?";
    return this.#run((db) => db(sql).all(name)).map((row) => String(row["key"]));
  }

  /** All declared names that hold the text, in any case. */
  namesWith(text: string): string[] {
    return this.#allNames().holding(text);
  }

  /** All declared names that a pattern matches as a whole. */
  namesLike(pattern: RegExp): string[] {
    return this.#allNames().matching(pattern);
  }

  /** Kept in memory; read again when another process has added to the database. */
  #allNames(): NameList {
    const dataVersion = Number(this.#run((db) => db("PRAGMA data_version").get())?.["data_version"]);
    if (!this.#names || this.#namesVersion !== dataVersion) {
      const rows = this.#run((db) => db("SELECT DISTINCT name FROM declared").all());
      this.#names = new NameList(rows.map((row) => String(row["name"])));
      this.#namesVersion = dataVersion;
    }
    return this.#names;
  }

  keys(): Set<string> {
    return new Set(this.#run((db) => db("SELECT key FROM syntax").all()).map((row) => String(row["key"])));
  }

  /** Forgets contents that no file has any more. */
  keepOnly(keys: ReadonlySet<string>): void {
    this.#run((db) => {
      db("BEGIN IMMEDIATE").run();
      for (const row of db("SELECT id, key FROM syntax").all()) {
        if (keys.has(String(row["key"]))) continue;
        db("DELETE FROM declared WHERE file = ?").run(row["id"] ?? null);
        db("DELETE FROM syntax WHERE id = ?").run(row["id"] ?? null);
      }
      db("COMMIT").run();
    });
  }

  clear(): void {
    this.keepOnly(new Set());
    this.#names = undefined;
  }

  close(): void {
    this.#names = undefined;
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
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
    const database = new DatabaseSync(`${this.#folder.path}/${fileName}`, { timeout: 10_000 });
    try {
      database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      // Two processes switch a new database at once: the other one does it.
      if (!/locked|busy/i.test(String(error))) throw error;
    }
    // What a crash of the machine costs is parsed again.
    database.exec("PRAGMA synchronous = OFF");
    const isCurrent = () => database.prepare("PRAGMA user_version").get()?.["user_version"] === version;
    if (isCurrent()) return database;
    database.exec("BEGIN IMMEDIATE");
    // Another process may have done it while this one waited.
    if (!isCurrent()) {
      database.exec(`
        DROP TABLE IF EXISTS syntax;
        DROP TABLE IF EXISTS declared;
        CREATE TABLE syntax (id INTEGER PRIMARY KEY, key TEXT UNIQUE, data TEXT);
        CREATE TABLE declared (name TEXT, file INTEGER, PRIMARY KEY (name, file)) WITHOUT ROWID;
        CREATE INDEX declared_file ON declared (file);
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
