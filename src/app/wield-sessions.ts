import { chatPrefix, findSession, isResearchPhase, removeSession } from "../agent/log.ts";
import type { WieldEvent } from "../events/events.ts";
import type { Store } from "../store/store.ts";
import type { WholeWorkspace } from "../workspace/workspace.ts";
import type { WieldSessions } from "./wield-members.ts";

/** The conversations of a folder: listed, removed, rewound and forked. */
export function wieldSessions(parts: {
  store: Store;
  workspace: WholeWorkspace;
  emit(event: WieldEvent): void;
  /** Ends what runs for a session that is removed. */
  ending(session: string): Promise<void>;
}): WieldSessions {
  const { store, workspace } = parts;
  const rewinding = () => import("./rewind.ts");
  return {
    remove: async (id) => {
      const found = await findSession(store, id, workspace.root);
      await parts.ending(found.id);
      await removeSession(store, found.id);
      return found;
    },
    list: async (limit = 50) => {
      const all = await store.sessions({ workspace: workspace.root, prefix: chatPrefix, limit: limit * 4 });
      return all.filter(({ id }) => !isResearchPhase(id)).slice(0, limit);
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
