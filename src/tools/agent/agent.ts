import type { StoredResult } from "../../store/store.ts";

export interface AgentServices {
  /** Fails where rules deny by now what it may show in a session. */
  results(id: string, session?: string): Promise<StoredResult | undefined>;
}

/** Tools about the session itself. Each is loaded when it is wanted: a command needs one. */
export const agentTools = {
  read_result: async (services: AgentServices) =>
    (await import("./read-result.ts")).readResult(services.results),
};
