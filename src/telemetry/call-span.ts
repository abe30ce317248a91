import type { CallEvent, CallRecord } from "../events/events.ts";
import { newId, now } from "./new-span.ts";
import { attributeText, type OpenSpan, type Span, type SpanIds } from "./otlp.ts";
import type { ToolShapes } from "./tool-shapes.ts";

export const shownCharacters = 8_000;

/** The span of one call. Every call makes one, so whatever can wait is made when it is sent, many at a time. */
export class CallSpan implements Span {
  readonly tool: string;
  readonly start = now();
  end = 0;
  readonly events = undefined;
  /** The wait for a person. */
  approval: OpenSpan | undefined;
  readonly #shapes: ToolShapes;
  readonly #session: string;
  readonly #callId: string;
  /** Undefined unless the person allowed content: inputs can be large. */
  readonly #input: string | undefined;
  readonly #parent: SpanIds | undefined;
  #record: CallRecord | undefined;
  #traceId: string | undefined;
  #spanId: string | undefined;

  constructor(
    { callId, session, ref, tool, input }: Extract<CallEvent, { type: "call-start" }>,
    parent: SpanIds | undefined,
    shapes: ToolShapes,
    content: boolean,
  ) {
    this.tool = tool;
    this.#session = session;
    this.#callId = ref ?? callId;
    this.#parent = parent;
    this.#shapes = shapes;
    this.#input = content ? JSON.stringify(input ?? null).slice(0, shownCharacters) : undefined;
  }

  /** Without a record, it did not finish. */
  finish(record: CallRecord | undefined): void {
    this.end = now();
    this.#record = record;
  }

  get traceId(): string {
    this.#traceId ??= this.#parent?.traceId ?? newId(16);
    return this.#traceId;
  }

  get spanId(): string {
    this.#spanId ??= newId(8);
    return this.#spanId;
  }

  get parentSpanId(): string | undefined {
    return this.#parent?.spanId;
  }

  get head(): string {
    return this.#shapes.of(this.tool).head;
  }

  get attributes(): string {
    const common = this.#shapes.of(this.tool).in(this.#session);
    const text = `${common},${attributeText("gen_ai.tool.call.id", this.#callId)}`;
    const given =
      this.#input === undefined ? "" : `,${attributeText("gen_ai.tool.call.arguments", this.#input)}`;
    if (!this.#record) return `${text}${given}`;
    const { approval, bytes } = this.#record;
    const error = errorOf(this.#record);
    const failed = error === undefined ? "" : `,${attributeText("error.type", error)}`;
    return `${text},${attributeText("wield.approval", approval)},${attributeText("wield.result.bytes", bytes)}${failed}${given}`;
  }

  get error(): string | undefined {
    return this.#record ? errorOf(this.#record) : "unfinished";
  }
}

export function errorOf({ ok, errorCode }: CallRecord): string | undefined {
  return ok ? undefined : (errorCode ?? "error");
}
