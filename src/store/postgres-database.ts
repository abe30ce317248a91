import pg from "pg";
import { Failure } from "../failure/failure.ts";
import { lostClaim } from "./claims.ts";

export type Row = Record<string, unknown>;

/** What runs SQL: the pool, or one connection inside a transaction. */
export type Sql = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Writes are done only while this claim holds. */
export interface Fence {
  session: string;
  epoch: number;
}

/** A Postgres database that many processes share. */
export interface PostgresDatabase {
  readonly fence: Fence | undefined;
  /** Reads. */
  query: Sql;
  /** One statement that writes, done only while the fence holds. */
  write: Sql;
  /** All or nothing, and only while the fence holds. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** The same database behind a fence. */
  fencedBy(fence: Fence): PostgresDatabase;
  /** A connection of its own, for `LISTEN`; its owner ends it. */
  connect(): Promise<pg.Client>;
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** Connections at once. */
  connections?: number;
  /** Told by the server in its lists of connections. */
  name?: string;
  /** For work that takes its time, such as a migration: statements are not bounded. */
  patient?: boolean;
  /** How long to wait for the answer to a statement. */
  answerMs?: number;
}

/**
 * `pg` waits forever on a broken connection: these limits make a worker notice within the time in which it must stop
 * itself. The server gives up slightly earlier, so a statement does not outlive its caller for long.
 */
const timeouts = {
  connectionTimeoutMillis: 5000,
  statement_timeout: 5000,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
};

export function openPostgres(url: string, options: PostgresOptions = {}): PostgresDatabase {
  const { connections = 8, name = "wield", patient = false, answerMs: query_timeout = 6000 } = options;
  const { statement_timeout, ...others } = timeouts;
  const bounds = patient ? others : { ...others, query_timeout, statement_timeout };
  const common = { connectionString: url, application_name: name, ...bounds };
  const pool = new pg.Pool({ ...common, max: connections });
  // An idle connection that breaks is replaced; for a connection in use, the query fails.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  let closed: Promise<void> | undefined;
  const requireOpen = () => {
    if (closed !== undefined)
      throw new Failure("UNAVAILABLE", "The store is closed: Wield is shutting down.");
  };
  const query: Sql = async (text, values) => {
    requireOpen();
    return rowsOf(await pool.query(text, values as unknown[]).catch(refuseText));
  };

  async function transaction<T>(fence: Fence | undefined, work: (sql: Sql) => Promise<T>): Promise<T> {
    requireOpen();
    const client = await pool.connect();
    let broken: Error | undefined;
    const ask: Sql = async (text, values) =>
      rowsOf(
        await client.query(text, values as unknown[]).catch((error: Error) => {
          // Without an answer of the server, the connection is still busy with this statement: it is closed, not asked again.
          if (!(error instanceof pg.DatabaseError)) broken = error;
          return refuseText(error);
        }),
      );
    try {
      await ask("BEGIN");
      if (fence && (await ask(holds, [fence.session, fence.epoch])).length === 0)
        throw lostClaim(fence.session);
      const value = await work(ask);
      await ask("COMMIT");
      return value;
    } catch (error) {
      if (!broken) await ask("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  const behind = (fence: Fence | undefined): PostgresDatabase => ({
    fence,
    query,
    write: fence ? (text, values) => transaction(fence, (sql) => sql(text, values)) : query,
    transaction: (work) => transaction(fence, work),
    fencedBy: behind,
    connect: async () => {
      requireOpen();
      // A listener waits for hours: only what it asks itself is bounded.
      const client = new pg.Client({
        connectionString: url,
        application_name: name,
        ...others,
        query_timeout,
      });
      await client.connect();
      return client;
    },
    close: () => {
      closed ??= pool.end();
      return closed;
    },
  });
  return behind(undefined);
}

/** The server cannot be reached, does not answer in time, or takes no work now. */
export function isAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(?:08|53|57)/.test(error.code ?? "");
  if (!(error instanceof Error) || error instanceof Failure) return false;
  const { code = "" } = error as { code?: string };
  return (
    /^(?:ECONN|EHOST|ENET|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT)/.test(code) || withoutAnswer.test(error.message)
  );
}

/** In the words of `pg`, which gives these errors no code. */
const withoutAnswer = /^(?:Connection terminated|timeout exceeded when|Query read timeout|Client has encoun)/;

/** A text that Postgres cannot store, such as one with NUL, was never stored, so the caller made a mistake. */
function refuseText(error: unknown): never {
  const isText = error instanceof pg.DatabaseError && error.code === "22021";
  if (!isText) throw error;
  throw new Failure("INVALID_INPUT", "A name or an id has a NUL character in it, which no name or id has.");
}

/** Several statements in one text have several results. */
function rowsOf(result: pg.QueryResult<Row> | pg.QueryResult<Row>[]): Row[] {
  return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
}

const holds = "SELECT 1 FROM claims WHERE session = $1 AND epoch = $2 FOR SHARE";

/**
 * Where a statement takes its one row from: the claim, locked against being taken over, or nothing at all. `INSERT … SELECT …
 * ${from}` writes and checks in one round trip; no row written means that the claim is lost.
 */
export function fenceSource(fence: Fence | undefined, next: number): { from: string; values: unknown[] } {
  if (!fence) return { from: "", values: [] };
  return {
    from: `FROM claims WHERE claims.session = $${next} AND claims.epoch = $${next + 1} FOR SHARE`,
    values: [fence.session, fence.epoch],
  };
}

/** `text` rejects NUL and lone surrogates; as a JSON string every text can be stored and is returned unchanged. */
export function encodeText(text: string): string {
  return JSON.stringify(text).replace(/^"|"$/g, "");
}

export function decodeText(text: unknown): string {
  return JSON.parse(`"${String(text)}"`) as string;
}

/** For searching only: characters that `text` rejects are removed. */
export function searchable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", " ");
}
