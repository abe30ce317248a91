import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresDatabase } from "../store/postgres-database.ts";
import { newId } from "../text/ids.ts";

/**
 * What processes tell each other by `NOTIFY`. Each is a hint that may be lost: the tables have the facts, and code that depends on a
 * hint looks there from time to time.
 */
export type Hint =
  /** There is a job to take. */
  | { t: "wake" }
  /** A session is to stop, or one of its questions was answered. */
  | { t: "stop" | "answer"; session: string }
  /** A session's state or questions changed. */
  | { t: "session" | "asks"; session: string }
  /** A web process follows a session live; `fresh`: it needs everything since the last entry of the log. */
  | { t: "watch"; session: string; to: string; fresh: boolean }
  /** To one web process: events of a session, numbered. `log`: the entries that were in the log before them. */
  | {
      t: "events";
      session: string;
      epoch: number;
      n: number;
      log: number;
      first: boolean;
      events: unknown[];
    };

export interface Channel {
  /** The address of this process. */
  readonly own: string;
  /** To all processes, or to one. Never rejects. */
  tell(hint: Hint, to?: string): Promise<void>;
  close(): Promise<void>;
}

const everybody = "wield";
/** Postgres allows 8000 bytes. */
export const mostHintBytes = 7900;

/** `hear` gets hints of others and of this process; `again` is called when hints may have been missed. */
export async function openChannel(
  database: PostgresDatabase,
  hear: (hint: Hint) => void,
  again: () => void,
): Promise<Channel> {
  const own = `${everybody}_${newId("p")}`;
  let closed = false;
  const stop = new AbortController();
  let client: Awaited<ReturnType<PostgresDatabase["connect"]>> | undefined;

  async function connect(): Promise<void> {
    const connected = await database.connect();
    const broken = () => {
      if (client !== connected) return;
      client = undefined;
      connected.end().catch(() => undefined);
      void reconnect();
    };
    connected.on("error", broken);
    connected.on("end", broken);
    connected.on("notification", ({ payload = "" }) => {
      const hint = parsed(payload);
      if (hint) hear(hint);
    });
    client = connected;
    await connected.query(`LISTEN ${everybody}`);
    await connected.query(`LISTEN "${own}"`);
  }

  async function reconnect(): Promise<void> {
    while (!closed) {
      try {
        await connect();
        again();
        return;
      } catch {
        client = undefined;
        await sleep(500, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  }

  // A connection that was cut silently is noticed by asking.
  const alive = setInterval(() => {
    const asked = client;
    asked?.query("SELECT 1").catch(() => asked.emit("end"));
  }, 5000);
  await connect();
  return {
    own,
    tell: async (hint, to = everybody) => {
      if (closed) return;
      await database.query("SELECT pg_notify($1, $2)", [to, JSON.stringify(hint)]).catch(() => undefined);
    },
    close: async () => {
      closed = true;
      clearInterval(alive);
      stop.abort();
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

function parsed(payload: string): Hint | undefined {
  try {
    return JSON.parse(payload) as Hint;
  } catch {
    return undefined;
  }
}
