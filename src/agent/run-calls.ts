import type { ErrorCode } from "../failure/failure.ts";
import type { CallOptions, CallOutcome, CallRequest } from "../runtime/runtime.ts";
import type { Reach, Store } from "../store/store.ts";
import { boundToBudget } from "../text/bound.ts";
import { defaultBudget } from "../tool/define-tool.ts";
import { fail, ok } from "../tool/result.ts";
import type { Tool } from "../tool/tool.ts";
import type { Change } from "../workspace/workspace.ts";
import type { PlannedCall } from "./log.ts";

/** What an agent needs from the runtime. */
export interface StepRunner {
  step(requests: readonly CallRequest[], options?: CallOptions): Promise<StepOutcome[]>;
}

/** What an agent needs to know about a finished call. */
export type StepOutcome = Pick<CallOutcome, "id" | "result" | "text" | "images"> & {
  details: Pick<CallOutcome["details"], "changes" | "elsewhere" | "reach">;
};

export interface CallParts {
  runtime: StepRunner;
  store: Store;
  /** Changes in the workspace that calls with these ids may have made. */
  changes(callIds: readonly string[]): Promise<readonly Change[]>;
  toolOf(name: string): Tool | undefined;
  budget: number;
  /** What the agent is after, in words. */
  topic?: string;
  /** Called when the calls begin to wait for a person, and when they stop. */
  onWait?: (waiting: boolean) => void;
}

/** A finished call, whichever process ran it. */
export type FinishedCall = Omit<StepOutcome, "details"> & { changes: readonly Change[]; reach?: Reach };

/**
 * Runs the calls of a step. With `interrupted`, an earlier process may have run some of them: what is found to have
 * happened is reported, never done again.
 */
export async function runOpenCalls(
  calls: readonly PlannedCall[],
  interrupted: boolean,
  session: string,
  parts: CallParts,
  signal: AbortSignal,
): Promise<FinishedCall[]> {
  const changes = interrupted ? await parts.changes(calls.map(({ id }) => id)) : [];
  const known = new Map<string, FinishedCall>();
  for (const call of calls) {
    const outcome = call.cut
      ? notRun(call)
      : interrupted
        ? await outcomeAfterCrash(call, changes, parts)
        : undefined;
    if (outcome) known.set(call.id, outcome);
  }
  const open = calls.filter(({ id }) => !known.has(id));
  const { budget, onWait, topic } = parts;
  const outcomes = await parts.runtime.step(open, {
    ...{ signal, session, budget },
    ...(onWait && { onWait }),
    ...(topic !== undefined && { topic }),
  });
  for (const outcome of outcomes) {
    const call = open.find(({ id }) => id === outcome.id);
    const remote = call && outcome.details.elsewhere ? await outcomeElsewhere(call, parts) : undefined;
    known.set(
      outcome.id,
      remote ?? { ...outcome, changes: outcome.details.changes, reach: outcome.details.reach },
    );
  }
  return calls.flatMap(({ id }) => known.get(id) ?? []);
}

/** The outcome of a call that ran in another process, where its question was answered. */
async function outcomeElsewhere(call: PlannedCall, parts: CallParts): Promise<FinishedCall | undefined> {
  const changes = await parts.changes([call.id]);
  const outcome = await outcomeAfterCrash(call, changes, parts);
  return outcome && { ...outcome, changes: changes.filter(({ state }) => state === "done") };
}

/** The outcome of a call whose process ended: its stored result, its change in the journal, or unknown. */
async function outcomeAfterCrash(
  call: PlannedCall,
  changes: readonly Change[],
  parts: CallParts,
): Promise<FinishedCall | undefined> {
  const { id } = call;
  const record = await parts.store.call(id);
  const kept = record && (await parts.store.result(id));
  if (kept) {
    const { text } = boundToBudget(
      kept.text,
      Math.min(parts.budget, parts.toolOf(call.tool)?.budget ?? defaultBudget),
      (shown, total) =>
        `… ${shown} of ${total} lines shown. The rest: read_result({"id":"${id}","startLine":${shown + 1}})`,
    );
    const result = record.ok ? ok(kept.text) : fail("EXECUTION_ERROR", kept.text);
    if (!result.ok && record.errorCode) result.error.code = record.errorCode;
    return { id, result, text, images: [], changes: [], ...(kept.reach && { reach: kept.reach }) };
  }
  const made = changes.filter(
    ({ callId, notices }) => callId === id || notices.some((notice) => notice.includes(id)),
  );
  if (made.length > 0) {
    const text = `Found in the journal after an interruption:\n${made.map(describeChange).join("\n")}`;
    return { id, result: ok(text), text, images: [], changes: made.filter(({ state }) => state === "done") };
  }
  const tool = parts.toolOf(call.tool);
  if (!record || !tool || mayRunAgain(tool)) return undefined;
  const message =
    "The process that ran this call failed; it may or may not have taken effect. Look at the present state before you call it again.";
  return failed(id, "ABORTED", message);
}

function describeChange({ id, state, files }: Change): string {
  const diffs = files.map((file) => file.diff || `${file.change} ${file.path}`);
  const head = state === "done" ? `Applied (change ${id}):` : `Applied and undone since (change ${id}):`;
  return [head, ...diffs].join("\n");
}

function notRun({ id }: PlannedCall): FinishedCall {
  const message =
    "This call was not run: your message was cut at the output limit, so its input may be incomplete. Write less in one message: fewer calls, or smaller parts of a file.";
  return failed(id, "LIMIT_EXCEEDED", message);
}

function failed(id: string, code: ErrorCode, message: string): FinishedCall {
  return { id, result: fail(code, message), text: `${code}: ${message}`, images: [], changes: [] };
}

/** Changes to files are in the journal or did not happen; reading changes nothing. */
function mayRunAgain(tool: Tool): boolean {
  return (
    tool.idempotent || tool.can.every((kind) => kind === "read" || kind === "write" || kind === "delete")
  );
}
