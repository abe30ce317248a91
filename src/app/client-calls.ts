import { createCallOrder } from "../runtime/call-order.ts";
import { noFootprint } from "../runtime/footprint.ts";
import type { Wield } from "./wield-types.ts";

/** The calls of each connected client: in order, in a session that ends with the client. */
export class ClientCalls {
  readonly #prefix: string;
  readonly #call: Wield["callAny"];
  readonly #stopSession: (session: string) => Promise<void>;
  readonly #running = new Map<string, ReadonlySet<Promise<unknown>>>();

  constructor(session: string, call: Wield["callAny"], stopSession: (session: string) => Promise<void>) {
    this.#prefix = prefixOf(session);
    this.#call = call;
    this.#stopSession = stopSession;
  }

  inOrder(client?: string): Wield["callAny"] {
    const order = createCallOrder("connection");
    const own = client === undefined ? {} : { session: this.#prefix + client };
    const running = new Set<Promise<unknown>>();
    if (client !== undefined) this.#running.set(client, running);
    return (tool, input, given) => {
      // Taken at once: what comes before it is decided by when it was sent.
      const place = order.next(tool);
      const call = this.#call(tool, input, { ...own, ...given, place }).finally(() => {
        place.finish(false, noFootprint);
        running.delete(call);
      });
      running.add(call);
      return call;
    };
  }

  async end(client: string): Promise<void> {
    const session = this.#prefix + client;
    await this.#stopSession(session);
    // A call that was running may have started another process.
    await Promise.allSettled(this.#running.get(client) ?? []);
    this.#running.delete(client);
    await this.#stopSession(session);
  }
}

/** Whether a session is that of this process or of one of its clients: both end with the process. */
export function isOfProcess(session: string, own: string): boolean {
  return session === own || session.startsWith(prefixOf(own));
}

function prefixOf(session: string): string {
  return `${session}.`;
}
