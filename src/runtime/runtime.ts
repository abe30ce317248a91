import { posix } from "node:path";
import type { Answer, Asker } from "../approval/approval.ts";
import { decide } from "../approval/decide.ts";
import { redeemGrant } from "../approval/grant.ts";
import { readingRules } from "../approval/reading.ts";
import type { CallRecord } from "../events/events.ts";
import { Failure } from "../failure/failure.ts";
import { newId } from "../text/ids.ts";
import { nearestNames } from "../text/nearest.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { Effect } from "../tool/effects.ts";
import { fail, failureOf, ok, type ToolResult } from "../tool/result.ts";
import type { ImagePart, Preview, Tool, ToolContext } from "../tool/tool.ts";
import type { Change, Fingerprint, Workspace } from "../workspace/workspace.ts";
import { untilAborted, withDeadline } from "./abort.ts";
import { askRound, type Seat } from "./ask-round.ts";
import type { CallRequest, Flight, GivenAnswer, Permit, Prepared, RuntimeParts } from "./flight.ts";
import { createGate } from "./gate.ts";
import { modelText } from "./model-text.ts";
import { parseInput } from "./parse-input.ts";
import { type ScopedWorkspace, scopeWorkspace } from "./scoped-workspace.ts";
import { limitTo, type Slots } from "./slots.ts";

export interface CallOptions {
  signal?: AbortSignal;
  /** Tokens of model text; the tool's own budget where that is smaller. */
  budget?: number;
  /** Who answers for this caller; left out: whoever answers for all. */
  asker?: Asker;
  /** Hears the progress of these calls, besides the events. */
  progress?: ToolContext["progress"];
  /** A person makes these calls with their own hands, at the place where they are asked. */
  byPerson?: boolean;
  /** Under which session the calls are recorded; default: the runtime's own. */
  session?: string;
}

/** The three outputs of a call: a value, text for the model, details for people. */
export interface CallOutcome {
  id: string;
  tool: string;
  result: ToolResult<unknown>;
  text: string;
  images: readonly ImagePart[];
  details: { record: CallRecord; preview: Preview | undefined; changes: readonly Change[] };
}

export interface Runtime {
  call(request: CallRequest, options?: CallOptions): Promise<CallOutcome>;
  /** Calls of one step: at most four at once, asks gathered, outcomes in order. */
  step(requests: readonly CallRequest[], options?: CallOptions): Promise<CallOutcome[]>;
  /** Answers an ask that an earlier process left open, and runs the call if the answer is yes. */
  answer(pendingId: string, answer: Answer, options?: CallOptions): Promise<CallOutcome>;
}

const callsAtOnce = 4;
/** A file that keeps changing under the person's eyes: after so many tries the call gives up. */
const maxTries = 3;
const interrupted = fail("ABORTED", "Wield ended while this call ran.");
const changedMeanwhile =
  "The files changed since you were asked; this is the call against their present content.";

export function createRuntime(parts: RuntimeParts): Runtime {
  const { registry, store, emit } = parts;
  const gate = createGate(parts, prepare);

  async function step(requests: readonly CallRequest[], options: CallOptions = {}): Promise<CallOutcome[]> {
    const common = circumstances(options);
    const seat = askRound(requests.length, (asks) => gate.putBefore(asks, common));
    const slots = limitTo(callsAtOnce);
    return Promise.all(requests.map((request) => fly(takeOff(request, { ...common, seat: seat() }), slots)));
  }

  async function answer(pendingId: string, given: Answer, options: CallOptions = {}): Promise<CallOutcome> {
    const { root } = parts.workspace;
    const isOurs = (await store.pending()).some(
      ({ id, workspace }) => id === pendingId && workspace === root,
    );
    const pending = isOurs ? await store.takePending(pendingId) : undefined;
    if (!pending) throw new Failure("INVALID_INPUT", `No approval is open under the id ${pendingId}.`);
    const common = circumstances(options);
    const seat = askRound(1, (asks) => gate.putBefore(asks, common))();
    // The same id: whoever waits for this call finds its result there.
    const request = { id: pendingId, tool: pending.tool, input: pending.args };
    return fly(takeOff(request, { ...common, seat }), limitTo(1), { pending, answer: given });
  }

  function circumstances(options: CallOptions) {
    return {
      stepId: newId("s"),
      signal: options.signal ?? new AbortController().signal,
      budget: options.budget ?? Number.POSITIVE_INFINITY,
      asker: () => options.asker ?? parts.asker(),
      byPerson: options.byPerson ?? false,
      progress: options.progress,
      session: options.session ?? parts.session,
    };
  }

  function takeOff(request: CallRequest, common: ReturnType<typeof circumstances> & { seat: Seat }): Flight {
    const { tool, input, ref } = request;
    const flight: Flight = {
      ...common,
      id: request.id ?? newId("c"),
      request,
      started: process.hrtime(),
      at: new Date().toISOString(),
      approval: "none",
      waitedMs: 0,
      proposed: input,
      input,
      notice: undefined,
      looksAround: false,
      preview: undefined,
      changes: [],
    };
    emit({
      type: "call-start",
      callId: flight.id,
      session: flight.session,
      ...(ref !== undefined && { ref }),
      tool,
      input,
      at: flight.at,
    });
    return flight;
  }

  /** The way of every call: find, parse, prepare, permit, execute, record. Whatever fails becomes a result. */
  async function fly(flight: Flight, slots: Slots, given?: GivenAnswer): Promise<CallOutcome> {
    let tool: Tool | undefined;
    try {
      const found = find(flight.request.tool);
      tool = found;
      flight.proposed = parseInput(found, flight.request.input);
      flight.input = flight.proposed;
      for (let tries = 1; ; tries++) {
        const prepared = await slots.run(() => prepare(flight, found, flight.input));
        const permit = await timed(flight, () =>
          given && tries === 1
            ? gate.permitAnswered(flight, found, prepared, given)
            : gate.permit(flight, found, prepared, tries === 1 ? undefined : changedMeanwhile),
        );
        if (permit !== "stale") {
          const settled = await slots.run(() =>
            executeUnlessStale(flight, found, permit, tries === maxTries),
          );
          if (settled !== "stale") return await finish(flight, found, ok(settled.value));
        }
        if (tries === maxTries) {
          throw new Failure(
            "CONFLICT",
            "The files keep changing while the call waits. Read them again, then call again.",
          );
        }
      }
    } catch (error) {
      return await finish(flight, tool, failureOf(error));
    } finally {
      flight.seat.pass();
    }
  }

  async function timed<T>(flight: Flight, waitForAnswer: () => Promise<T>): Promise<T> {
    const since = process.hrtime();
    return waitForAnswer().finally(() => {
      flight.waitedMs += milliseconds(process.hrtime(since));
    });
  }

  function find(name: string): Tool {
    const tool = registry.get(name);
    if (!tool) {
      const near = nearestNames(
        name,
        registry.list().map((t) => t.name),
      );
      const tip =
        near.length > 0
          ? `Did you mean ${near.join(" or ")}?`
          : "Look at the list of tools for the right name.";
      throw new Failure("UNKNOWN_TOOL", `There is no tool named ${JSON.stringify(name)}. ${tip}`, {
        nearest: near,
      });
    }
    const disabled = parts.disabled(tool);
    if (disabled !== undefined) throw new Failure("TOOL_DISABLED", disabled);
    return tool;
  }

  async function prepare(flight: Flight, tool: Tool, input: unknown): Promise<Prepared> {
    return withDeadline(tool, flight.signal, async (signal) => {
      const policy = parts.policy();
      const rules = readingRules(tool.name, policy);
      // A context that cannot change anything: looking comes before asking.
      const readOnly = scopeWorkspace(
        parts.workspace,
        AbortSignal.abort(),
        rules && { rules, wasAsked: true },
      );
      const context = contextOf(flight, readOnly, signal, new Map());
      const effects = await untilAborted(Promise.resolve(tool.effects(input, context)), signal);
      const judgement = decide(
        {
          tool: tool.name,
          byDefault: tool.approval(effects, input),
          effects: rules ? [...effects, ...(await alsoTouched(effects, parts.workspace))] : effects,
        },
        policy,
      );
      if (judgement.decision === "deny") {
        flight.approval = "denied";
        const message = `The policy does not allow this call: ${judgement.because}. Do not retry it; find another way or ask the person.`;
        throw new Failure("APPROVAL_DENIED", message);
      }
      const preview = tool.preview && (await untilAborted(tool.preview(input, context), signal));
      flight.looksAround = rules !== undefined && (await looksThroughFolders(effects, parts.workspace));
      flight.input = input;
      flight.preview = preview;
      return { input, effects, judgement, preview, seen: preview?.seen ?? new Map() };
    });
  }

  /** "stale" when a file is no longer as it was approved: then nothing was changed, and the call is asked again. */
  async function executeUnlessStale(
    flight: Flight,
    tool: Tool,
    permit: Permit,
    last: boolean,
  ): Promise<{ value: unknown } | "stale"> {
    try {
      return { value: await execute(flight, tool, permit) };
    } catch (error) {
      const stale =
        error instanceof Failure && error.code === "CONFLICT" && error.details?.["stale"] !== undefined;
      if (stale && !last) return "stale";
      throw error;
    }
  }

  async function execute(flight: Flight, tool: Tool, permit: Permit): Promise<unknown> {
    const grant = redeemGrant(permit.grant, { tool: tool.name, input: permit.input });
    // A process that dies in the midst of this leaves a trace: the call began, and nobody knows how it ended.
    if (tool.can.some((kind) => kind !== "read")) await store.recordCall(recordOf(flight, interrupted, ""));
    return withDeadline(tool, flight.signal, async (signal) => {
      const rules = readingRules(tool.name, parts.policy());
      const scope = scopeWorkspace(
        parts.workspace,
        signal,
        rules && { rules, wasAsked: flight.approval !== "auto" },
      );
      const context = contextOf(flight, scope, signal, grant.seen);
      try {
        const value = await untilAborted(tool.execute(permit.input, context), signal);
        const checked = tool.output.safeParse(value);
        if (checked.success) return checked.data;
        throw new Error(`the value of ${tool.name} does not fit its own schema (${checked.error.message})`);
      } finally {
        await scope.finished();
        flight.changes = scope.changes;
        if (flight.looksAround) flight.notice = withHidden(flight.notice);
        for (const { id, files } of scope.changes) {
          emit({
            type: "files-change",
            callId: flight.id,
            changeId: id,
            paths: files.map((file) => file.path),
          });
        }
      }
    });
  }

  function contextOf(
    flight: Flight,
    { workspace, mayRead, hiddenPaths }: ScopedWorkspace,
    signal: AbortSignal,
    approved: ReadonlyMap<string, Fingerprint>,
  ): ToolContext {
    return {
      callId: flight.id,
      workspace,
      mayRead,
      hiddenPaths,
      signal,
      approved,
      run: (command) =>
        parts.run({
          ...command,
          signal: command.signal ? AbortSignal.any([signal, command.signal]) : signal,
        }),
      progress: (message, done, total) => {
        const count = { ...(done !== undefined && { done }), ...(total !== undefined && { total }) };
        emit({ type: "call-progress", callId: flight.id, message, ...count });
        flight.progress?.(message, done, total);
      },
    };
  }

  async function finish(
    flight: Flight,
    tool: Tool | undefined,
    result: ToolResult<unknown>,
  ): Promise<CallOutcome> {
    const { text, full } = modelText(flight, tool, result);
    const record = recordOf(flight, result, text);
    // A call that was answered and run elsewhere has its result already.
    if (flight.approval !== "denied" || (await store.result(flight.id)) === undefined) {
      await store.finishCall(record, full);
    }
    emit({ type: "call-end", callId: flight.id, record, ...(!result.ok && { error: result.error }) });
    return {
      id: flight.id,
      tool: flight.request.tool,
      result,
      text,
      images: result.ok ? (tool?.images?.(result.value, flight.input) ?? []) : [],
      details: { record, preview: flight.preview, changes: flight.changes },
    };
  }

  function recordOf(flight: Flight, result: ToolResult<unknown>, text: string): CallRecord {
    return {
      id: flight.id,
      session: flight.session,
      tool: flight.request.tool,
      at: flight.at,
      durationMs: milliseconds(process.hrtime(flight.started)) - flight.waitedMs,
      ok: result.ok,
      errorCode: result.ok ? null : result.error.code,
      bytes: result.ok ? Buffer.byteLength(JSON.stringify(result.value) ?? "") : 0,
      tokensIn: estimateTokens(JSON.stringify(flight.input) ?? ""),
      tokensOut: estimateTokens(text),
      approval: flight.approval,
    };
  }

  return {
    step,
    answer,
    call: async (request, options) => {
      const [outcome] = await step([request], options);
      if (!outcome) throw new Error("a step of one call has one outcome");
      return outcome;
    },
  };
}

/** What a call reaches besides the names it gives. */
async function alsoTouched(effects: readonly Effect[], workspace: Workspace): Promise<Effect[]> {
  return [...(await placesRead(effects, workspace)), ...(await movedAlong(effects, workspace))];
}

/** A folder takes along what is in it, from names and to names that a rule may be about. */
async function movedAlong(effects: readonly Effect[], workspace: Workspace): Promise<Effect[]> {
  const found: Effect[] = [];
  for (const effect of effects) {
    if (effect.kind !== "write" || effect.from === undefined) continue;
    const { from, path: to } = effect;
    if ((await workspace.stat(from)).type !== "directory") continue;
    const all = { hidden: true, ignored: true, directories: true, everything: true };
    const below = workspace.walk({ under: from, ...all });
    for await (const { path } of below) {
      found.push({ kind: "delete", path });
      found.push({ kind: "write", path: `${to}${path.slice(from.length)}`, replaces: false });
    }
  }
  return found;
}

/** A path to read may go through links and `..`: it is judged by where it leads as well as by its name. */
async function placesRead(effects: readonly Effect[], workspace: Workspace): Promise<Effect[]> {
  const reads = effects.filter((effect) => effect.kind === "read");
  return Promise.all(
    reads.map(async ({ kind, path }) => {
      const place = await workspace.resolve(path).catch(() => undefined);
      return { kind, path: place?.path ?? posix.normalize(path) };
    }),
  );
}

/** Whether it names a folder to look through, and may come upon more than it names. */
async function looksThroughFolders(effects: readonly Effect[], workspace: Workspace): Promise<boolean> {
  const reads = effects.filter((effect) => effect.kind === "read");
  const types = reads.map(({ path }) =>
    workspace.resolve(path).then(
      ({ type }) => type,
      () => undefined,
    ),
  );
  return (await Promise.all(types)).includes("directory");
}

/** The same whatever was hidden: how often a search met a hidden file would tell what is in it. */
function withHidden(notice: string | undefined): string {
  const hidden = "(The person's rules may hide paths from this tool.)";
  return notice === undefined ? hidden : `${notice}\n\n${hidden}`;
}

/** `performance.now()` would load the whole of perf_hooks, a tenth of a short command's time. */
function milliseconds([seconds, nanoseconds]: [number, number]): number {
  return Math.round(seconds * 1e6 + nanoseconds / 1e3) / 1e3;
}
