import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { PersonMessage } from "../agent/attachments.ts";
import { titleOf } from "../agent/log.ts";
import type { AgentOptions } from "../app/agent-options.ts";
import { decodeText, type PostgresDatabase, type Row, type Sql } from "../store/postgres-database.ts";
import type { Project } from "./repositories.ts";

export const resultKinds = ["branch", "pull-request"] as const;
/** What becomes of a session's changes. */
export type ResultKind = (typeof resultKinds)[number];

/** What a session is doing: in the queue, on a worker, waiting for a person without one, or nothing. */
export type SessionStateName = "queued" | "running" | "waiting" | "idle";

export interface TeamSession {
  session: string;
  owner: string;
  project: string;
  shared: boolean;
  profile: string | null;
  model: string | null;
  state: SessionStateName;
  /** Why it is not running, for people. */
  note: string | null;
  /** The commit that it began with. */
  base: string | null;
  /** Where its result was pushed. */
  branch: string | null;
  /** The commits that the branch may be at. */
  pushed: string[] | null;
  /** What `handed_over` was when that was noted; another number: a worker of an earlier version pushed since, and noted nothing. */
  pushed_changes: number | null;
  /** What becomes of its changes; null: as its project says. */
  result: ResultKind | null;
  /** Its address. */
  pull_request: string | null;
  /** So many of its changes are in the patch and the branch. */
  handed_over: number;
  stop: boolean;
}

/** A person's message, with the agent options that they chose. */
export interface SentMessage {
  kind: "say" | "resume";
  message: PersonMessage;
  how: Pick<AgentOptions, "profile" | "mode" | "effort">;
}

/** A message that no agent has received yet. */
export interface TeamMessage extends SentMessage {
  id: string;
  session: string;
  by: string;
  /** How long the log was when an agent began to take it; it may be in the log since. */
  begun: number | null;
}

/** What a session `t` without a log was asked first; a message that carries files may be too large for a list. */
export const firstWords = `CASE WHEN s.id IS NULL THEN (
    SELECT CASE WHEN length(body) < 100000 THEN body END FROM messages WHERE session = t.session ORDER BY seq LIMIT 1
  ) END`;

/** The title of a session from the columns `marked`, `title` and, before it has one, `said`. */
export function titleIn({ marked, title, said }: Row): string {
  const given = marked ?? title;
  if (given !== null && given !== undefined) return decodeText(given);
  return typeof said === "string" ? titleOf((JSON.parse(said) as SentMessage).message.text) : "";
}

/** The rows of sessions, messages and projects; who may see them is decided before. */
export const team = {
  async session(sql: Sql, id: string, lock = ""): Promise<TeamSession | undefined> {
    return (await sql(`SELECT * FROM team_sessions WHERE session = $1 ${lock}`, [id])).map(sessionOf)[0];
  },

  async project(sql: Sql, id: string): Promise<Project | undefined> {
    return (await sql("SELECT id, name, url, ref FROM projects WHERE id = $1 AND NOT removed", [id]))[0] as
      | Project
      | undefined;
  },

  /** `problem`: why workers cannot use it. */
  async projects(sql: Sql): Promise<(Project & { problem: string | null })[]> {
    return (await sql(
      "SELECT id, name, url, ref, problem FROM projects WHERE NOT removed ORDER BY name",
    )) as unknown as (Project & { problem: string | null })[];
  },

  async nextMessage(sql: Sql, session: string): Promise<TeamMessage | undefined> {
    return (await sql("SELECT * FROM messages WHERE session = $1 ORDER BY seq LIMIT 1", [session])).map(
      messageOf,
    )[0];
  },

  async messages(sql: Sql, session: string): Promise<TeamMessage[]> {
    return (await sql("SELECT * FROM messages WHERE session = $1 ORDER BY seq", [session])).map(messageOf);
  },
};

function sessionOf(row: Row): TeamSession {
  return row as unknown as TeamSession;
}

function messageOf({ id, session, body, by_person, begun }: Row): TeamMessage {
  return {
    ...(JSON.parse(String(body)) as SentMessage),
    ...{ id: String(id), session: String(session), by: String(by_person) },
    begun: begun === null ? null : Number(begun),
  };
}

/** Larger results are only pushed. */
const mostPatchBytes = 20_000_000;

export async function savePatch(database: PostgresDatabase, session: string, patch: Buffer): Promise<void> {
  if (patch.length > mostPatchBytes) return;
  await database.write(
    "INSERT INTO patches (session, zstd) VALUES ($1, $2) ON CONFLICT (session) DO UPDATE SET zstd = excluded.zstd",
    [session, await promisify(zstdCompress)(patch)],
  );
}

export async function patchOf(sql: Sql, session: string): Promise<Buffer | undefined> {
  const [row] = await sql("SELECT zstd FROM patches WHERE session = $1", [session]);
  return row && promisify(zstdDecompress)(row["zstd"] as Buffer);
}
