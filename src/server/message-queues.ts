import type { PersonMessage } from "../agent/attachments.ts";
import type { QueuedView } from "../api/sessions.ts";
import { Failure } from "../failure/failure.ts";
import { newId } from "../text/ids.ts";

interface Queued<Options> extends Pick<QueuedView, "id" | "held"> {
  said: PersonMessage;
  options: Options;
}

/** The most queued messages of a session. */
const most = 50;

/** Queued messages by session. Each leaves its queue once: it is either sent or withdrawn. */
export class MessageQueues<Options> {
  readonly #changed: () => void;
  readonly #queues = new Map<string, readonly Queued<Options>[]>();

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  list(session: string): readonly Queued<Options>[] {
    return this.#queues.get(session) ?? [];
  }

  next(session: string): Queued<Options> | undefined {
    return this.list(session).find(({ held }) => !held);
  }

  add(session: string, said: PersonMessage, options: Options): void {
    const queue = this.list(session);
    if (queue.length >= most) throw new Failure("TOO_LARGE", `${most} messages are already queued.`);
    this.#set(session, [...queue, { id: newId("q"), said, options, held: false }]);
  }

  take(session: string, id: string): Queued<Options> {
    const queue = this.list(session);
    const taken = queue.find((message) => message.id === id);
    if (!taken) throw new Failure("CONFLICT", "This message is no longer queued: it was sent or withdrawn.");
    this.#set(
      session,
      queue.filter((message) => message !== taken),
    );
    return taken;
  }

  /** Holds the queue: nothing is sent automatically any more. */
  hold(session: string, ...unsent: Queued<Options>[]): void {
    this.#set(
      session,
      [...unsent, ...this.list(session)].map((message) => ({ ...message, held: true })),
    );
  }

  #set(session: string, queue: readonly Queued<Options>[]): void {
    if (queue.length > 0) this.#queues.set(session, queue);
    else this.#queues.delete(session);
    this.#changed();
  }
}
