import type { LogData } from "../../agent/log.ts";
import { profileNamed } from "../../agent/profiles.ts";
import type { ChatMessage } from "../../api/chat.ts";
import type { SessionSummary, SessionView } from "../../api/sessions.ts";
import type { TeamResultView } from "../../api/team.ts";
import type { Row, Sql } from "../../store/postgres-database.ts";
import { mayHaveRequests } from "../code-host.ts";
import { currentMessage, messagesIn } from "../followers.ts";
import { type Person, people } from "../people.ts";
import { whyQueued } from "../queue-place.ts";
import { runEnd, runEndOf } from "../run-end.ts";
import { firstWords, type TeamSession, team, titleIn } from "../team.ts";
import type { ApiParts } from "./route.ts";

export async function listSessions(
  { database }: Pick<ApiParts, "database">,
  person: Person,
  words: string,
): Promise<SessionSummary[]> {
  const rows = await database.query(
    `SELECT t.session, t.state, t.at AS started, t.profile, t.note, t.shared, p.name AS owner, t.owner = $1 AS own, j.name AS project,
       s.agent, s.at, s.updated, m.title AS marked, s.title, coalesce(m.pinned, false) AS pinned, ${runEnd} AS run_end, ${firstWords} AS said
     FROM team_sessions t JOIN people p ON p.id = t.owner JOIN projects j ON j.id = t.project LEFT JOIN sessions s ON s.id = t.session LEFT JOIN session_marks m ON m.session = t.session
     WHERE t.owner = $1 OR t.shared ORDER BY t.at DESC LIMIT 200`,
    [person.id],
  );
  const summaries = rows.map((row): SessionSummary => {
    const started = (row["started"] as Date).toISOString();
    return {
      id: String(row["session"]),
      agent: profileNamed(String(row["agent"] ?? row["profile"] ?? "code")),
      title: titleIn(row) || "Not begun yet",
      project: String(row["project"]),
      at: String(row["at"] ?? started),
      updated: String(row["updated"] ?? started),
      running: row["state"] !== "idle" && row["note"] === null,
      ...(row["state"] === "queued" && { queued: true }),
      ...failureIn(row),
      pinned: row["pinned"] === true,
      ...(row["own"] !== true && { owner: String(row["owner"]) }),
      ...(row["shared"] === true && { shared: true }),
    };
  });
  return summaries.filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()));
}

export async function viewSession(parts: ApiParts, person: Person, id: string): Promise<SessionView> {
  const { store, database, followers, sessions, feedOf, willRead } = parts;
  const row = await sessions.visible(person, id);
  willRead(person, id);
  // Before the log is read: events from here on are read twice rather than missed.
  const { cursor } = feedOf(person);
  const entries = await store.entries(id);
  const record = await store.session(id);
  const messages = await messagesIn(store, entries, await answerersIn(database.query, id));
  const isOver = (entries.at(-1)?.data as LogData | undefined)?.kind === "end";
  const goesOn = row.state !== "idle" && row.note === null;
  const next = goesOn ? await team.nextMessage(database.query, id) : undefined;
  const running = goesOn && (!isOver || next !== undefined);
  const begun = currentMessage(messages, entries);
  const at = new Date().toISOString();
  const session: SessionSummary = {
    ...{ id, agent: profileNamed(record?.agent ?? row.profile ?? "code"), title: record?.title ?? "" },
    ...{ at: record?.at ?? at, updated: record?.updated ?? at, running, pinned: record?.pinned ?? false },
  };
  if (row.owner !== person.id) session.owner = (await people.byId(database.query, row.owner)).name;
  const isStuck = row.note !== null && (await team.nextMessage(database.query, id)) !== undefined;
  const unfinished = !running && ((entries.length > 0 && !isOver) || isStuck);
  const queued = await whyQueued(database.query, row);
  if (!running) return { session, messages: [...messages, ...noteOf(row)], cursor, unfinished };
  const before = messages.filter((message) => message.id !== begun.id);
  if (isOver || entries.length === 0) {
    // A message that no agent has begun to hear is in the queue; the page reads again when its run begins.
    const isQueued = next !== undefined && next.begun === null;
    const waits = queued === undefined ? {} : { queued };
    return { session, messages: before, ...(!isQueued && { chunks: [] }), cursor, unfinished, ...waits };
  }
  const course = await followers.courseOf(id, begun, () => feedOf(person).cursor);
  return { session, messages: before, ...course, unfinished };
}

export async function resultOf(sql: Sql, person: Person, row: TeamSession): Promise<TeamResultView> {
  const { session, owner, state, note, base, branch, pull_request: pullRequest, project, shared } = row;
  const [more] = await sql(
    `SELECT p.name AS owner, j.name AS project, j.url, ${runEnd} AS run_end,
       EXISTS (SELECT 1 FROM patches WHERE session = $1) AS patched
     FROM team_sessions t JOIN people p ON p.id = t.owner JOIN projects j ON j.id = t.project WHERE t.session = $1`,
    [session],
  );
  return {
    ...{ state, note, base, branch, pullRequest, project, shared, own: owner === person.id },
    ...{ owner: String(more?.["owner"]), projectName: String(more?.["project"]) },
    hasPatch: more?.["patched"] === true,
    mayRequest: mayHaveRequests(String(more?.["url"])),
    ...runEndOf(more?.["run_end"]),
  };
}

/** Who answered the approval requests of its calls. */
async function answerersIn(sql: Sql, session: string): Promise<ReadonlyMap<string, string>> {
  const rows = await sql(
    "SELECT a.id, p.name FROM asks a JOIN people p ON p.id = a.answered_by WHERE a.session = $1",
    [session],
  );
  return new Map(rows.map(({ id, name }) => [String(id), String(name)]));
}

const failures = { error: "failed", aborted: "stopped" } as const;

function failureIn({ state, note, run_end: end }: Row): Pick<SessionSummary, "failed"> {
  const { ended } = runEndOf(end);
  if (state === "waiting" && note !== null && ended === null) return { failed: "not begun" };
  if (ended === null || ended === "done") return {};
  return { failed: failures[ended as keyof typeof failures] ?? "at a limit" };
}

/** Why a session is paused, as a message at its end. */
function noteOf({ note }: TeamSession): ChatMessage[] {
  return note === null
    ? []
    : [{ id: "note", role: "assistant", parts: [{ type: "data-notice", data: note }] }];
}
