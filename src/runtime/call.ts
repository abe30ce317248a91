import { Failure } from "../failure/failure.ts";
import { newId } from "../text/ids.ts";
import { fail, failureOf, ok } from "../tool/result.ts";
import type { Tool } from "../tool/tool.ts";
import type { Change } from "../workspace/workspace.ts";
import { untilAborted } from "./abort.ts";
import { approvalBatch, type BatchMember } from "./approval-batch.ts";
import { askForApproval } from "./ask-for-approval.ts";
import type { PlaceInOrder } from "./call-order.ts";
import { execute } from "./execute.ts";
import { findTool } from "./find-tool.ts";
import { keepBeforeRun, keepProvenance, keepProvenanceOfFailed } from "./flow-control.ts";
import { footprintOf, footprintOfFailed, unknownFootprint } from "./footprint.ts";
import { parseInput } from "./parse-input.ts";
import { nextAttempt, permit, reject } from "./permit.ts";
import { prepare } from "./prepare.ts";
import type { Recorder } from "./record.ts";
import { limitTo, type Slots } from "./slots.ts";
import {
  type Attempt,
  type Call,
  type CallOutcome,
  type CallRequest,
  type Ended,
  type Executed,
  type FollowUp,
  type GivenAnswer,
  millisecondsSince,
  type Parsed,
  type Prepared,
  type RuntimeParts,
} from "./stages.ts";

/** What a call shares with the other calls of its step. */
export interface StepShare {
  readonly asks: BatchMember;
  /** Undefined: no other call's work matters to it. */
  readonly place: PlaceInOrder | undefined;
  readonly slots: Slots;
}

/** If files keep changing while the person decides, the call gives up after this many attempts. */
const maxAttempts = 3;

/** What all calls of one step have in common. */
export type StepContext = Omit<Call, "id" | "tool" | "input" | "at" | "started">;

export function beginCall(parts: RuntimeParts, request: CallRequest, common: StepContext): Call {
  const { tool, input, ref, id = newId("c") } = request;
  const at = new Date().toISOString();
  const { session } = common;
  parts.emit({
    ...{ type: "call-start", callId: id, session, tool, input, at },
    ...(ref !== undefined && { ref }),
  });
  return { ...common, id, tool, input, at, started: process.hrtime() };
}

/** The path of every call: find → parse → prepare → permit → execute → record. Every failure becomes a result. */
export async function runCall(
  parts: RuntimeParts,
  recorder: Recorder,
  call: Call,
  share: StepShare,
  given?: GivenAnswer,
): Promise<CallOutcome> {
  const ended = await untilEnded(parts, recorder, call, share, given);
  share.asks.leave();
  const outcome = await recorder.ended(call, ended);
  const { tool, input, result } = ended;
  share.place?.finish(
    result.ok,
    result.ok ? unknownFootprint(tool) : await footprintOfFailed({ tool, input }, parts.workspace),
  );
  return outcome;
}

/** Everything before the record. `soFar` is what can be reported if the next stage fails. */
async function untilEnded(
  parts: RuntimeParts,
  recorder: Recorder,
  call: Call,
  share: StepShare,
  given: GivenAnswer | undefined,
): Promise<Ended> {
  let soFar = nothingYet(call);
  let parsed: Parsed | undefined;
  try {
    const tool = findTool(parts, call.tool);
    soFar = { ...soFar, tool };
    const proposed: Parsed = { tool, input: parseInput(tool, call.input) };
    parsed = proposed;
    if (given && !given.answer.approved) {
      // A denial needs no check for changed files.
      const { approval, error } = await reject(parts, call, proposed, given.answer, 0);
      return { ...soFar, approval, result: { ok: false, error } };
    }
    let attempt: Attempt = { input: proposed.input, ...(given && { given }) };
    for (let stale = 0; stale < maxAttempts; ) {
      soFar = { ...soFar, input: attempt.input };
      parsed = { tool, input: attempt.input };
      const { prepared, queuedMs } = await prepareInTurn(parts, call, share, { tool, input: attempt.input });
      const { preview, reach } = prepared;
      soFar = { ...soFar, preview, reach, queuedMs: soFar.queuedMs + queuedMs };

      const permitting = { parts, call, proposed, asks: share.asks, prepare: preparing(parts, call, share) };
      const permitted = await permit(permitting, prepared, attempt);
      soFar = { ...soFar, waitedMs: soFar.waitedMs + permitted.waitedMs };
      if (permitted.kind === "refused") {
        const { approval, error } = permitted;
        return { ...soFar, approval, result: { ok: false, error } };
      }
      if (permitted.kind === "elsewhere") {
        const { record, result } = permitted;
        // It ran in another process, which recorded what it read; only its result is used here.
        await parts.flow?.reload(call.session);
        if (record?.approval !== "denied") await keepProvenance(parts, call, prepared, result);
        return { ...soFar, approval: record?.approval ?? "none", elsewhere: { record }, result };
      }
      if (permitted.kind === "again") {
        if (permitted.because === "files") stale++;
        attempt = permitted.attempt;
        continue;
      }

      const { grant, notices, prepared: final } = permitted;
      const { input, preview: shown, reach: reached } = final;
      soFar = { ...soFar, input, preview: shown, reach: reached, approval: grant.approval, notices };
      const waited = await inTurn(call, async () => share.place?.beforeExecuting());
      soFar = { ...soFar, queuedMs: soFar.queuedMs + waited.ms };
      const hooks = call.byPerson ? undefined : parts.hooks;
      const hooked = { tool: call.tool, input: final.input, session: call.session, callId: call.id };
      const followUp = () => followUpOf(parts, recorder, call);
      const checked = await hooks?.before(hooked, call.signal, followUp);
      soFar = withChanges(parts, call, soFar, checked?.changes ?? []);
      if (checked?.refusal !== undefined) {
        const message = `A hook in the person's settings refused this call: ${checked.refusal}`;
        return { ...soFar, result: fail("PERMISSION_DENIED", message) };
      }
      const executed = await share.slots.run(async () => {
        if (isRecordedFirst(final)) await recorder.started(call, soFar);
        await keepBeforeRun(parts, call, final);
        return execute(parts, call, final, grant);
      });
      if (executed.kind === "done") {
        await keepProvenance(parts, call, final, executed.result, executed.places);
        const hidden = final.mayMissHidden ? [...notices, hiddenNotice] : notices;
        const { result, changes, waitedMs } = await complete(parts, recorder, call, tool, executed);
        soFar = { ...soFar, result, changes: [...soFar.changes, ...changes] };
        const after = await hooks?.after(hooked, result, call.signal, followUp);
        soFar = withChanges(parts, call, soFar, after?.changes ?? []);
        const noted = (await parts.notes?.(call.session, final.effects)) ?? [];
        const said = [...hidden, ...(after?.told ?? []), ...noted];
        return { ...soFar, notices: said, waitedMs: soFar.waitedMs + waitedMs };
      }
      await keepProvenance(parts, call, final, { ok: false, error: executed.error }, executed.places);
      attempt = nextAttempt(final.input, "files");
      if (++stale === maxAttempts) return { ...soFar, result: { ok: false, error: executed.error } };
    }
    const message = "The files keep changing while the call waits. Read them again, then call again.";
    throw new Failure("CONFLICT", message);
  } catch (error) {
    const result = failureOf(error);
    if (parsed) await keepProvenanceOfFailed(parts, call, parsed, result);
    return { ...soFar, result };
  }
}

/**
 * Makes the follow-up call that completes this one, such as the approval of what a run changed, if somebody can be
 * asked.
 */
async function complete(
  parts: RuntimeParts,
  recorder: Recorder,
  call: Call,
  { followUp }: Tool,
  { result, changes }: Extract<Executed, { kind: "done" }>,
): Promise<Pick<Ended, "result" | "changes" | "waitedMs">> {
  if (!followUp || !result.ok) return { result, changes, waitedMs: 0 };
  const make = followUpOf(parts, recorder, call);
  const request = make && followUp.request(result.value);
  if (!request || !make) return { result, changes, waitedMs: 0 };
  const { details, ...second } = await make({ ...request, tool: followUp.tool });
  return {
    result: ok(followUp.merge(result.value, second.result)),
    changes: [...changes, ...details.changes],
    waitedMs: details.waitedMs,
  };
}

/** Undefined where nobody can be asked. */
function followUpOf(parts: RuntimeParts, recorder: Recorder, call: Call): FollowUp | undefined {
  if (!call.asker()) return undefined;
  return async (request) => {
    const asks = approvalBatch(askForApproval(parts, call)).member();
    const share: StepShare = { asks, place: undefined, slots: limitTo(1) };
    const outcome = await runCall(parts, recorder, beginCall(parts, request, call), share);
    // The files have changed: it cannot be done any more, so the data held for it is dropped.
    if (!outcome.result.ok && outcome.result.error.code === "CONFLICT")
      await parts.registry.get(request.tool)?.rejected?.(request.input);
    return outcome;
  };
}

/** Also what hooks changed belongs to the call. */
function withChanges(
  { emit }: RuntimeParts,
  { id: callId }: Call,
  soFar: Ended,
  changes: readonly Change[],
): Ended {
  for (const { id: changeId, files } of changes)
    emit({ type: "files-change", callId, changeId, paths: files.map(({ path }) => path) });
  return { ...soFar, changes: [...soFar.changes, ...changes] };
}

/** Prepares the call once everything it depends on has finished, because that may change what the call touches. */
async function prepareInTurn(
  parts: RuntimeParts,
  call: Call,
  { asks, place, slots }: StepShare,
  parsed: Parsed,
): Promise<{ prepared: Prepared; queuedMs: number }> {
  for (let queuedMs = 0; ; ) {
    asks.join();
    const prepared = await slots
      .run(() => prepare(parts, call, parsed))
      .catch((error: unknown) => ({ error }));
    if (!place) {
      if ("error" in prepared) throw prepared.error;
      return { prepared, queuedMs };
    }
    const footprint =
      "error" in prepared
        ? await footprintOfFailed(parsed, parts.workspace)
        : await footprintOf(prepared, parts.workspace);
    const waited = await inTurn(call, () => place.beforePreparing(footprint, asks.leave));
    queuedMs += waited.ms;
    if (waited.value) continue;
    if ("error" in prepared) throw prepared.error;
    return { prepared, queuedMs };
  }
}

function preparing(parts: RuntimeParts, call: Call, { slots }: StepShare) {
  return (parsed: Parsed) => slots.run(() => prepare(parts, call, parsed));
}

async function inTurn<T>({ signal }: Call, wait: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const since = process.hrtime();
  return { value: await untilAborted(wait(), signal), ms: millisecondsSince(since) };
}

/** A tool that only reads may run again after a crash without harm. */
function isRecordedFirst({ tool }: Prepared): boolean {
  return tool.can.some((kind) => kind !== "read");
}

const notEnded = fail("INTERNAL_ERROR", "The call has not ended.");

function nothingYet(call: Call): Ended {
  return {
    tool: undefined,
    input: call.input,
    result: notEnded,
    approval: "none",
    preview: undefined,
    notices: [],
    changes: [],
    waitedMs: 0,
    queuedMs: 0,
    elsewhere: undefined,
  };
}

/** Always the same text: how often a search met a hidden file would reveal its contents. */
const hiddenNotice = "(The person's rules may hide paths from this tool.)";
