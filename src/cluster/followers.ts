import { setTimeout as sleep } from "node:timers/promises";
import type { LogData } from "../agent/log.ts";
import type { CallNote, ChatChunk, ChatMessage } from "../api/chat.ts";
import type { WieldEvent } from "../events/events.ts";
import { callIdsIn, emptyMessage, messagesOf } from "../server/chat-log.ts";
import { ChatStream } from "../server/chat-stream.ts";
import type { LogEntry, Store } from "../store/store.ts";
import type { Channel, Hint } from "./channel.ts";

type Events = Extract<Hint, { t: "events" }>;

interface Follower {
  readers: number;
  epoch: number;
  /** The number of the next piece. */
  next: number;
  /** The run's message so far; undefined if unknown since the last gap. */
  stream: ChatStream | undefined;
  /** Resolved when the stream is known. */
  known: PromiseWithResolvers<void>;
  /** Whether readers get new events; they fetch earlier ones. */
  telling: boolean;
  /** A page was answered without the stream, so it must ask again when there is one. */
  toldWithout: boolean;
  /** Events are taken one piece after the other. */
  turn: Promise<void>;
  heard: number;
  /** The last state read from the database. */
  state: string;
  /** When nobody has read it for so long, it is forgotten. */
  until: number;
}

export interface FollowersParts {
  store: Store;
  channel: Pick<Channel, "tell" | "own">;
  /** A word that changes when the session's log grows or its state changes. */
  stateOf(session: string): Promise<string>;
  /** To all readers of the session in this process. */
  chunk(session: string, chunk: ChatChunk): void;
  /** Readers fetch the session again. */
  resync(session: string): void;
}

const watchMs = 4000;
/** A page that fetches a session again leaves its stream for a moment. */
const graceMs = 15_000;
const firstMs = 400;

/**
 * Sessions that pages of this process look at. The worker's events are only the quick way: whatever does not fit together is
 * dropped, and the page reads the log.
 */
export class Followers {
  readonly #parts: FollowersParts;
  readonly #followed = new Map<string, Follower>();
  readonly #timer: NodeJS.Timeout;

  constructor(parts: FollowersParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => {
      for (const [session, follower] of this.#followed)
        void this.#lookAfter(session, follower).catch(() => undefined);
    }, watchMs);
  }

  get count(): number {
    return this.#followed.size;
  }

  /** One more reader; the function ends its reading. */
  follow(session: string): () => void {
    const follower = this.#follower(session);
    follower.readers++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      follower.readers--;
      follower.until = performance.now() + graceMs;
    };
  }

  take(events: Events): void {
    const follower = this.#followed.get(events.session);
    if (!follower) return;
    follower.turn = follower.turn
      .then(() => this.#take(follower, events))
      .catch(() => this.#doubt(events.session, follower));
  }

  /** The session may have another worker, or have ended. */
  touched(session: string): void {
    const follower = this.#followed.get(session);
    if (follower && performance.now() - follower.heard > 1000)
      void this.#lookAfter(session, follower).catch(() => undefined);
  }

  /**
   * The message of the current run, including what is not in the log yet, and the position of the feed at that
   * moment.
   */
  async courseOf(
    session: string,
    begun: ChatMessage,
    position: () => string,
  ): Promise<{ chunks: ChatChunk[]; cursor: string }> {
    const follower = this.#follower(session);
    if (!follower.stream) await Promise.race([follower.known.promise, sleep(firstMs)]);
    const course = follower.stream?.course;
    const start = course?.[0];
    if (course && start?.type === "start" && start.messageId === begun.id)
      return { chunks: [...course], cursor: position() };
    follower.toldWithout = true;
    return { chunks: [...new ChatStream(begun, () => undefined).course], cursor: position() };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#followed.clear();
  }

  #follower(session: string): Follower {
    const known = this.#followed.get(session);
    const until = performance.now() + graceMs;
    if (known) return Object.assign(known, { until });
    const follower: Follower = {
      ...{
        readers: 0,
        epoch: -1,
        next: 0,
        stream: undefined,
        known: Promise.withResolvers<void>(),
        toldWithout: false,
        telling: false,
      },
      ...{ turn: Promise.resolve(), heard: performance.now(), state: "", until },
    };
    this.#followed.set(session, follower);
    this.#watch(session, true);
    return follower;
  }

  async #lookAfter(session: string, follower: Follower): Promise<void> {
    if (follower.readers === 0 && follower.until < performance.now()) {
      this.#followed.delete(session);
      return;
    }
    this.#watch(session, follower.stream === undefined);
    // Compared when it is quiet, or when what was heard did not fit: a change that is noted here is never told later.
    if (follower.stream !== undefined && performance.now() - follower.heard <= 1000) return;
    const state = await this.#parts.stateOf(session);
    const isNews = state !== follower.state;
    follower.state = state;
    if (isNews) this.#parts.resync(session);
  }

  async #take(follower: Follower, { session, epoch, n, log, first, events }: Events): Promise<void> {
    follower.heard = performance.now();
    if (first) {
      const entries = await this.#parts.store.entries(session);
      // The worker has gone on since: it is asked again.
      if (entries.length !== log) return this.#doubt(session, follower);
      const begun = currentMessage(await messagesIn(this.#parts.store, entries), entries);
      Object.assign(follower, { epoch, next: 1, telling: false });
      follower.stream = this.#streamOf(session, begun, follower);
    } else if (follower.stream === undefined || epoch !== follower.epoch || n !== follower.next) {
      return this.#doubt(session, follower);
    } else follower.next = n + 1;
    for (const event of events as (WieldEvent | { type: "too-large" })[]) {
      if (event.type === "too-large") return this.#doubt(session, follower);
      if ("session" in event && event.session !== session) continue;
      if (event.type === "message-add") {
        follower.stream?.end();
        follower.stream = this.#streamOf(session, emptyMessage(event.entry + 1), follower);
      } else follower.stream?.take(event);
    }
    if (!first) return;
    follower.telling = true;
    follower.known.resolve();
    // What was applied here was not sent to readers.
    if (follower.toldWithout || follower.readers > 0) this.#parts.resync(session);
    follower.toldWithout = false;
  }

  #streamOf(session: string, begun: ChatMessage, follower: Follower): ChatStream {
    return new ChatStream(begun, (chunk) => {
      if (follower.telling) this.#parts.chunk(session, chunk);
    });
  }

  #doubt(session: string, follower: Follower): void {
    Object.assign(follower, { stream: undefined, toldWithout: true, known: Promise.withResolvers<void>() });
    setTimeout(() => this.#watch(session, true), 200).unref();
  }

  #watch(session: string, fresh: boolean): void {
    void this.#parts.channel.tell({ t: "watch", session, to: this.#parts.channel.own, fresh });
  }
}

/** The messages of a log; `answerers`: who answered the approval requests of calls. */
export async function messagesIn(
  store: Store,
  entries: readonly LogEntry[],
  answerers: ReadonlyMap<string, string> = new Map(),
): Promise<ChatMessage[]> {
  const ids = callIdsIn(entries);
  const files = await store.files().list(ids);
  const notes = (await store.calls({ ids })).map((record): [string, CallNote] => {
    const made = files.get(record.id);
    const answeredBy = answerers.get(record.id);
    return [record.id, { record, ...(made && { files: made }), ...(answeredBy && { answeredBy }) }];
  });
  return messagesOf(entries, new Map(notes));
}

/** The message of the current run, as far as it is in the log. */
export function currentMessage(messages: readonly ChatMessage[], entries: readonly LogEntry[]): ChatMessage {
  const last = messages.at(-1);
  const isOpen = last?.role === "assistant" && (entries.at(-1)?.data as LogData | undefined)?.kind !== "end";
  return isOpen ? last : emptyMessage(entries.length);
}
