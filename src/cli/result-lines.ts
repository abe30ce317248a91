import type { AgentEvent } from "../events/agent-events.ts";
import type { CallFile } from "../events/events.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import type { PlanLines } from "./plan-lines.ts";

/** What to show of a result besides the call itself: how to open a document, and the plan. */
export function resultLines(
  { ok, tool, text, plan }: Extract<AgentEvent, { type: "call-result" }>,
  plans: PlanLines,
): { hint?: string; plan: string[] } {
  const [id] = (ok && /^(?:create|update)Document$/.test(tool) && /\bd_[0-9a-z]{10}\b/.exec(text)) || [];
  return {
    ...(id !== undefined && { hint: `  wield documents ${id} shows it` }),
    plan: plan ? plans.take(plan).map(visibleText) : [],
  };
}

export function savingHint(callId: string, files: readonly CallFile[]): string {
  const names = files.map(({ name }) => visibleLine(name)).join(", ");
  return `  ${names}: wield files ${callId} --save . saves them`;
}
