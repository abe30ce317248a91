import { chatPrefix, findSession, isResearchPhase, removeSession } from "../agent/log.ts";
import type { WieldEvent } from "../events/events.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import type { WholeWorkspace } from "../workspace/workspace.ts";
import type { WieldSessions } from "./wield-members.ts";
import { type MayShow, withoutWithheld } from "./withheld.ts";

/** The conversations of a folder: listed, removed, rewound and forked. */
export function wieldSessions(parts: {
  store: Store;
  workspace: WholeWorkspace;
  emit(event: WieldEvent): void;
  /** Ends what runs for a session that is removed. */
  ending(session: string): Promise<void>;
  /** Their sessions are listed and found here, too. */
  worktrees(): readonly { folder: string }[];
  mayShow: MayShow;
}): WieldSessions {
  const { store, workspace } = parts;
  const folders = () => [workspace.root, ...parts.worktrees().map(({ folder }) => folder)];
  const find = async (id: string) => {
    const [own, ...others] = folders();
    try {
      return await findSession(store, id, own ?? workspace.root);
    } catch (error) {
      if (id === "latest") throw error;
      for (const folder of others) {
        const found = await findSession(store, id, folder).catch(() => undefined);
        if (found) return found;
      }
      throw error;
    }
  };
  const rewinding = () => import("./rewind.ts");
  return {
    remove: async (id) => {
      const found = await find(id);
      await parts.ending(found.id);
      await removeSession(store, found.id);
      return found;
    },
    find,
    log: async (id) => withoutWithheld(await store.entries(id), id, parts.mayShow),
    list: async (limit = 50, query = "") => {
      const asked = { prefix: chatPrefix, limit: limit * 4, query };
      const all = await Promise.all(folders().map((each) => store.sessions({ ...asked, workspace: each })));
      return newestFirst(all.flat().filter(({ id }) => !isResearchPhase(id))).slice(0, limit);
    },
    messages: async (id) => (await rewinding()).rewindMessages(parts, id),
    planRewind: async (id, to) => (await rewinding()).planRewind(parts, id, to),
    rewind: async (id, to, what) => (await rewinding()).rewindSession(parts, id, to, what),
    fork: async (id, before) => {
      const { forkSession } = await import("../agent/fork.ts");
      const record = await findSession(store, id, workspace.root);
      return forkSession(store, record, before, () => new Date());
    },
  };
}

/** Pinned ones before all others, as the store lists them. */
function newestFirst(sessions: readonly SessionRecord[]): SessionRecord[] {
  return sessions.toSorted(
    (one, other) =>
      Number(other.pinned === true) - Number(one.pinned === true) || other.updated.localeCompare(one.updated),
  );
}
