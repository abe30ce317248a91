import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Failure } from "../failure/failure.ts";

/** One SQLite file that several processes may share. */
export interface Database {
  /** Prepared on first use: a command that only reads a file should not pay for every statement. */
  sql(text: string): StatementSync;
  exec(text: string): void;
  /**
   * All or nothing, and alone among all processes: what is read inside is still true when it is written. Inside another
   * transaction it is a part of that one, and alone taken back when it fails.
   */
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
      const [begin, commit, rollBack] = db.isTransaction
        ? ["SAVEPOINT part", "RELEASE part", "ROLLBACK TO part; RELEASE part"]
        : ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
      db.exec(begin);
      try {
        const value = work();
        db.exec(commit);
        return value;
      } catch (error) {
        // A full disk may have ended the transaction already.
        if (db.isTransaction) db.exec(rollBack);
        throw error;
      }
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}
