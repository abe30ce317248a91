import { currentEntries, type LogData, newSession, openSession } from "../agent/log.ts";
import type { ResearchGiven, ResearchResult } from "../agent/research-log.ts";
import { noUsage } from "../agent/usage.ts";
import { Failure } from "../failure/failure.ts";
import type { SessionRecord } from "../store/store.ts";
import { visibleLine } from "../text/visible.ts";
import type { Wield } from "./wield.ts";

// The session of a research is a conversation: the idea, and the report as its answer. What a person says there later goes
// on from the report. The phases are separate sessions, named after it, so such words cannot change them.

/** A research as it is recorded. */
export interface RecordedResearch {
  session: string;
  given: ResearchGiven;
  /** Undefined: it is not finished. */
  result: ResearchResult | undefined;
}

export async function beginResearch(
  { store, workspace }: Wield,
  session: string,
  given: ResearchGiven,
): Promise<void> {
  const about = { workspace: workspace.root, agent: "research" };
  const { log } = newSession(store, about, () => new Date(), session);
  await log.append({ kind: "research", given });
  await log.append({ kind: "user", text: given.idea });
}

/** Adds the report to the conversation, as the answer to the idea. */
export async function endResearch(
  { store, workspace }: Wield,
  session: string,
  result: ResearchResult,
): Promise<void> {
  const about = { workspace: workspace.root, agent: "research" };
  const { log } = await openSession(store, session, about, () => new Date());
  const { text, sources, model } = result;
  await log.append({
    kind: "step",
    messages: [{ role: "assistant", content: text }],
    ...{ calls: [], usage: noUsage, model, final: true, sources: [...sources], research: result },
  });
  await log.append({ kind: "end", stop: "done" });
}

export async function recordedResearch(
  { store }: Pick<Wield, "store">,
  session: string,
): Promise<RecordedResearch | undefined> {
  const entries = currentEntries(await store.entries(session)).map(({ data }) => data as LogData);
  const [first] = entries;
  if (first?.kind !== "research") return undefined;
  const result = entries.flatMap((entry) => (entry.kind === "step" ? (entry.research ?? []) : [])).at(-1);
  return { session, given: first.given, result };
}

/** By the id of any of its sessions or the beginning of it; left out: the newest research of the folder. */
export async function findResearch(wield: Wield, id: string | undefined): Promise<RecordedResearch> {
  const sessions = await wield.sessions.list(200);
  const meant =
    id === undefined
      ? sessions.filter(({ agent }) => agent === "research").sort(newestFirst)
      : sessions.filter((one) => one.id.startsWith(id.replace(/-(?:\d+|plan|report)$/, "")));
  for (const { id: session } of meant) {
    const found = await recordedResearch(wield, session);
    if (found) return found;
  }
  if (id === undefined)
    throw new Failure("FILE_NOT_FOUND", "There is no research to continue in this folder.");
  const which = visibleLine(id);
  const list = "List the sessions with: wield sessions";
  throw meant.length > 0
    ? new Failure("INVALID_INPUT", `Session ${which} is not a research session. ${list}`)
    : new Failure("FILE_NOT_FOUND", `There is no session ${which} in this folder. ${list}`);
}

function newestFirst(one: SessionRecord, other: SessionRecord): number {
  return one.updated < other.updated ? 1 : -1;
}
