import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { stateFailure } from "../workspace/state-failure.ts";
import {
  copyDatabase,
  ensurePrivateFile,
  fileNumber,
  overwriteStart,
  readIfThere,
  removeDatabase,
} from "../workspace/state-files.ts";

/** What was saved of one table. */
export interface SavedTable {
  name: string;
  rows: number;
  /** Every row that is there could be read. */
  whole: boolean;
}

type Row = Record<string, SQLOutputValue>;

const headerSize = 100;
const pageSize = 4096;
const largestRowId = 2 ** 40;
/** In a table whose inner pages are lost, very many rows cannot be found: the search stops at this number. */
const mostQueries = 100_000;

/** The problem of a database, as a failure that names the remedy; undefined if it is intact or does not exist. */
export function databaseProblem(file: string): Error | undefined {
  let db: DatabaseSync | undefined;
  try {
    if (fileNumber(file) === undefined) return undefined;
    db = new DatabaseSync(file);
    const [row] = db.prepare("PRAGMA quick_check(1)").all();
    if (row?.["quick_check"] === "ok") return undefined;
    return stateFailure(Object.assign(new Error(String(row?.["quick_check"])), { errcode: 11 }), file);
  } catch (error) {
    return stateFailure(error, file);
  } finally {
    db?.close();
  }
}

/**
 * Creates a new database at `to` with every readable row of the damaged one, which is not changed. Rows of tables
 * without rowids are found by their first key: `keys` says where such keys are in the new database. All tables of the
 * schema are created, even if the damaged ones are lost.
 */
export function salvage(
  damaged: string,
  to: string,
  { schema = "", keys = {} }: { schema?: string; keys?: Readonly<Record<string, string>> },
): SavedTable[] {
  const copy = `${damaged}.reading`;
  copyDatabase(damaged, copy);
  try {
    mendHeader(copy);
    ensurePrivateFile(to);
    using source = new DatabaseSync(copy);
    using target = new DatabaseSync(to);
    target.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    target.exec(schema);
    return copyTables(source, target, keys);
  } finally {
    removeDatabase(copy);
  }
}

function copyTables(
  source: DatabaseSync,
  target: DatabaseSync,
  keys: Readonly<Record<string, string>>,
): SavedTable[] {
  const definitions = readable(source, "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  const tables = definitions.filter(({ name, type }) => type === "table" && !isInner(String(name)));
  const there = new Set(namesOf(target));
  for (const { sql, name } of tables) if (!there.has(String(name))) target.exec(String(sql));
  const stored = tables.filter(({ sql }) => !/^CREATE VIRTUAL/i.test(String(sql)));
  const saved = stored.map(({ name, sql }) => {
    const table = String(name);
    target.exec("BEGIN");
    const rows = /WITHOUT ROWID\s*$/i.test(String(sql))
      ? copyByKey(source, target, table, keys[table])
      : copyByNumber(source, target, table);
    target.exec("COMMIT");
    return rows;
  });
  for (const { sql, type, name } of definitions)
    if (type === "index" && !there.has(String(name))) target.exec(String(sql));
  return saved;
}

function namesOf(db: DatabaseSync): string[] {
  return readable(db, "SELECT name FROM sqlite_schema").map(({ name }) => String(name));
}

/** The full text index keeps its own tables, which are made with it. */
function isInner(name: string): boolean {
  return name.startsWith("sqlite_") || /_(?:data|idx|content|docsize|config)$/.test(name);
}

/** Range by range: if a range cannot be read to its end, each half of the rest is tried separately. */
function copyByNumber(source: DatabaseSync, target: DatabaseSync, table: string): SavedTable {
  const select = prepared(
    source,
    `SELECT rowid AS "#", * FROM "${table}" WHERE rowid > ? AND rowid <= ? ORDER BY rowid`,
  );
  if (!select) return { name: table, rows: 0, whole: false };
  const insert = inserting(target, table);
  const ranges: [number, number][] = [[-1, largestRowId]];
  let [rows, queries, whole] = [0, 0, true];
  for (let range = ranges.pop(); range && queries < mostQueries; range = ranges.pop()) {
    queries++;
    let [last, end] = range;
    try {
      for (const { "#": number, ...row } of select.iterate(last, end)) {
        last = Number(number);
        rows += insert(row);
      }
    } catch {
      whole = false;
      if (end - last <= 1) continue;
      const middle = last + Math.ceil((end - last) / 2);
      ranges.push([middle, end]);
      if (middle < end) ranges.push([last, middle]);
    }
  }
  return { name: table, rows, whole };
}

/** From both ends as far as possible, then key by key. */
function copyByKey(
  source: DatabaseSync,
  target: DatabaseSync,
  table: string,
  keys: string | undefined,
): SavedTable {
  const columns = target.prepare(`PRAGMA table_info("${table}")`).all();
  const byPlace = columns
    .filter(({ pk }) => Number(pk) > 0)
    .sort((a, b) => Number(a["pk"]) - Number(b["pk"]));
  const [first = ""] = byPlace.map(({ name }) => `"${name}"`);
  const insert = inserting(target, table);
  let rows = 0;
  const copy = (sql: string, ...values: SQLInputValue[]): boolean => {
    try {
      for (const row of source.prepare(sql).iterate(...values)) rows += insert(row);
      return true;
    } catch {
      return false;
    }
  };
  const order = (way: string) => byPlace.map(({ name }) => `"${name}" ${way}`).join(", ");
  if (copy(`SELECT * FROM "${table}" ORDER BY ${order("ASC")}`)) return { name: table, rows, whole: true };
  copy(`SELECT * FROM "${table}" ORDER BY ${order("DESC")}`);
  const known =
    keys === undefined
      ? []
      : target
          .prepare(keys)
          .all()
          .map((row) => Object.values(row)[0] ?? null);
  for (const key of known) copy(`SELECT * FROM "${table}" WHERE ${first} = ?`, key);
  return { name: table, rows, whole: false };
}

/** Returns how many rows were added: 0 for a row that already exists or that the table rejects. */
function inserting(target: DatabaseSync, table: string): (row: Row) => number {
  let insert: StatementSync | undefined;
  return (row) => {
    insert ??= target.prepare(
      `INSERT OR IGNORE INTO "${table}" (${Object.keys(row)
        .map((name) => `"${name}"`)
        .join(", ")})
       VALUES (${Object.keys(row)
         .map(() => "?")
         .join(", ")})`,
    );
    try {
      return Number(insert.run(...Object.values(row)).changes);
    } catch {
      return 0;
    }
  };
}

function readable(db: DatabaseSync, sql: string): Row[] {
  try {
    return db.prepare(sql).all();
  } catch {
    return [];
  }
}

function prepared(db: DatabaseSync, sql: string): StatementSync | undefined {
  try {
    return db.prepare(sql);
  } catch {
    return undefined;
  }
}

/**
 * The first hundred bytes are the same in every database of Wield but for counts; without them, and with a number of pages
 * that the file does not have, SQLite reads nothing at all.
 */
function mendHeader(file: string): void {
  const bytes = readIfThere(file);
  if (!bytes || bytes.length <= headerSize) return;
  const isKnown = bytes.toString("latin1", 0, 16) === "SQLite format 3\0";
  const isTree = [0x0d, 0x05].includes(bytes[headerSize] ?? 0);
  if (!isKnown && !isTree) return;
  const header = isKnown ? Buffer.from(bytes.subarray(0, headerSize)) : sampleHeader(`${file}.header`);
  header.writeUInt32BE(Math.floor(bytes.length / (header.readUInt16BE(16) || pageSize)), 28);
  overwriteStart(file, header);
}

function sampleHeader(file: string): Buffer {
  removeDatabase(file);
  try {
    const db = new DatabaseSync(file);
    db.exec("CREATE TABLE t (a)");
    db.close();
    return Buffer.from(readIfThere(file)?.subarray(0, headerSize) ?? []);
  } finally {
    removeDatabase(file);
  }
}
