import type { z } from "zod";
import type { Feed } from "../../server/feed.ts";
import type { PostgresDatabase } from "../../store/postgres-database.ts";
import type { Store } from "../../store/store.ts";
import type { Followers } from "../followers.ts";
import type { Person, Scope } from "../people.ts";
import type { Projects } from "../projects.ts";
import type { Schedules } from "../schedules.ts";
import type { TeamSessions } from "../team-sessions.ts";

export interface ApiParts {
  database: PostgresDatabase;
  store: Store;
  sessions: TeamSessions;
  schedules: Schedules;
  projects: Projects;
  /** What every page starts with has changed. */
  teamChanged(): void;
  followers: Followers;
  feedOf(person: Person): Feed;
  /** From here on the person's feed has the session's events, whether or not they have opened it yet. */
  willRead(person: Person, session: string): void;
  /** Rejects where a person has too many open streams; call the result when the reader has left. */
  openStream(person: Person): () => void;
  counts(): Promise<{ queued: number; active: number }>;
  secretKey: string | undefined;
  version: string;
}

/** One request of a signed-in person. */
export interface ApiRequest {
  person: Person;
  /** The named parts of the path. */
  param(name: string): string;
  query(name: string): string | undefined;
  header(name: string): string | undefined;
  body<T>(schema: z.ZodType<T>): Promise<T>;
  /** Called when the reader of a stream has left. */
  onLeave(left: () => void): void;
}

export type ApiReply =
  | { status?: number; json: unknown }
  | { stream: ReadableStream<Uint8Array> }
  | { file: { name: string; bytes: Uint8Array | ReadableStream<Uint8Array<ArrayBuffer>> } };

/** `reach` says who may use the route; the tests try each route without permission. */
export interface ApiRoute {
  method: "get" | "post" | "delete";
  path: string;
  summary: string;
  reach: "everybody" | "reader" | "owner" | "answerer" | "admin";
  body?: z.ZodType;
  run(parts: ApiParts, request: ApiRequest): Promise<ApiReply>;
}

/** The scope that a token needs for a route. */
export function scopeOf({ method, reach }: Pick<ApiRoute, "method" | "reach">): Scope {
  if (reach === "admin") return "admin";
  if (reach === "answerer") return "approve";
  return method === "get" ? "read" : "write";
}

export function json(value: unknown, status?: number): ApiReply {
  return { json: value, ...(status && { status }) };
}
