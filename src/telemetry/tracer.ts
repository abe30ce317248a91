import { randomBytes } from "node:crypto";
import type { AgentEvent } from "../events/agent-events.ts";
import type { CallEvent, WieldEvent } from "../events/events.ts";
import type { Meters } from "./meters.ts";
import type { Attributes, Span } from "./otlp.ts";

export interface TracerParts {
  content: boolean;
  /** The call that the present work belongs to. */
  currentCall(): string | undefined;
  ended(span: Span): void;
  meters: Meters;
}

/** A span that has not ended yet: its end is still 0. */
interface Open {
  span: Span;
}

/** One run of an agent: its span, the step it is at, and the answer of the model under way. */
interface Run {
  open: Open;
  model: string;
  step: Open | undefined;
  chat: Open | undefined;
  said: string;
}

interface CallSpans {
  open: Open;
  tool: string;
  approval: Open | undefined;
  /** Those of the open span: the end of the call fills them in. */
  attributes: Record<string, Attributes[string]>;
}

const shownCharacters = 8_000;
const none: Span["events"] = [];

/** Turns events into spans by the GenAI conventions: agent, step, model call, tool call, approval. */
export class Tracer {
  readonly #parts: TracerParts;
  readonly #runs = new Map<string, Run>();
  readonly #calls = new Map<string, CallSpans>();
  /** What the person said last in a session: it comes before the run. */
  readonly #asked = new Map<string, string>();

  constructor(parts: TracerParts) {
    this.#parts = parts;
  }

  hear(event: WieldEvent): void {
    if ("callId" in event && event.type !== "call-result") this.#hearCall(event);
    else this.#hearAgent(event as AgentEvent);
  }

  /** A span of other work, below the call that it belongs to. */
  begin(name: string, attributes: Attributes): { end(more: Attributes, error?: string): void } {
    const open = this.#open(name, "internal", attributes, this.#ofCurrentCall());
    return { end: (more, error) => void this.#end(open, more, error) };
  }

  /** Unfinished spans are sent as they are. */
  endAll(): void {
    for (const [id, { open, approval }] of this.#calls) {
      if (approval) this.#end(approval, {});
      this.#end(open, {}, "unfinished");
      this.#calls.delete(id);
    }
    for (const [session, run] of this.#runs) {
      for (const open of [run.chat, run.step]) if (open) this.#end(open, {});
      this.#end(run.open, {}, "unfinished");
      this.#runs.delete(session);
    }
  }

  #hearCall(event: CallEvent): void {
    if (event.type === "call-start") {
      const { callId, session, ref, tool, input } = event;
      const run = this.#runs.get(session);
      // Every call passes here: plain literals are many times faster than spread ones.
      const attributes: Record<string, Attributes[string]> = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": ref ?? callId,
        "gen_ai.conversation.id": session,
        "wield.approval": undefined,
        "wield.result.bytes": undefined,
        "error.type": undefined,
      };
      if (this.#parts.content)
        attributes["gen_ai.tool.call.arguments"] = JSON.stringify(input).slice(0, shownCharacters);
      const parent = (run?.step ?? run?.open)?.span ?? this.#ofCurrentCall();
      const open = this.#open(`execute_tool ${tool}`, "internal", attributes, parent);
      this.#calls.set(callId, { open, tool, approval: undefined, attributes });
      return;
    }
    const call = this.#calls.get(event.callId);
    if (!call) return;
    if (event.type === "approval-ask") {
      const attributes = { "gen_ai.tool.name": call.tool };
      call.approval ??= this.#open(`approval ${call.tool}`, "internal", attributes, call.open.span);
    } else if (event.type === "approval-answer" && call.approval) {
      const { approved, edited } = event;
      const waited = this.#end(call.approval, {
        "wield.approval.approved": approved,
        "wield.approval.edited": edited,
      });
      call.approval = undefined;
      this.#parts.meters.record("wield.approval.wait", waited, { "gen_ai.tool.name": call.tool });
    } else if (event.type === "call-end") {
      const { record } = event;
      if (call.approval) this.#end(call.approval, {});
      const error = record.ok ? undefined : (record.errorCode ?? "error");
      const { attributes } = call;
      attributes["wield.approval"] = record.approval;
      attributes["wield.result.bytes"] = record.bytes;
      attributes["error.type"] = error;
      this.#end(call.open, undefined, error);
      this.#calls.delete(event.callId);
      this.#parts.meters.record("gen_ai.client.operation.duration", record.durationMs / 1000, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.provider.name": "wield",
        "gen_ai.tool.name": call.tool,
        "error.type": error,
      });
    }
  }

  #hearAgent(event: AgentEvent): void {
    const run = this.#runs.get(event.session);
    if (event.type === "run-start") this.#beginRun(event);
    else if (event.type === "message-add") this.#hearMessage(event);
    else if (!run) return;
    else if (event.type === "step-start") this.#beginStep(run, event);
    else if (event.type === "text-delta") run.said += this.#parts.content ? event.text : "";
    else if (event.type === "model-retry") {
      const { reason, waitMs } = event;
      const attributes = {
        "wield.retry.wait_ms": waitMs,
        ...this.#content("exception.message", () => reason),
      };
      run.said = "";
      if (run.chat)
        run.chat.span.events = [...run.chat.span.events, { at: now(), name: "retry", attributes }];
    } else if (event.type === "step-end") this.#endChat(run, event);
    else if (event.type === "run-end") this.#endRun(run, event);
  }

  #hearMessage({ session, text }: Extract<AgentEvent, { type: "message-add" }>): void {
    if (this.#parts.content) this.#asked.set(session, text);
  }

  #beginRun({ session, agent, model }: Extract<AgentEvent, { type: "run-start" }>): void {
    const open = this.#open(
      `invoke_agent ${agent}`,
      "internal",
      {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": providerOf(model),
        "gen_ai.agent.name": agent,
        "gen_ai.request.model": modelOf(model),
        "gen_ai.conversation.id": session,
        ...this.#content("gen_ai.input.messages", () => messages("user", this.#asked.get(session) ?? "")),
      },
      this.#ofCurrentCall(),
    );
    this.#asked.delete(session);
    this.#runs.set(session, { open, model, step: undefined, chat: undefined, said: "" });
  }

  /** A step lasts until the next one begins: its calls belong to it. */
  #beginStep(run: Run, { step, session }: Extract<AgentEvent, { type: "step-start" }>): void {
    if (run.step) this.#end(run.step, {});
    run.step = this.#open(`step ${step}`, "internal", { "wield.step": step }, run.open.span);
    const attributes = { ...modelAttributes(run.model), "gen_ai.conversation.id": session };
    run.chat = this.#open(`chat ${modelOf(run.model)}`, "client", attributes, run.step.span);
    run.said = "";
  }

  #endChat(run: Run, { usage }: Extract<AgentEvent, { type: "step-end" }>): void {
    if (!run.chat) return;
    const took = this.#end(run.chat, {
      "gen_ai.usage.input_tokens": usage.inputTokens,
      "gen_ai.usage.output_tokens": usage.outputTokens,
      "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens,
      ...this.#content("gen_ai.output.messages", () => messages("assistant", run.said)),
    });
    run.chat = undefined;
    const of = modelAttributes(run.model);
    const { meters } = this.#parts;
    meters.record("gen_ai.client.operation.duration", took, of);
    meters.record("gen_ai.client.token.usage", usage.inputTokens, { ...of, "gen_ai.token.type": "input" });
    meters.record("gen_ai.client.token.usage", usage.outputTokens, { ...of, "gen_ai.token.type": "output" });
  }

  #endRun(
    run: Run,
    { session, stop, steps, usage, costUsd }: Extract<AgentEvent, { type: "run-end" }>,
  ): void {
    const failed = stop === "error" ? { "error.type": stop } : {};
    // A model call that failed has no end of its own.
    if (run.chat) this.#end(run.chat, failed, stop === "error" ? stop : undefined);
    if (run.step) this.#end(run.step, {});
    const attributes = {
      ...{ "wield.stop": stop, "wield.steps": steps, "wield.cost_usd": costUsd },
      "gen_ai.usage.input_tokens": usage.inputTokens,
      "gen_ai.usage.output_tokens": usage.outputTokens,
    };
    const took = this.#end(run.open, { ...attributes, ...failed }, stop === "error" ? stop : undefined);
    this.#runs.delete(session);
    const of = { ...modelAttributes(run.model), "gen_ai.operation.name": "invoke_agent", ...failed };
    this.#parts.meters.record("gen_ai.client.operation.duration", took, of);
  }

  #ofCurrentCall(): Open["span"] | undefined {
    return this.#calls.get(this.#parts.currentCall() ?? "")?.open.span;
  }

  #open(name: string, kind: Span["kind"], attributes: Attributes, parent: Open["span"] | undefined): Open {
    return {
      span: {
        traceId: parent?.traceId ?? newId(16),
        spanId: newId(8),
        parentSpanId: parent?.spanId,
        name,
        kind,
        start: now(),
        end: 0,
        attributes,
        events: none,
        error: undefined,
      },
    };
  }

  /** Seconds that it took. Every call passes here: the span is completed, not copied. */
  #end({ span }: Open, more: Attributes | undefined, error?: string): number {
    span.end = now();
    if (more) Object.assign(span.attributes, more);
    span.error = error;
    this.#parts.ended(span);
    return (span.end - span.start) / 1000;
  }

  /** Only where the person allowed it. */
  #content(name: string, text: () => string): Attributes {
    return this.#parts.content ? { [name]: text().slice(0, shownCharacters) } : {};
  }
}

/** Random digits are made many at a time: a call into the system for each id would be felt. */
let pool = "";
let used = 0;

function newId(bytes: number): string {
  const digits = bytes * 2;
  if (used + digits > pool.length) {
    pool = randomBytes(4096).toString("hex");
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
}

const { timeOrigin } = performance;

function now(): number {
  return timeOrigin + performance.now();
}

function messages(role: string, content: string): string {
  return JSON.stringify([
    { role, parts: [{ type: "text", content: content.slice(0, shownCharacters - 200) }] },
  ]);
}

function modelAttributes(model: string): Attributes {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": providerOf(model),
    "gen_ai.request.model": modelOf(model),
  };
}

/** Well-known names where the conventions have one. */
const providers: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  offline: "wield",
  mistral: "mistral_ai",
  xai: "x_ai",
};

function providerOf(model: string): string {
  const [provider = model] = model.split("/");
  return providers[provider] ?? (/^https?:/.test(model) ? "openai_compatible" : provider);
}

function modelOf(model: string): string {
  return /^https?:/.test(model) ? (model.split("#")[1] ?? model) : model.slice(model.indexOf("/") + 1);
}
