import type { LogData } from "../../agent/log.ts";
import { profileNamed } from "../../agent/profiles.ts";
import type { ChatMessage } from "../../api/chat.ts";
import type { SessionSummary, SessionView } from "../../api/sessions.ts";
import { currentMessage, messagesIn } from "../followers.ts";
import type { Person } from "../people.ts";
import { type TeamSession, team } from "../team.ts";
import type { ApiParts } from "./route.ts";

export async function listSessions(
  { store, database }: ApiParts,
  person: Person,
  words: string,
): Promise<SessionSummary[]> {
  const rows = await database.query(
    `SELECT session, state, at, profile, note FROM team_sessions WHERE owner = $1 OR shared OR $2 ORDER BY at DESC LIMIT 200`,
    [person.id, person.role === "admin"],
  );
  const found = await Promise.all(
    rows.map(async (row): Promise<SessionSummary | undefined> => {
      const record = await store.session(String(row["session"]));
      const at = (row["at"] as Date).toISOString();
      const title = record?.title ?? "(waiting for a worker)";
      if (!title.toLowerCase().includes(words.toLowerCase())) return undefined;
      return {
        ...{
          id: String(row["session"]),
          agent: profileNamed(record?.agent ?? String(row["profile"] ?? "code")),
          title,
        },
        ...{
          at: record?.at ?? at,
          updated: record?.updated ?? at,
          running: row["state"] !== "idle" && row["note"] === null,
          pinned: record?.pinned ?? false,
        },
      };
    }),
  );
  return found.filter((one) => one !== undefined);
}

export async function viewSession(parts: ApiParts, person: Person, id: string): Promise<SessionView> {
  const { store, database, followers, sessions, feedOf, willRead } = parts;
  const row = await sessions.visible(person, id);
  willRead(person, id);
  // Before the log is read: events from here on are read twice rather than missed.
  const { cursor } = feedOf(person);
  const entries = await store.entries(id);
  const record = await store.session(id);
  const messages = await messagesIn(store, entries);
  const isOver = (entries.at(-1)?.data as LogData | undefined)?.kind === "end";
  const goesOn = row.state !== "idle" && row.note === null;
  const running = goesOn && (!isOver || (await team.nextMessage(database.query, id)) !== undefined);
  const begun = currentMessage(messages, entries);
  const at = new Date().toISOString();
  const session: SessionSummary = {
    ...{ id, agent: profileNamed(record?.agent ?? row.profile ?? "code"), title: record?.title ?? "" },
    ...{ at: record?.at ?? at, updated: record?.updated ?? at, running, pinned: record?.pinned ?? false },
  };
  const unfinished = !running && entries.length > 0 && !isOver;
  if (!running) return { session, messages: [...messages, ...noteOf(row)], cursor, unfinished };
  const before = messages.filter((message) => message.id !== begun.id);
  if (isOver || entries.length === 0) return { session, messages: before, chunks: [], cursor, unfinished };
  const course = await followers.courseOf(id, begun, () => feedOf(person).cursor);
  return { session, messages: before, ...course, unfinished };
}

/** Why a session is paused, as a message at its end. */
function noteOf({ note }: TeamSession): ChatMessage[] {
  return note === null
    ? []
    : [{ id: "note", role: "assistant", parts: [{ type: "data-notice", data: note }] }];
}
