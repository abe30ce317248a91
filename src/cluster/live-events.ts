import type { WieldEvent } from "../events/events.ts";
import { type Channel, mostHintBytes } from "./channel.ts";

const gatherMs = 40;
/** A watcher renews its interest well before this. */
const watchedMs = 25_000;

/**
 * The events of one running session, sent to the web processes that follow it. Nothing waits for them, and a process
 * that misses one reads the log: a new follower first gets the events since the last log entry.
 */
export class LiveEvents {
  readonly #session: string;
  readonly #epoch: number;
  readonly #channel: Pick<Channel, "tell">;
  readonly #watchers = new Map<string, { until: number; n: number; gathered: WieldEvent[] }>();
  /** Since the last entry. */
  #tail: WieldEvent[] = [];
  #entries = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(session: string, epoch: number, channel: Pick<Channel, "tell">) {
    this.#session = session;
    this.#epoch = epoch;
    this.#channel = channel;
  }

  watch(to: string, fresh: boolean): void {
    const known = fresh ? undefined : this.#watchers.get(to);
    if (known) {
      known.until = performance.now() + watchedMs;
      return;
    }
    this.#watchers.set(to, { until: performance.now() + watchedMs, n: 0, gathered: [...this.#tail] });
    this.#later();
  }

  add(event: WieldEvent): void {
    this.#tail.push(event);
    for (const { gathered } of this.#watchers.values()) gathered.push(event);
    if (this.#watchers.size > 0) this.#later();
  }

  appended(entries: number): void {
    this.#entries = entries;
    this.#tail = [];
  }

  /** Sends the collected events immediately. */
  close(): void {
    clearTimeout(this.#timer);
    this.#send();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => this.#send(), gatherMs);
  }

  #send(): void {
    this.#timer = undefined;
    for (const [to, watcher] of this.#watchers) {
      if (watcher.until < performance.now()) {
        this.#watchers.delete(to);
        continue;
      }
      const { gathered } = watcher;
      watcher.gathered = [];
      for (const events of inPieces(gathered, watcher.n === 0)) {
        const first = watcher.n === 0;
        const about = {
          session: this.#session,
          epoch: this.#epoch,
          n: watcher.n++,
          log: this.#entries,
          first,
        };
        void this.#channel.tell({ t: "events", ...about, events }, to);
      }
    }
  }
}

/** Each fits into a hint; an event that is too large alone is left out, and its number shows that something is missing. */
function inPieces(events: readonly WieldEvent[], evenNone: boolean): unknown[][] {
  const pieces: unknown[][] = [];
  let piece: unknown[] = [];
  let bytes = 400;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (bytes + size > mostHintBytes && piece.length > 0) {
      pieces.push(piece);
      piece = [];
      bytes = 400;
    }
    if (bytes + size > mostHintBytes) pieces.push([{ type: "too-large" }]);
    else {
      piece.push(event);
      bytes += size;
    }
  }
  if (piece.length > 0 || (evenNone && pieces.length === 0)) pieces.push(piece);
  return pieces;
}
