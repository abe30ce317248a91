import type { StopReason, Usage } from "../events/agent-events.ts";
import { Failure } from "../failure/failure.ts";
import { digestOf } from "../text/digest.ts";
import { newId } from "../text/ids.ts";
import { type PersonMessage, personMessage } from "./attachments.ts";
import { callResult } from "./call-result.ts";
import { Conversation } from "./conversation.ts";
import { failedRunNotice } from "./failed-runs.ts";
import {
  answerDueText,
  costOf,
  type LimitReason,
  limitReached,
  limitText,
  type Spent,
  spentText,
  stepsLeftText,
} from "./limits.ts";
import type { CallResult, LogData } from "./log.ts";
import { lookupRef, lookupsFor } from "./lookups.ts";
import { judgeLoop } from "./loop-detector.ts";
import type { AgentParts, EventBody } from "./parts.ts";
import type { ProfileName } from "./profiles.ts";
import { citedIn } from "./report.ts";
import { messageOf } from "./retry.ts";
import { runOpenCalls } from "./run-calls.ts";
import { RunTimer } from "./run-timer.ts";
import type { Source } from "./sources.ts";
import { type Compacted, createStepTaker } from "./take-step.ts";
import { addUsage, noUsage } from "./usage.ts";

export interface RunResult {
  session: string;
  stop: StopReason;
  /** The model's last words. */
  text: string;
  /** Why it stopped, where that needs words. */
  message?: string;
  steps: number;
  usage: Usage;
  costUsd?: number;
  /** What was found and read in the session, in the order of the numbers that the text cites. */
  sources: readonly Source[];
}

export interface Agent {
  readonly session: string;
  readonly profile: ProfileName;
  /** The model's name. */
  readonly model: string;
  /** True when an earlier process left the session in the midst of a run. */
  readonly unfinished: boolean;
  /** What this run has used so far, with what it delegated. */
  spent(): Spent;
  /** How the last run ended; undefined before the first one and while one is unfinished. */
  ended(): RunResult | undefined;
  /** `CONFLICT` during a run. */
  send(message: string | PersonMessage, signal?: AbortSignal): Promise<RunResult>;
  /** Something the model should know when the person next speaks, such as a change they took back themselves. */
  tell(text: string): void;
  /** Replaces the conversation so far by a summary, for the model; undefined: there is nothing to summarise. */
  compact(signal?: AbortSignal): Promise<Compacted | undefined>;
  /** Goes on with a run that an earlier process, an abort, an error or a limit ended. */
  resume(signal?: AbortSignal): Promise<RunResult>;
}

type Ending = { stop: StopReason; message?: string };
const finalNotice = (why: string) =>
  `${why} Make no more calls. Write your final answer now: what you did and found, with its evidence, and what is still open.`;
const goOnNotice = "The person lets you continue. You can make calls again.";
/** Seconds for the final words after a time limit, at most. */
const mostFinalSeconds = 60;

/**
 * The agent loop: one step of the model, its calls through the runtime, and everything recorded before the next step.
 */
export function createAgent(parts: AgentParts): Agent {
  const { profile, clock, limits, price } = parts;
  const { log, entries } = parts.session;
  const session = log.record.id;
  const emit = (event: EventBody) => parts.emit({ session, ...event });
  const conversation = new Conversation();
  for (const entry of entries) conversation.add(entry);
  /** Content of the files that were changed in this session, by path. */
  const workspaceState = new Map<string, string>();
  const pendingNotices: string[] = [];
  let interrupted = conversation.open().length > 0;
  let timer = new RunTimer(clock, undefined, () => undefined);
  let running = false;
  /** The person's last message, when the store did not take it. */
  let unsaved: PersonMessage | undefined;

  /** The entry counts from here on, even if it cannot be saved: nothing is done twice. */
  async function write(data: LogData): Promise<void> {
    conversation.add(data);
    await log.append(data);
    if (data.kind === "user") emitMessage(data);
    if (data.kind === "notice") emit({ type: "notice-add", text: data.text });
  }
  const emitMessage = ({ text }: PersonMessage) => emit({ type: "message-add", text, entry: log.length - 1 });
  const { take: takeStep, compact } = createStepTaker(parts, conversation, write, emit);

  async function run(signal: AbortSignal): Promise<RunResult> {
    emit({ type: "run-start", agent: profile.name, model: parts.modelName });
    let ending: Ending;
    try {
      await log.flush();
      ending = await proceed(signal);
    } catch (error) {
      ending = signal.aborted ? { stop: "aborted" } : { stop: "error", message: messageOf(error) };
    }
    await write({ kind: "end", ...ending }).catch((error: unknown) => {
      ending = { stop: "error", message: messageOf(error) };
    });
    const result = resultOf(ending);
    const { steps, usage, costUsd } = result;
    const sources = citedIn(result.text, result.sources);
    emit({
      ...{ type: "run-end", ...ending, steps, usage },
      ...(costUsd !== undefined && { costUsd }),
      ...(sources.length > 0 && { sources }),
    });
    return result;
  }

  /** The cost includes runs that were delegated to. */
  function resultOf(ending: Ending): RunResult {
    const { steps, usage } = conversation;
    const cost = price && { costUsd: costOf(spent().usage, price) };
    const text = conversation.lastText();
    return { session, ...ending, text, steps, usage, ...cost, sources: conversation.sources.all };
  }

  /** Works until it is done. At a limit or in a loop, a person may let it continue; otherwise the model writes its final words. */
  async function proceed(signal: AbortSignal): Promise<Ending> {
    for (;;) {
      const ending = await withinTime(signal);
      if (ending.stop === "done") return ending;
      if (!(await mayContinue(ending, signal))) return finalWords(ending, signal);
      await goOn();
    }
  }

  async function mayContinue({ stop, message }: Ending, signal: AbortSignal): Promise<boolean> {
    const isAsked = profile.atLimit === "ask" && conversation.steps > 0;
    if (!isAsked || (stop === "steps" && !parts.asksAtSteps)) return false;
    const why = stop === "loop" ? message : `The limit of ${limitText(stop as LimitReason, limits)} is near.`;
    const used = spentText(spent(), price);
    return (await parts.mayContinue?.(`${why} Used so far: ${used}.`, signal)) ?? false;
  }

  /** Limits count from here again. After its final words, the model learns that it may continue to work. */
  async function goOn(): Promise<void> {
    await write({ kind: "continue" });
    const last = conversation.turns.at(-1);
    if (last?.kind === "step" && last.calls.length === 0) await write({ kind: "notice", text: goOnNotice });
  }

  /**
   * The time limit cuts even a step that is under way: its calls are stopped like in any abort. Waiting for a person's
   * approval does not count.
   */
  async function withinTime(signal: AbortSignal): Promise<Ending> {
    const over = new AbortController();
    timer = new RunTimer(clock, limits.seconds, () => over.abort());
    try {
      return await work(AbortSignal.any([signal, over.signal]));
    } catch (error) {
      if (over.signal.aborted && !signal.aborted) return endingAt("time");
      throw error;
    } finally {
      timer.stop();
    }
  }

  async function work(signal: AbortSignal): Promise<Ending> {
    let isAskedToAnswer = false;
    for (;;) {
      if (conversation.open().length > 0) {
        await runCalls(signal);
        signal.throwIfAborted();
        const loop = await noticeLoop();
        if (loop) return { stop: "loop", message: `The agent is in a loop: ${loop}.` };
      }
      if (conversation.ended) return { stop: "done" };
      if (conversation.steps > 0) await hearPerson();
      const limit = limitReached(limits, spent(), price, parts.usedElsewhere?.());
      if (limit) return endingAt(limit);
      const due: string | undefined = isAskedToAnswer ? undefined : answerDue();
      isAskedToAnswer ||= due !== undefined;
      const notice = stepsLeftText(limits, conversation.steps) ?? due;
      if (notice !== undefined) await write({ kind: "notice", text: notice });
      const cut = await takeStep(true, signal);
      if (cut) return { stop: "done", message: "The answer was cut at the model's output limit." };
    }
  }

  /** A person who raised the step limit wants more than a quick answer. */
  function answerDue(): string | undefined {
    const isThorough = (limits.steps ?? 0) > profile.steps;
    const { steps } = conversation;
    return isThorough ? undefined : answerDueText(profile.answerAfter, steps, conversation.results());
  }

  /** What the person wrote while the agent worked. */
  async function hearPerson(): Promise<void> {
    for (let said = parts.nextMessage?.(); said !== undefined; said = parts.nextMessage?.())
      await writeMessage(personMessage(said));
  }

  /** With the present state of the files: a rewind leads back to it. */
  async function writeMessage(said: PersonMessage): Promise<void> {
    const { text, attachments = [], sources = [] } = said;
    if (attachments.length > 0) await parts.onAttached?.(attachments.map(({ name }) => name));
    const position = await parts.position();
    await write({
      ...{ kind: "user", text, position },
      ...(attachments.length > 0 && { attachments }),
      ...(sources.length > 0 && { sources }),
    });
  }

  async function runCalls(signal: AbortSignal): Promise<void> {
    const calls = conversation.open();
    // Should this be left by an error, some of the calls may have run.
    const mayHaveRun = interrupted;
    interrupted = true;
    const outcomes = await runOpenCalls(
      calls,
      mayHaveRun,
      session,
      { ...parts, onWait: timer.onWait, topic: conversation.topic() },
      signal,
    );
    const state = digestOf([...workspaceState].sort());
    const results: CallResult[] = [];
    for (const [index, call] of calls.entries()) {
      const outcome = outcomes[index];
      if (!outcome) continue;
      conversation.showImages(call.id, outcome.images);
      const seen = { conversation, ofThisStep: results };
      results.push(callResult(call, outcome, parts.toolOf(call.tool), seen, state, profile.cites ?? false));
    }
    const changes = outcomes.flatMap((outcome) => outcome.changes);
    for (const { path, after } of changes.flatMap(({ files }) => files)) workspaceState.set(path, after);
    interrupted = false;
    parts.delegatedRuns?.reported();
    await write({ kind: "results", results });
    for (const { id, ref, tool, ok, text, plan } of results)
      emit({ type: "call-result", ref, callId: id, tool, ok, text, ...(plan && { plan }) });
    const made = calls.map(({ tool }, index) => ({ tool, outcome: outcomes[index] }));
    const told = [
      failedRunNotice(made, parts.toolOf),
      changes.length > 0 ? await parts.afterChanges?.(changes, signal) : undefined,
    ];
    for (const text of told) if (text !== undefined) await write({ kind: "notice", text });
  }

  /** The first sign of a loop is pointed out to the model, once; the second is returned and ends the run. */
  async function noticeLoop(): Promise<string | undefined> {
    const steps = stepsOfRun();
    const loop = judgeLoop(steps);
    if (loop?.verdict === "stop") return loop.what;
    if (loop && !judgeLoop(steps.slice(0, -1))) {
      const text = `You are in a loop: ${loop.what}. Doing it again will change nothing. Try another way, or answer with what you have.`;
      await write({ kind: "notice", text });
    }
    return undefined;
  }

  /** Asks for the answer without further calls. If the model gives none, the run ends as it would have. */
  async function finalWords(ending: Ending, signal: AbortSignal): Promise<Ending> {
    const isSilent = conversation.steps === 0 && ending.stop !== "steps";
    if (isSilent || conversation.open().length > 0) return ending;
    await write({ kind: "notice", text: finalNotice(ending.message ?? "") });
    const over = new AbortController();
    const seconds = limits.seconds === undefined ? undefined : Math.min(mostFinalSeconds, limits.seconds / 4);
    const finalTimer = new RunTimer(clock, seconds, () => over.abort());
    await takeStep(false, AbortSignal.any([signal, over.signal]))
      .catch(() => signal.throwIfAborted())
      .finally(() => finalTimer.stop());
    return ending;
  }

  function endingAt(limit: LimitReason): Ending {
    return { stop: limit, message: `The limit of ${limitText(limit, limits)} is reached.` };
  }

  /** Results by step since the person's last word. */
  function stepsOfRun() {
    const since = conversation.turns.findLastIndex((turn) => turn.kind === "user");
    return conversation.turns
      .slice(since + 1)
      .flatMap((turn) => (turn.kind === "step" && turn.results ? [turn.results] : []));
  }

  /** Including delegated runs, finished and running. */
  function spent(): Spent {
    const { usage, delegated, steps } = conversation;
    const atWork = parts.delegatedRuns?.usage() ?? noUsage;
    return { steps, usage: addUsage(addUsage(usage, delegated), atWork), seconds: timer.seconds };
  }

  /** Rejects when the message could not be saved; the same message sent again is then the same, not a second one. */
  async function say(said: PersonMessage, signal: AbortSignal): Promise<void> {
    await log.flush();
    const isRepeated = unsaved !== undefined && digestOf(unsaved) === digestOf(said);
    unsaved = undefined;
    if (isRepeated) return emitMessage(said);
    // Calls that a dead process left open are finished first: the conversation must stay whole.
    if (conversation.open().length > 0) await runCalls(signal);
    for (const notice of pendingNotices.splice(0)) await write({ kind: "notice", text: notice });
    await writeMessage(said).catch((error: unknown) => {
      unsaved = said;
      throw error;
    });
  }

  /** They run like any other open call, when the run begins. */
  async function planLookups({ text }: PersonMessage): Promise<void> {
    const lookups = profile.looksUp ? lookupsFor(text).filter(({ tool }) => parts.toolOf(tool)) : [];
    if (lookups.length === 0) return;
    const calls = lookups.map((lookup) => ({ id: newId("c"), ref: newId(lookupRef), ...lookup }));
    await write({ kind: "step", messages: [], calls, usage: noUsage, final: false, lookup: true });
  }

  /** A session has one run at a time; a caller that queues messages keeps them until the run is over. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (running) {
      const message = "The agent is still working in this session. Wait until it is done, or stop it first.";
      throw new Failure("CONFLICT", message);
    }
    running = true;
    return work().finally(() => {
      running = false;
    });
  }

  return {
    session,
    profile: profile.name,
    model: parts.modelName,
    get unfinished() {
      return !conversation.ended || conversation.open().length > 0;
    },
    spent,
    ended: () => {
      const isOver = conversation.turns.length > 0 && conversation.ended && conversation.open().length === 0;
      return isOver ? resultOf({ stop: conversation.stop }) : undefined;
    },
    send: (message, signal = new AbortController().signal) =>
      alone(async () => {
        const said = personMessage(message);
        await say(said, signal);
        await planLookups(said);
        return run(signal);
      }),
    tell: (text) => {
      pendingNotices.push(text);
    },
    compact: (signal = new AbortController().signal) =>
      alone(async () => {
        await log.flush();
        if (conversation.open().length > 0) await runCalls(signal);
        return compact(signal);
      }),
    resume: (signal = new AbortController().signal) =>
      alone(async () => {
        if (conversation.ended && conversation.stop !== "done") await goOn();
        return run(signal);
      }),
  };
}
