import type { AgentEvent } from "../events/agent-events.ts";
import type { WieldEvent } from "../events/events.ts";
import { shownCharacters } from "./call-span.ts";
import { CallSpans, type CallSpansParts } from "./call-spans.ts";
import { endSpan, newSpan, now } from "./new-span.ts";
import { type Attributes, type OpenSpan, type SpanIds, spanText } from "./otlp.ts";

export interface TracerParts extends CallSpansParts {
  /** The call that the present work belongs to. */
  currentCall(): string | undefined;
}

/** One run of an agent: its span, the step it is at, and the answer of the model under way. */
interface Run {
  span: OpenSpan;
  model: string;
  step: OpenSpan | undefined;
  chat: OpenSpan | undefined;
  said: string;
}

/** Turns events into spans by the GenAI conventions: agent, step, model call, tool call, approval. */
export class Tracer {
  readonly #parts: TracerParts;
  readonly #calls: CallSpans;
  readonly #runs = new Map<string, Run>();
  /** What the person said last in a session: it comes before the run. */
  readonly #asked = new Map<string, string>();

  constructor(parts: TracerParts) {
    this.#parts = parts;
    this.#calls = new CallSpans(parts);
  }

  hear(event: WieldEvent): void {
    if (event.type === "call-start") this.#calls.begin(event, this.#parentIn(event.session));
    else if (event.type === "call-end") this.#calls.end(event);
    else if ("callId" in event && event.type !== "call-result") this.#calls.hear(event);
    else this.#hearAgent(event as AgentEvent);
  }

  /** A span of other work, below the call that it belongs to. */
  begin(name: string, attributes: Attributes): { end(more: Attributes, error?: string): void } {
    const span = newSpan(name, "internal", attributes, this.#ofCurrentCall());
    return { end: (more, error) => void this.#end(span, more, error) };
  }

  /** Calls that have ended wait for others before they are written. */
  writeCalls(): void {
    this.#calls.write();
  }

  /** Unfinished spans are sent as they are. */
  endAll(): void {
    this.#calls.endAll();
    for (const [session, run] of this.#runs) {
      for (const span of [run.chat, run.step]) if (span) this.#end(span, {});
      this.#end(run.span, {}, "unfinished");
      this.#runs.delete(session);
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
      if (run.chat) run.chat.events = [...(run.chat.events ?? []), { at: now(), name: "retry", attributes }];
    } else if (event.type === "step-end") this.#endChat(run, event);
    else if (event.type === "run-end") this.#endRun(run, event);
  }

  #hearMessage({ session, text }: Extract<AgentEvent, { type: "message-add" }>): void {
    if (this.#parts.content) this.#asked.set(session, text);
  }

  #beginRun({ session, agent, model }: Extract<AgentEvent, { type: "run-start" }>): void {
    const span = newSpan(
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
    this.#runs.set(session, { span, model, step: undefined, chat: undefined, said: "" });
  }

  /** A step lasts until the next one begins: its calls belong to it. */
  #beginStep(run: Run, { step, session }: Extract<AgentEvent, { type: "step-start" }>): void {
    if (run.step) this.#end(run.step, {});
    run.step = newSpan(`step ${step}`, "internal", { "wield.step": step }, run.span);
    const attributes = { ...modelAttributes(run.model), "gen_ai.conversation.id": session };
    run.chat = newSpan(`chat ${modelOf(run.model)}`, "client", attributes, run.step);
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
    const took = this.#end(run.span, { ...attributes, ...failed }, stop === "error" ? stop : undefined);
    this.#runs.delete(session);
    const of = { ...modelAttributes(run.model), "gen_ai.operation.name": "invoke_agent", ...failed };
    this.#parts.meters.record("gen_ai.client.operation.duration", took, of);
  }

  #ofCurrentCall(): SpanIds | undefined {
    return this.#calls.of(this.#parts.currentCall());
  }

  /** What a call in this session belongs to. */
  #parentIn(session: string): SpanIds | undefined {
    const run = this.#runs.get(session);
    return run ? (run.step ?? run.span) : this.#ofCurrentCall();
  }

  /** Seconds that it took. */
  #end(span: OpenSpan, more: Attributes, error?: string): number {
    const took = endSpan(span, more, error);
    this.#parts.ended(spanText(span));
    return took;
  }

  /** Only where the person allowed it. */
  #content(name: string, text: () => string): Attributes {
    return this.#parts.content ? { [name]: text().slice(0, shownCharacters) } : {};
  }
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
