import type { Claim, LogEntry, SessionRecord, Store } from "../store/store.ts";
import { retryingStore } from "./retrying-store.ts";

export interface SessionStoreParts {
  claim: Claim;
  /** Where the session's files are on this worker. */
  root: string;
  project: string;
  owner: string;
  /** Why nothing may be written any more; undefined: it may. */
  over(): string | undefined;
  /** The session must continue elsewhere. */
  lost(why: string): void;
  /** A model was used; called before the log grows. */
  used(session: string, entry: LogEntry): Promise<void>;
  /** The log has grown. */
  appended(entries: number): void;
}

/**
 * The store as the agent of one session sees it. In the log and in lists the place of a session is its project, not a folder of a
 * worker. Other sessions are invisible to it, by id and in lists.
 */
export function sessionStore({
  claim,
  root,
  project,
  owner,
  over,
  lost,
  used,
  appended,
}: SessionStoreParts): Store {
  const store = retryingStore(claim.store, { over, lost });
  /** The session itself, and those that it delegated to. */
  const isOwn = async (session: string): Promise<boolean> => {
    for (let id: unknown = session; typeof id === "string"; ) {
      if (id === claim.session) return true;
      id = (await store.sessionStates().get(id))?.["parent"];
    }
    return false;
  };
  const here = (record: SessionRecord): SessionRecord => ({ ...record, workspace: root });
  const ownCall = async (id: string) => {
    const call = await store.call(id);
    return call && (await isOwn(call.session)) ? call : undefined;
  };
  return {
    ...store,
    call: ownCall,
    calls: async (query) => {
      const calls = await store.calls(query);
      const own = await Promise.all(calls.map(({ session }) => isOwn(session)));
      return calls.filter((_, at) => own[at]);
    },
    result: async (id) => ((await ownCall(id)) ? store.result(id) : undefined),
    session: async (id) => {
      const record = (await isOwn(id)) ? await store.session(id) : undefined;
      return record && here(record);
    },
    sessions: async (query) => {
      const record = await store.session(claim.session);
      const wanted = record && claim.session.startsWith(query.prefix ?? "");
      return wanted ? [here(record)] : [];
    },
    entries: async (id) => ((await isOwn(id)) ? store.entries(id) : []),
    appendEntry: async (record, entry) => {
      await used(record.id, entry);
      await store.appendEntry({ ...record, workspace: project }, entry);
      if (record.id === claim.session) appended(entry.seq + 1);
    },
    savePending: (pending) => store.savePending({ ...pending, workspace: `session:${claim.session}` }),
    pending: async () => [],
    // Of a project and a person: what one person's sessions wrote is not read by another's.
    documents: () => store.documents(`${project}/${owner}`),
    plans: () => store.plans(`session:${claim.session}`),
    held: () => store.held(`session:${claim.session}`),
    // Other processes use the same connections.
    close: async () => undefined,
  };
}
