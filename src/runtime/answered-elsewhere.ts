import { setTimeout as wait } from "node:timers/promises";
import type { Answer } from "../approval/approval.ts";
import type { CallRecord } from "../events/events.ts";
import { fail, type ToolResult } from "../tool/result.ts";
import type { Tool } from "../tool/tool.ts";
import type { Call, RuntimeParts } from "./stages.ts";

/** The outcome of a call whose question another process answered: a call that was asked about once runs once. */
export const answeredElsewhere: Answer = { approved: false, reason: "this was answered elsewhere" };

const lookMs = 500;

type Calls = Pick<RuntimeParts["store"], "call" | "result">;

/**
 * Resolves once each of these calls has ended in another process. A failing store is queried again. `ref`: whether
 * waiting keeps this process alive.
 */
export async function untilEndedElsewhere(
  store: Calls,
  ids: readonly string[],
  signal: AbortSignal,
  { ref = false } = {},
): Promise<void> {
  const hasEnded = async (id: string) => (await store.result(id).catch(() => undefined)) !== undefined;
  do await wait(lookMs, undefined, { signal, ref });
  while (!(await Promise.all(ids.map(hasEnded))).every(Boolean));
}

/** The outcome of a call in the process where its request was answered. */
export async function outcomeElsewhere(
  store: Calls,
  { id, signal }: Pick<Call, "id" | "signal">,
  { name, timeoutMs }: Tool,
): Promise<{ record: CallRecord | undefined; result: ToolResult<never> }> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  // It has often ended already.
  if ((await store.result(id)) === undefined)
    await untilEndedElsewhere(store, [id], over, { ref: true }).catch(() => undefined);
  const [record, kept] = await Promise.all([store.call(id), store.result(id)]);
  if (!record || !kept) {
    const message = `The approval request for ${name} was answered in another process, and the outcome is unknown. Check the current state before you call it again.`;
    return { record: undefined, result: fail("ABORTED", message) };
  }
  if (record.ok) {
    // Only its text is kept, and not the value.
    const message = `${name} was approved and run in another process. Its result:\n${kept.text}`;
    return { record, result: fail("CONFLICT", message) };
  }
  const code = record.errorCode ?? "EXECUTION_ERROR";
  const message = kept.text.startsWith(`${code}: `) ? kept.text.slice(code.length + 2) : kept.text;
  return { record, result: fail(code as Parameters<typeof fail>[0], message) };
}
