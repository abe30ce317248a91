import type { PlanEntryStatus, SessionUpdate } from "@agentclientprotocol/sdk";
import type { Plan } from "../events/agent-events.ts";

/** By the mark of a step in the checklist; one that failed is still to be done, one that was skipped is not. */
const statusOf: Readonly<Record<string, PlanEntryStatus>> = {
  x: "completed",
  "-": "completed",
  "~": "in_progress",
};

/** The whole plan: an editor replaces the one it shows. */
export function planUpdate({ steps }: Plan): SessionUpdate {
  const entries = steps.map(({ mark, text }) => ({
    content: text,
    priority: "medium" as const,
    status: statusOf[mark] ?? "pending",
  }));
  return { sessionUpdate: "plan", entries };
}
