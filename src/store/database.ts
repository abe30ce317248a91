import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Failure } from "../failure/failure.ts";
import { damagedFile, stateFailure } from "../workspace/state-failure.ts";
import { ensurePrivateFile, fileNumber } from "../workspace/state-files.ts";

export type Statement = Pick<StatementSync, "run" | "get" | "all" | "iterate">;

/**
 * One SQLite file that several processes may share. It is opened by its first use, so that what needs no store works
 * without one, and opened again after it was found damaged or was replaced: by then it may have been repaired.
 */
export interface Database {
  /** Prepared on first use: a command that only reads a file should not pay for every statement. */
  sql(text: string): Statement;
  exec(text: string): void;
  /**
   * All or nothing, and alone among all processes: what is read inside is still true when it is written. Inside another
   * transaction it is a part of that one, and alone taken back when it fails.
   */
  transaction<T>(work: () => T): T;
  /** The same database, in which these tables are made before their first use. */
  withTables(schema: string): Database;
  close(): void;
}

interface Connection {
  db: DatabaseSync;
  statements: Map<string, Statement>;
  /** Schemas whose tables are there. */
  made: Set<string>;
  /** Tells the file from one that was put in its place. */
  file: number | undefined;
}

const inMemory = ":memory:";
const checkEveryMs = 1_000;

/** `file` may be ":memory:". Errors of the file become failures that name it and the remedy. */
export function openDatabase(file: string, schema: string): Database {
  let open: Connection | undefined;
  let isClosed = false;
  let lastCheck = 0;

  const disconnect = () => {
    open?.db.close();
    open = undefined;
  };
  const connection = (): Connection => {
    if (isClosed) throw new Failure("UNAVAILABLE", "The store is closed: Wield is shutting down.");
    // By Date.now(): performance.now() would load the whole of perf_hooks, a part of a short command's time.
    const now = Date.now();
    if (open && !open.db.isTransaction && file !== inMemory && now - lastCheck > checkEveryMs) {
      lastCheck = now;
      if (fileNumber(file) !== open.file) disconnect();
    }
    open ??= connect(file, schema);
    return open;
  };
  const telling = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const failure = stateFailure(error, file);
      if (damagedFile(failure) !== undefined) disconnect();
      throw failure;
    }
  };
  const withSentences = (statement: StatementSync): Statement => ({
    run: (...values: never[]) => telling(() => statement.run(...values)),
    get: (...values: never[]) => telling(() => statement.get(...values)),
    all: (...values: never[]) => telling(() => statement.all(...values)),
    iterate: (...values: never[]) => telling(() => statement.iterate(...values)),
  });
  const database = (connection: () => Connection): Database => ({
    sql: (text) =>
      telling(() => {
        const { db, statements } = connection();
        const known = statements.get(text) ?? withSentences(db.prepare(text));
        statements.set(text, known);
        return known;
      }),
    exec: (text) => telling(() => connection().db.exec(text)),
    transaction: (work) =>
      telling(() => {
        const { db } = connection();
        const [begin, commit, rollBack] = db.isTransaction
          ? ["SAVEPOINT part", "RELEASE part", "ROLLBACK TO part; RELEASE part"]
          : ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
        db.exec(begin);
        try {
          const value = work();
          db.exec(commit);
          return value;
        } catch (error) {
          // A full disk may have ended the transaction already; a damaged file has closed the connection.
          if (db.isOpen && db.isTransaction) db.exec(rollBack);
          throw error;
        }
      }),
    withTables: (tables) =>
      database(() => {
        const open = connection();
        if (!open.made.has(tables)) open.db.exec(tables);
        // Made inside a transaction, they may be gone when it ends.
        if (!open.db.isTransaction) open.made.add(tables);
        return open;
      }),
    close: () => {
      isClosed = true;
      disconnect();
    },
  });
  return database(connection);
}

function connect(file: string, schema: string): Connection {
  if (file !== inMemory) ensurePrivateFile(file);
  const db = new DatabaseSync(file);
  try {
    // What is deleted is overwritten: results hold the contents of files.
    db.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    db.exec("PRAGMA secure_delete = ON");
    db.exec(schema);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    db,
    statements: new Map(),
    made: new Set(),
    file: file === inMemory ? undefined : fileNumber(file),
  };
}
