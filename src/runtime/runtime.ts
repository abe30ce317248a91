import type { Answer, Asker } from "../approval/approval.ts";
import { Failure } from "../failure/failure.ts";
import { newId } from "../text/ids.ts";
import type { Preview, ToolContext } from "../tool/tool.ts";
import { approvalBatch } from "./approval-batch.ts";
import { askForApproval } from "./ask-for-approval.ts";
import { beginCall, runCall, type StepContext } from "./call.ts";
import { createCallOrder, type PlaceInOrder } from "./call-order.ts";
import { findTool } from "./find-tool.ts";
import { showingWhatLeaves } from "./flow-control.ts";
import { unknownFootprint } from "./footprint.ts";
import { parseInput } from "./parse-input.ts";
import { prepare } from "./prepare.ts";
import { createRecorder } from "./record.ts";
import { limitTo } from "./slots.ts";
import type { CallOutcome, CallRequest, GivenAnswer, RuntimeParts } from "./stages.ts";

export type { CallOutcome, CallRequest, RuntimeParts } from "./stages.ts";

export interface CallOptions {
  signal?: AbortSignal;
  /** Tokens of model text; the tool's own budget where that is smaller. */
  budget?: number;
  /** Who answers approval requests of this caller; left out: the runtime's own asker. */
  asker?: Asker;
  /** Receives the progress of these calls, besides the events. */
  progress?: ToolContext["progress"];
  /** Called when these calls begin and stop waiting for a person's answer. */
  onWait?: (waiting: boolean) => void;
  /** A person makes these calls, where approval requests are shown. */
  byPerson?: boolean;
  /** What the caller is after, in words. */
  topic?: string;
  /** Under which session the calls are recorded; default: the runtime's own. */
  session?: string;
  /** For one call: its place among calls that were made apart, such as the requests of one connection. */
  place?: PlaceInOrder;
}

export interface Runtime {
  call(request: CallRequest, options?: CallOptions): Promise<CallOutcome>;
  /**
   * Calls of one step, with the results they would have one after the other: those that only look run side by side, at
   * most four at once; the rest keep their order where it matters (`call-order.ts`). Asks are gathered. Outcomes are in
   * order. Never rejects because of the store.
   */
  step(requests: readonly CallRequest[], options?: CallOptions): Promise<CallOutcome[]>;
  /** What a call would do, as a person would be shown it. Changes nothing, asks nobody, and is not recorded. */
  preview(request: CallRequest): Promise<Preview | undefined>;
  /** Answers an ask that an earlier process left open, and runs the call if the answer is yes. */
  answer(pendingId: string, answer: Answer, options?: CallOptions): Promise<CallOutcome>;
}

const callsAtOnce = 4;

export function createRuntime(parts: RuntimeParts): Runtime {
  const { store } = parts;
  const recorder = createRecorder(parts);

  async function step(
    requests: readonly CallRequest[],
    options: CallOptions = {},
    given?: GivenAnswer,
  ): Promise<CallOutcome[]> {
    const common = { ...circumstances(options, given !== undefined), heardBy: given?.pending.session };
    const batch = approvalBatch(askForApproval(parts, common));
    const slots = limitTo(callsAtOnce);
    const order = requests.length > 1 ? createCallOrder() : undefined;
    const shares = requests.map(({ tool }) => ({
      asks: batch.member(),
      place: order?.next(tool) ?? options.place,
      slots,
    }));
    return Promise.all(
      shares.map(async (share, index) => {
        const request = requests[index] as CallRequest;
        // It ran, but its record could not be stored: asked for again, it must not run again.
        const known = request.id === undefined ? undefined : recorder.unrecorded(request.id);
        if (known) {
          share.asks.leave();
          share.place?.finish(known.result.ok, unknownFootprint(undefined));
          return known;
        }
        return runCall(parts, recorder, beginCall(parts, request, common), share, given);
      }),
    );
  }

  async function answer(pendingId: string, given: Answer, options: CallOptions = {}): Promise<CallOutcome> {
    const { root } = parts.workspace;
    const isOurs = (await store.pending()).some(
      ({ id, workspace }) => id === pendingId && workspace === root,
    );
    const pending = isOurs ? await store.takePending(pendingId) : undefined;
    if (!pending)
      throw new Failure("INVALID_INPUT", `No approval request is pending under the id ${pendingId}.`);
    // The same id: a process that waits for this call finds its result there.
    const request = { id: pendingId, tool: pending.tool, input: pending.args };
    const outcome = only(await step([request], options, { pending, answer: given }));
    // Its files changed, and nobody could be shown them: the request stays open.
    if (!outcome.result.ok && outcome.result.error.code === "APPROVAL_REQUIRED")
      await store.savePending(pending);
    return outcome;
  }

  function circumstances(options: CallOptions, isAnswer = false): StepContext {
    return {
      stepId: newId("s"),
      signal: options.signal ?? new AbortController().signal,
      budget: options.budget ?? Number.POSITIVE_INFINITY,
      asker: () => options.asker ?? parts.asker(),
      byPerson: options.byPerson ?? false,
      personDecides: isAnswer || (options.byPerson ?? false),
      progress: options.progress,
      onWait: options.onWait ?? (() => undefined),
      session: options.session ?? parts.session,
      topic: options.topic,
    };
  }

  async function preview({ tool: name, input, id = newId("c") }: CallRequest): Promise<Preview | undefined> {
    const tool = findTool(parts, name);
    const at = new Date().toISOString();
    const call = {
      ...circumstances({ byPerson: true }),
      id,
      tool: name,
      input,
      at,
      started: process.hrtime(),
    };
    const parsed = { tool, input: parseInput(tool, input) };
    const { preview: shown, effects, policy } = await prepare(parts, call, parsed);
    // Which session asked is not known any more: what leaves is shown in any case.
    return showingWhatLeaves(shown, parsed, effects, { ...policy, watch: policy.watch ?? "asked earlier" });
  }

  return {
    preview,
    step: (requests, options) => step(requests, options),
    answer,
    call: async (request, options) => only(await step([request], options)),
  };
}

function only([outcome]: readonly CallOutcome[]): CallOutcome {
  if (!outcome) throw new Error("a step of one call has one outcome");
  return outcome;
}
