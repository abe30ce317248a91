import type { RunResult } from "../agent/agent.ts";
import type { ChatChunk, ChatMessage } from "../api/chat.ts";
import type { StopReason } from "../events/agent-events.ts";
import type { WieldEvent } from "../events/events.ts";
import { Failure } from "../failure/failure.ts";
import type { LogEntry } from "../store/store.ts";
import { emptyMessage } from "./chat-log.ts";
import { ChatStream } from "./chat-stream.ts";
import type { Feed } from "./feed.ts";

export interface Running {
  /** The run's message and its stream; undefined until the person's message is in the log. */
  message: { id: string; stream: ChatStream } | undefined;
  stop: AbortController;
  /** Resolves when there is a message; rejects when the run failed before that. */
  begun: PromiseWithResolvers<void>;
  ended: Promise<void>;
}

interface ChatRunsParts {
  feed: Feed;
  entries(session: string): Promise<readonly LogEntry[]>;
  /** A run of a session is over. */
  ended(session: string, how: StopReason): void;
}

/** The runs of this process; each session has at most one at a time. */
export class ChatRuns {
  readonly #parts: ChatRunsParts;
  readonly #running = new Map<string, Running>();
  /** Sessions that are being rewound or summarised. */
  readonly #busy = new Set<string>();
  /** Counts up when a run begins, gets its message or ends, and when a log was changed otherwise. */
  #turn = 0;

  constructor(parts: ChatRunsParts) {
    this.#parts = parts;
  }

  get turn(): number {
    return this.#turn;
  }

  of(session: string): Running | undefined {
    return this.#running.get(session);
  }

  refuseIfRunning(session: string): void {
    if (!this.#running.has(session) && !this.#busy.has(session)) return;
    throw new Failure("CONFLICT", "The agent is still working in this session. Stop it first, or wait.");
  }

  start(session: string, work: (signal: AbortSignal) => Promise<RunResult>): Running {
    // Two tabs may open it at the same time.
    this.refuseIfRunning(session);
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    begun.promise.catch(() => undefined);
    const running: Running = { message: undefined, stop, begun, ended: Promise.resolve() };
    this.#turn++;
    this.#running.set(session, running);
    running.ended = work(stop.signal).then(
      // Esc at the very end of a run also means: do not send the next message.
      ({ stop: how }) => this.#end(session, stop.signal.aborted ? "aborted" : how),
      async (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        if (!running.message) {
          begun.reject(error);
          const known = await this.#parts.entries(session).catch(() => undefined);
          this.begin(session, emptyMessage(known?.length ?? -1));
        }
        const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
        this.take(session, { type: "run-end", session, stop: "error", message, steps: 0, usage });
        this.#end(session, "error");
      },
    );
    this.#parts.feed.announce("sessions-change");
    return running;
  }

  /** The run has a message from now on; readers of the session receive it. */
  begin(session: string, begun: ChatMessage): void {
    const running = this.#running.get(session);
    if (!running) return;
    // A message of the person in the middle of a run ends the agent's message before it.
    running.message?.stream.end();
    const send = (chunk: ChatChunk) => this.#parts.feed.add({ type: "chunk", chunk }, session);
    this.#turn++;
    running.message = { id: begun.id, stream: new ChatStream(begun, send) };
    running.begun.resolve();
  }

  /** An event of a run becomes part of its message. */
  take(session: string, event: WieldEvent): void {
    if (event.type === "message-add") this.begin(session, emptyMessage(event.entry + 1));
    this.#running.get(session)?.message?.stream.take(event);
  }

  /** Work on a session's log during which no run may begin. */
  async between<T>(session: string, work: () => Promise<T>): Promise<T> {
    this.refuseIfRunning(session);
    this.#busy.add(session);
    try {
      return await work();
    } finally {
      this.#busy.delete(session);
      this.#turn++;
      this.#parts.feed.announce("sessions-change");
    }
  }

  async stopAll(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { stop } of running) stop.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }

  #end(session: string, how: StopReason): void {
    this.#turn++;
    this.#running.delete(session);
    this.#parts.feed.announce("sessions-change");
    this.#parts.ended(session, how);
  }
}
