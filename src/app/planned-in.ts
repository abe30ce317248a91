import { chatPrefix } from "../agent/log.ts";
import type { Store } from "../store/store.ts";
import type { PlannedIn } from "../tools/studio/read-plan.ts";

/** Whether a conversation made or changed a plan itself; calls outside a conversation have no plan. */
export function plannedIn(store: Store): PlannedIn {
  return async (session) => {
    if (session === undefined || !session.startsWith(chatPrefix)) return true;
    const calls = await Promise.all(
      ["createPlan", "updatePlan"].map((tool) => store.calls({ session, tool, limit: 10 })),
    );
    return calls.flat().some(({ ok }) => ok);
  };
}
