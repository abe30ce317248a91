import type { PageEvent } from "../../../src/api/api.ts";
import { request } from "./api.ts";
import { errorIn } from "./token.ts";

export type Connection = "connecting" | "open" | "lost" | "locked";
export type Listener = (event: PageEvent) => void;

/** The page's event connection. It follows at most one session, and events for every page. */
export class Stream {
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<() => void>();
  #connection: Connection = "connecting";
  #why: string | undefined;
  #current: AbortController | undefined;
  /** The position of the last event that was read. */
  #last: string | undefined;

  get connection(): Connection {
    return this.#connection;
  }

  /** Why the connection is lost, in the words of a server that answers but cannot work; undefined: it does not answer. */
  get why(): string | undefined {
    return this.#why;
  }

  /** For `useSyncExternalStore`. */
  watchConnection = (changed: () => void): (() => void) => {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  };

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Follows a session from a position; without a session, only events for every page, from the last position. */
  follow(session?: string, after = this.#last): void {
    this.#current?.abort();
    const current = new AbortController();
    this.#current = current;
    this.#last = after;
    void this.#keepReading(session, current.signal);
  }

  async #keepReading(followed: string | undefined, signal: AbortSignal): Promise<void> {
    let session = followed;
    for (let failures = 0; !signal.aborted; failures++) {
      let why: string | undefined;
      try {
        const query = session === undefined ? "" : `?session=${encodeURIComponent(session)}`;
        const response = await request(`/events${query}`, {
          headers: this.#last === undefined ? {} : { "last-event-id": this.#last },
          signal,
        });
        if (response.status === 401) return this.#set("locked");
        // The session is no longer shared, or was removed: everything else is still followed.
        if (response.status === 404 && session !== undefined) {
          session = undefined;
          continue;
        }
        if (response.status === 503) why = await errorIn(response);
        if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
        this.#set("open");
        failures = 0;
        for await (const { id, event } of eventsIn(response.body)) {
          if (signal.aborted) return;
          this.#last = id;
          this.#tell(event);
        }
      } catch {
        if (signal.aborted) return;
      }
      this.#set("lost", why);
      await pause(Math.min(4000, 250 * 2 ** failures), signal);
    }
  }

  #tell(event: PageEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #set(connection: Connection, why?: string): void {
    if (this.#connection === connection && this.#why === why) return;
    this.#connection = connection;
    this.#why = why;
    for (const changed of this.#watchers) changed();
  }
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: string; event: PageEvent }> {
  const reader = body
    .pipeThrough<string>(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/s.exec(part) ?? [];
      if (id !== undefined && data !== undefined) yield { id, event: JSON.parse(data) as PageEvent };
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
