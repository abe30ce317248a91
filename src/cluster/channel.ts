import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresDatabase } from "../store/postgres-database.ts";
import { newId } from "../text/ids.ts";

/**
 * Messages between processes by `NOTIFY`. Each is a hint that may be lost: the tables have the facts, and code that
 * depends on a hint looks there from time to time.
 */
export type Hint =
  /** There is a job to take. */
  | { t: "wake" }
  /** A session is to stop, or one of its questions was answered. */
  | { t: "stop" | "answer"; session: string }
  /** A session's state or questions changed. */
  | { t: "session" | "asks"; session: string }
  /** A session was shared or made private: what everybody sees changed. */
  | { t: "shared"; session: string }
  /** What every page starts with changed, such as the projects. */
  | { t: "team" }
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

/** Hints of this time go out in one statement. */
const gatherMs = 10;
const pingMs = 5000;

/** `hear` gets hints of others and of this process; `again` is called when hints may have been missed. */
export async function openChannel(
  database: PostgresDatabase,
  hear: (hint: Hint) => void,
  again: () => void,
  { pingEveryMs = pingMs } = {},
): Promise<Channel> {
  const own = `${everybody}_${newId("p")}`;
  let closed = false;
  const stop = new AbortController();
  /** The connection that listens. */
  let client: Awaited<ReturnType<PostgresDatabase["connect"]>> | undefined;
  let isAsked = false;

  async function connect(): Promise<void> {
    const connected = await database.connect();
    const broken = () => {
      connected.end().catch(() => undefined);
      if (client !== connected) return;
      client = undefined;
      void reconnect();
    };
    connected.on("error", broken);
    connected.on("end", broken);
    connected.on("notification", ({ payload = "" }) => {
      const hint = parsed(payload);
      if (hint) hear(hint);
    });
    try {
      await connected.query(`LISTEN ${everybody}`);
      await connected.query(`LISTEN "${own}"`);
    } catch (error) {
      broken();
      throw error;
    }
    if (closed) broken();
    else client = connected;
  }

  async function reconnect(): Promise<void> {
    while (!closed) {
      try {
        await connect();
        again();
        return;
      } catch {
        await sleep(500, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  }

  // A connection that was cut silently is noticed by asking, one question at a time.
  const alive = setInterval(() => {
    const asked = client;
    if (!asked || isAsked) return;
    isAsked = true;
    void asked
      .query("SELECT 1")
      .catch(() => asked.emit("end"))
      .finally(() => {
        isAsked = false;
      });
  }, pingEveryMs);
  let gathered: { to: string; hint: string }[] = [];
  let sending: Promise<void> | undefined;
  const send = async () => {
    await sleep(gatherMs);
    const hints = gathered;
    gathered = [];
    sending = undefined;
    // Equal hints of one statement are told once.
    await database
      .query("SELECT pg_notify(t, h) FROM unnest($1::text[], $2::text[]) AS told (t, h)", [
        hints.map(({ to }) => to),
        hints.map(({ hint }) => hint),
      ])
      .catch(() => undefined);
  };
  await connect();
  return {
    own,
    tell: (hint, to = everybody) => {
      if (closed) return Promise.resolve();
      gathered.push({ to, hint: JSON.stringify(hint) });
      sending ??= send();
      return sending;
    },
    close: async () => {
      closed = true;
      await sending;
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
