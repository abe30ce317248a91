import { DatabaseSync, type StatementSync } from "node:sqlite";

/** One SQLite file that several processes may share. */
export interface Database {
  /** Prepared on first use: a command that only reads a file should not pay for every statement. */
  sql(text: string): StatementSync;
  exec(text: string): void;
  /** All or nothing, and alone among all processes: what is read inside is still true when it is written. */
  alone<T>(work: () => T): T;
  close(): void;
}

/** `file` may be ":memory:". */
export function openDatabase(file: string, schema: string): Database {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  db.exec(schema);
  const statements = new Map<string, StatementSync>();
  return {
    sql: (text) => {
      const known = statements.get(text) ?? db.prepare(text);
      statements.set(text, known);
      return known;
    },
    exec: (text) => db.exec(text),
    alone: (work) => {
      db.exec("BEGIN IMMEDIATE");
      try {
        const value = work();
        db.exec("COMMIT");
        return value;
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => db.close(),
  };
}
