import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ToolSet } from "ai";
import type { AgentEvent, StopReason, Usage } from "../events/agent-events.ts";
import { digestOf } from "../text/digest.ts";
import { newId } from "../text/ids.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { Tool } from "../tool/tool.ts";
import { callResult } from "./call-result.ts";
import type { Clock } from "./clock.ts";
import { contextSize, fitContext } from "./context.ts";
import { Conversation } from "./conversation.ts";
import { instructionsFor, type Profile } from "./instructions.ts";
import { costOf, type LimitReason, type Limits, limitReached, limitText, type Price } from "./limits.ts";
import type { LogData, OpenSession, PlannedCall } from "./log.ts";
import { judgeLoop, type LoopVerdict } from "./loop-detector.ts";
import { type ModelReply, streamStep } from "./model-step.ts";
import { modelTools } from "./model-tools.ts";
import { messageOf, withRetries } from "./retry.ts";
import { type SettleParts, settle } from "./settle.ts";
import { summarise } from "./summarise.ts";

/** Everything an agent works with; it makes none of it. */
export interface AgentParts extends SettleParts {
  profile: Profile;
  model: LanguageModelV4;
  modelName: string;
  tools: readonly Tool[];
  /** Tools that the provider runs itself, in the place of ours of the same name. */
  serverTools: ToolSet;
  session: OpenSession;
  limits: Limits;
  price: Price | undefined;
  /** Tokens that a request may have. */
  contextBudget: number;
  /** Told to the model: where it works, what day it is. */
  facts: readonly string[];
  clock: Clock;
  emit(event: AgentEvent): void;
  /** Whether to go on past a limit or a loop; undefined: nobody is there to ask. */
  mayContinue: ((why: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** What is to be told to the model after changes, such as failing tests. */
  afterChanges?(paths: readonly string[], signal: AbortSignal): Promise<string | undefined>;
}

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
  const instructions = instructionsFor(profile, parts.tools, parts.facts);
  /** Reported tokens divided by estimated ones. */
  let factor = 1;
  let interrupted = conversation.open().length > 0;
  let startedAt = clock.now().getTime();

  function write(data: LogData): void {
    log.append(data);
    conversation.add(data);
    if (data.kind === "user") emit({ type: "message-add", text: data.text });
    if (data.kind === "notice") emit({ type: "notice-add", text: data.text });
  }

  async function run(signal: AbortSignal): Promise<RunResult> {
    startedAt = clock.now().getTime();
    emit({ type: "run-start", agent: profile.name, model: parts.modelName });
    let ending: Ending;
    try {
      ending = await work(signal);
    } catch (error) {
      ending = signal.aborted ? { stop: "aborted" } : { stop: "error", message: messageOf(error) };
    }
    write({ kind: "end", ...ending });
    const { steps, usage } = conversation;
    const cost = price && { costUsd: costOf(usage, price) };
    emit({ type: "run-end", ...ending, steps, usage, ...cost });
    return { session, ...ending, text: conversation.lastText(), steps, usage, ...cost };
  }

  async function work(signal: AbortSignal): Promise<Ending> {
    for (;;) {
      if (conversation.open().length > 0) {
        await runCalls(signal);
        signal.throwIfAborted();
        const loop = judgeLoop(stepsOfRun());
        if (loop && (await endsByLoop(loop, signal)))
          return finalWords({ stop: "loop", message: `${loop.what}.` }, signal);
      }
      if (conversation.ended) return { stop: "done" };
      const limit = limitReached(limits, spent(), price, profile.atLimit === "report");
      if (limit && (await endsByLimit(limit, signal))) {
        return finalWords(
          { stop: limit, message: `The limit of ${limitText(limit, limits)} is reached.` },
          signal,
        );
      }
      const cut = await takeStep(true, signal);
      if (cut) return { stop: "done", message: "The answer was cut at the model's output limit." };
    }
  }

  /** One answer of the model, written down. True when it was cut short. */
  async function takeStep(mayCall: boolean, signal: AbortSignal): Promise<boolean> {
    const { told, tokens } = modelTools(parts.tools, parts.serverTools, conversation.found);
    const overhead = tokens + estimateTokens(instructions);
    await keepWithinContext(overhead, signal);
    const step = conversation.steps + 1;
    emit({ type: "step-start", step });
    const estimated = contextSize(conversation, { overhead, factor: 1 });
    const reply = await ask(told, mayCall, signal);
    // The provider's own count corrects the estimate; one odd report must not upset it.
    if (reply.usage.inputTokens > 0) factor = Math.min(2, Math.max(0.5, reply.usage.inputTokens / estimated));
    const calls = reply.calls.map((call): PlannedCall => ({ id: newId("c"), ...call }));
    const final = calls.length === 0 && !reply.paused;
    write({ kind: "step", messages: reply.messages, calls, usage: reply.usage, final });
    const context = contextSize(conversation, { overhead, factor });
    const { usage: total } = conversation;
    emit({ type: "step-end", step, usage: reply.usage, total, context, contextBudget: parts.contextBudget });
    return final && reply.cut;
  }

  function ask(tools: ToolSet, mayCall: boolean, signal: AbortSignal): Promise<ModelReply> {
    const listener = {
      text: (text: string) => emit({ type: "text-delta", text }),
      reasoning: (text: string) => emit({ type: "reasoning-delta", text }),
      inputStart: (ref: string, tool: string) => emit({ type: "input-start", ref, tool }),
      inputDelta: (ref: string, delta: string) => emit({ type: "input-delta", ref, delta }),
    };
    const messages = conversation.messages();
    const { maxOutputTokens } = profile;
    const request = {
      model: parts.model,
      instructions,
      messages,
      tools,
      mayCall,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    };
    return withRetries(
      () => streamStep(request, listener, signal),
      clock,
      signal,
      (reason, waitMs) => emit({ type: "model-retry", reason, waitMs }),
    );
  }

  async function runCalls(signal: AbortSignal): Promise<void> {
    const calls = conversation.open();
    const outcomes = await settle(calls, interrupted, session, parts, signal);
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
    const changed = outcomes.flatMap(({ details }) => details.changes.flatMap(({ files }) => files));
    for (const { path, after } of changed) workspaceState.set(path, after);
    const told =
      changed.length > 0 &&
      (await parts.afterChanges?.(
        changed.map(({ path }) => path),
        signal,
      ));
    if (told) write({ kind: "notice", text: told });
  }

  /** A first loop is pointed out to the model; a second one ends the run, unless a person wants it to go on. */
  async function endsByLoop({ verdict, what }: LoopVerdict, signal: AbortSignal): Promise<boolean> {
    if (verdict === "notice") {
      const text = `You are going in a circle: ${what}. Doing it again will change nothing. Try another way, or answer with what you have.`;
      write({ kind: "notice", text });
      return false;
    }
    return !(await goesOn(`The agent goes in a circle: ${what}.`, signal));
  }

  async function endsByLimit(limit: LimitReason, signal: AbortSignal): Promise<boolean> {
    return !(await goesOn(`The limit of ${limitText(limit, limits)} is reached.`, signal));
  }

  async function goesOn(why: string, signal: AbortSignal): Promise<boolean> {
    if (profile.atLimit !== "ask" || !parts.mayContinue) return false;
    if (!(await parts.mayContinue(why, signal))) return false;
    startedAt = clock.now().getTime();
    write({ kind: "continue" });
    return true;
  }

  /** An agent that reports does so from what it has, as the last thing before it stops. */
  async function finalWords(ending: Ending, signal: AbortSignal): Promise<Ending> {
    if (profile.atLimit === "report") {
      write({ kind: "notice", text: reportNotice(ending.message ?? "") });
      await takeStep(false, signal);
    }
    return ending;
  }

  async function keepWithinContext(overhead: number, signal: AbortSignal): Promise<void> {
    const shrunk = await fitContext(conversation, {
      overhead,
      budget: parts.contextBudget,
      factor,
      log: write,
      summarise: (transcript) => summarise(parts.model, transcript, signal),
    });
    if (shrunk) emit({ type: "context-shrink", ...shrunk });
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
      // Calls that a dead process left open are settled first: the conversation must stay whole.
      if (conversation.open().length > 0) await runCalls(signal);
      write({ kind: "user", text });
      return run(signal);
    },
    resume: (signal = new AbortController().signal) => {
      if (conversation.ended && conversation.stop !== "done") write({ kind: "continue" });
      return run(signal);
    },
  };
}

type WithoutSession<T> = T extends unknown ? Omit<T, "session"> : never;
type EventBody = WithoutSession<AgentEvent>;
