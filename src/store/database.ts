import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Failure } from "../failure/failure.ts";

/** One SQLite file that several processes may share. */
export interface Database {
  /** Prepared on first use: a command that only reads a file should not pay for every statement. */
  sql(text: string): StatementSync;
  exec(text: string): void;
  /** All or nothing, and alone among all processes: what is read inside is still true when it is written. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** `file` may be ":memory:". */
export function openDatabase(file: string, schema: string): Database {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  db.exec(schema);
  const statements = new Map<string, StatementSync>();
  const requireOpen = () => {
    if (!db.isOpen) throw new Failure("UNAVAILABLE", "The store is closed: Wield is shutting down.");
  };
  return {
    sql: (text) => {
      requireOpen();
      const known = statements.get(text) ?? db.prepare(text);
      statements.set(text, known);
      return known;
    },
    exec: (text) => {
      requireOpen();
      db.exec(text);
    },
    transaction: (work) => {
      requireOpen();
      db.exec("BEGIN IMMEDIATE");
      try {
        const value = work();
        db.exec("COMMIT");
        return value;
      } catch (error) {
        // A full disk may have ended the transaction already.
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}
