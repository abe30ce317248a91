import type { StopReason, Usage } from "../events/agent-events.ts";
import { digestOf } from "../text/digest.ts";
import { callResult } from "./call-result.ts";
import { Conversation } from "./conversation.ts";
import { costOf, type LimitReason, limitReached, limitText } from "./limits.ts";
import type { LogData } from "./log.ts";
import { judgeLoop } from "./loop-detector.ts";
import type { AgentParts, EventBody } from "./parts.ts";
import { messageOf } from "./retry.ts";
import { runOpenCalls } from "./run-calls.ts";
import { createStepTaker } from "./take-step.ts";

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
}

export interface Agent {
  readonly session: string;
  /** The model's name. */
  readonly model: string;
  /** True when an earlier process left the session in the midst of a run. */
  readonly unfinished: boolean;
  send(text: string, signal?: AbortSignal): Promise<RunResult>;
  /** Something the model should know when the person next speaks, such as a change they took back themselves. */
  tell(text: string): void;
  /** Goes on with a run that an earlier process, an abort, an error or a limit ended. */
  resume(signal?: AbortSignal): Promise<RunResult>;
}

type Ending = { stop: StopReason; message?: string };
const reportNotice = (why: string) =>
  `${why} Make no more calls. Write your final answer now from what you have found, with its evidence, and say what is still open.`;

/** The loop: one step of the model, its calls through the runtime, everything written down before the next. */
export function createAgent(parts: AgentParts): Agent {
  const { profile, clock, limits, price } = parts;
  const { log, entries } = parts.session;
  const session = log.record.id;
  const emit = (event: EventBody) => parts.emit({ session, ...event });
  const conversation = new Conversation();
  for (const entry of entries) conversation.add(entry);
  /** Content of the files that were changed in this session, by path. */
  const workspaceState = new Map<string, string>();
  const untold: string[] = [];
  let interrupted = conversation.open().length > 0;
  let startedAt = clock.now().getTime();

  function write(data: LogData): void {
    log.append(data);
    conversation.add(data);
    if (data.kind === "user") emit({ type: "message-add", text: data.text });
    if (data.kind === "notice") emit({ type: "notice-add", text: data.text });
  }
  const takeStep = createStepTaker(parts, conversation, write, emit);

  async function run(signal: AbortSignal): Promise<RunResult> {
    emit({ type: "run-start", agent: profile.name, model: parts.modelName });
    let ending: Ending;
    try {
      ending = await proceed(signal);
    } catch (error) {
      ending = signal.aborted ? { stop: "aborted" } : { stop: "error", message: messageOf(error) };
    }
    write({ kind: "end", ...ending });
    const { steps, usage } = conversation;
    const cost = price && { costUsd: costOf(usage, price) };
    emit({ type: "run-end", ...ending, steps, usage, ...cost });
    return { session, ...ending, text: conversation.lastText(), steps, usage, ...cost };
  }

  /** Works until it is done. At a limit or in a loop, a person may let it go on; otherwise it has its final words. */
  async function proceed(signal: AbortSignal): Promise<Ending> {
    for (;;) {
      const ending = await withinTime(signal);
      if (ending.stop === "done") return ending;
      if (profile.atLimit === "report") return report(ending, signal);
      if (!(await parts.mayContinue?.(ending.message ?? "", signal))) return ending;
      write({ kind: "continue" });
    }
  }

  /** The time limit cuts even a step that is under way: its calls are stopped like in any abort. */
  async function withinTime(signal: AbortSignal): Promise<Ending> {
    startedAt = clock.now().getTime();
    if (limits.seconds === undefined) return work(signal);
    const [over, done] = [new AbortController(), new AbortController()];
    void clock.wait(limits.seconds * 1000, done.signal).then(
      () => over.abort(),
      () => undefined,
    );
    try {
      return await work(AbortSignal.any([signal, over.signal]));
    } catch (error) {
      if (over.signal.aborted && !signal.aborted) return endingAt("time");
      throw error;
    } finally {
      done.abort();
    }
  }

  async function work(signal: AbortSignal): Promise<Ending> {
    for (;;) {
      if (conversation.open().length > 0) {
        await runCalls(signal);
        signal.throwIfAborted();
        const loop = noticeLoop();
        if (loop) return { stop: "loop", message: `The agent goes in a circle: ${loop}.` };
      }
      if (conversation.ended) return { stop: "done" };
      const limit = limitReached(limits, spent(), price, profile.atLimit === "report");
      if (limit) return endingAt(limit);
      const cut = await takeStep(true, signal);
      if (cut) return { stop: "done", message: "The answer was cut at the model's output limit." };
    }
  }

  async function runCalls(signal: AbortSignal): Promise<void> {
    const calls = conversation.open();
    const outcomes = await runOpenCalls(calls, interrupted, session, parts, signal);
    interrupted = false;
    const state = digestOf([...workspaceState].sort());
    const results = calls.flatMap((call, index) => {
      const outcome = outcomes[index];
      if (!outcome) return [];
      conversation.showImages(call.id, outcome.images);
      return callResult(call, outcome, parts.toolOf(call.tool), conversation, state);
    });
    write({ kind: "results", results });
    for (const { id, ref, tool, ok, text } of results)
      emit({ type: "call-result", ref, callId: id, tool, ok, text });
    const changed = outcomes.flatMap(({ changes }) => changes.flatMap(({ files }) => files));
    for (const { path, after } of changed) workspaceState.set(path, after);
    const told =
      changed.length > 0 &&
      (await parts.afterChanges?.(
        changed.map(({ path }) => path),
        signal,
      ));
    if (told) write({ kind: "notice", text: told });
  }

  /** The first sign of a loop is pointed out to the model, once; the second is returned and ends the run. */
  function noticeLoop(): string | undefined {
    const steps = stepsOfRun();
    const loop = judgeLoop(steps);
    if (loop?.verdict === "stop") return loop.what;
    if (loop && !judgeLoop(steps.slice(0, -1))) {
      const text = `You are going in a circle: ${loop.what}. Doing it again will change nothing. Try another way, or answer with what you have.`;
      write({ kind: "notice", text });
    }
    return undefined;
  }

  /** The report from what there is. If it cannot be had, the run ends as it would have. */
  async function report(ending: Ending, signal: AbortSignal): Promise<Ending> {
    write({ kind: "notice", text: reportNotice(ending.message ?? "") });
    await takeStep(false, signal).catch(() => signal.throwIfAborted());
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

  function spent() {
    const seconds = (clock.now().getTime() - startedAt) / 1000;
    return { steps: conversation.steps, usage: conversation.usage, seconds };
  }

  return {
    session,
    model: parts.modelName,
    get unfinished() {
      return !conversation.ended || conversation.open().length > 0;
    },
    send: async (text, signal = new AbortController().signal) => {
      // Calls that a dead process left open are finished first: the conversation must stay whole.
      if (conversation.open().length > 0) await runCalls(signal);
      for (const told of untold.splice(0)) write({ kind: "notice", text: told });
      write({ kind: "user", text });
      return run(signal);
    },
    tell: (text) => {
      untold.push(text);
    },
    resume: (signal = new AbortController().signal) => {
      if (conversation.ended && conversation.stop !== "done") write({ kind: "continue" });
      return run(signal);
    },
  };
}
