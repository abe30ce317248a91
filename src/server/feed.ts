import type { Announcement, PageEvent } from "../api/api.ts";
import { newId } from "../text/ids.ts";

export interface FeedLimits {
  /** Bytes kept for readers that reconnect. */
  events: number;
  bytes: number;
  heartbeatMs: number;
}

const standard: FeedLimits = { events: 20_000, bytes: 16 * 1024 * 1024, heartbeatMs: 15_000 };
/** The most bytes written at once to a reader that is behind. */
const chunkBytes = 16 * 1024;

/** How long notices are collected: with hundreds of sessions, each notice to every reader costs hundreds of writes. */
const gatherMs = 40;

interface Kept {
  /** Undefined: for every reader. */
  session: string | undefined;
  text: string;
}

/**
 * Recent events, stored once for all readers: a reader is a position in the list. A reader that is too slow loses its
 * position and must fetch everything again, so no reader can make memory grow.
 */
export class Feed {
  readonly #limits: FeedLimits;
  /** Identifies this process: positions of another process's feed are invalid here. */
  readonly #epoch = newId("f");
  #kept: Kept[] = [];
  /** The number of the first stored event, and the stored bytes. */
  #first = 0;
  #bytes = 0;
  /** Readers that are up to date, by what they wait for. */
  readonly #waiting = new Map<string | undefined, Set<(at: number) => void>>();
  readonly #announced = new Map<Announcement, NodeJS.Timeout>();
  #closed = false;

  constructor(limits: Partial<FeedLimits> = {}) {
    this.#limits = { ...standard, ...limits };
  }

  get cursor(): string {
    return `${this.#epoch}.${this.#end}`;
  }

  add(event: PageEvent, session?: string): void {
    const text = JSON.stringify(event);
    const at = this.#end;
    this.#kept.push({ session, text });
    this.#bytes += text.length;
    this.#trim();
    if (session !== undefined) this.#wake(session, at);
    else for (const topic of [...this.#waiting.keys()]) this.#wake(topic, at);
  }

  /** Notifies all readers that data should be fetched again; several notices at once are merged. */
  announce(type: Announcement): void {
    if (this.#closed || this.#announced.has(type)) return;
    this.#announced.set(
      type,
      setTimeout(() => {
        this.#announced.delete(type);
        this.add({ type });
      }, gatherMs),
    );
  }

  /** A stream of server-sent events from a position, by default from now. */
  read(session: string | undefined, after: string | undefined): ReadableStream<Uint8Array> {
    let place = this.#placeOf(after);
    let stopWaiting = () => {};
    let left = false;
    const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) =>
      controller.enqueue(new TextEncoder().encode(text));
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => send(controller, ": here\n\n"),
        pull: async (controller) => {
          for (;;) {
            const next =
              place === undefined ? { text: this.#resync(), place: this.#end } : this.#from(place, session);
            place = next.place;
            if (next.text !== "") return send(controller, next.text);
            if (place === undefined) continue;
            if (this.#closed) return controller.close();
            const waiting = this.#until(session);
            stopWaiting = waiting.stop;
            const arrived = await waiting.arrived;
            if (left) return;
            if (arrived === undefined) return send(controller, ": still here\n\n");
            place = arrived;
          }
        },
        cancel: () => {
          left = true;
          stopWaiting();
        },
      },
      // Nothing is prepared before the reader asks for it.
      { highWaterMark: 0 },
    );
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#announced.values()) clearTimeout(timer);
    for (const topic of [...this.#waiting.keys()]) this.#wake(topic, this.#end);
  }

  get #end(): number {
    return this.#first + this.#kept.length;
  }

  /** Undefined if events were missed. */
  #placeOf(cursor: string | undefined): number | undefined {
    if (cursor === undefined) return this.#end;
    const [epoch, at = ""] = cursor.split(".");
    const place = /^\d{1,15}$/.test(at) ? Number(at) : Number.NaN;
    return epoch === this.#epoch && place >= this.#first && place <= this.#end ? place : undefined;
  }

  #from(place: number, session: string | undefined): { text: string; place: number | undefined } {
    if (place < this.#first) return { text: "", place: undefined };
    let text = "";
    let at = place;
    for (; at < this.#end && text.length < chunkBytes; at++) {
      const kept = this.#kept[at - this.#first];
      if (!kept || (kept.session !== undefined && kept.session !== session)) continue;
      text += `id: ${this.#epoch}.${at + 1}\ndata: ${kept.text}\n\n`;
    }
    return { text, place: at };
  }

  #resync(): string {
    return `id: ${this.cursor}\ndata: ${JSON.stringify({ type: "resync" } satisfies PageEvent)}\n\n`;
  }

  /** Resolves with the position of the next event for this reader, or with undefined when a keep-alive is due. */
  #until(session: string | undefined): { arrived: Promise<number | undefined>; stop: () => void } {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const waiters = this.#waiting.get(session) ?? new Set();
    this.#waiting.set(session, waiters);
    waiters.add(resolve);
    const stop = () => {
      clearTimeout(timer);
      waiters.delete(resolve);
      if (waiters.size === 0 && this.#waiting.get(session) === waiters) this.#waiting.delete(session);
      resolve(undefined);
    };
    const timer = setTimeout(stop, this.#limits.heartbeatMs);
    return { arrived: promise.finally(() => clearTimeout(timer)), stop };
  }

  #wake(topic: string | undefined, at: number): void {
    const waiters = this.#waiting.get(topic);
    this.#waiting.delete(topic);
    for (const resolve of waiters ?? []) resolve(at);
  }

  /** Drops a quarter at a time: dropping single events would move the whole list each time. */
  #trim(): void {
    const { events, bytes } = this.#limits;
    if (this.#kept.length <= events && this.#bytes <= bytes) return;
    const count = Math.max(1, Math.ceil(this.#kept.length / 4));
    for (const { text } of this.#kept.slice(0, count)) this.#bytes -= text.length;
    this.#kept = this.#kept.slice(count);
    this.#first += count;
  }
}
