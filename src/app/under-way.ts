import type { Agent } from "../agent/agent.ts";
import { Failure } from "../failure/failure.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** Calls and runs under way: when Wield closes they are stopped and awaited, and new ones are refused. */
export class UnderWay {
  readonly #work = new Map<AbortController, Promise<unknown>>();
  #closed = false;

  async run<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Failure("UNAVAILABLE", "Wield is closed: it takes no more calls.");
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    const done = work(stop.signal);
    this.#work.set(stop, done);
    try {
      return await done;
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#work.delete(stop);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const work = [...this.#work];
    for (const [stop] of work) stop.abort();
    await Promise.allSettled(work.map(([, done]) => done));
  }

  runtime(runtime: Runtime): Runtime {
    return {
      call: (request, options) =>
        this.run(options?.signal, (signal) => runtime.call(request, { ...options, signal })),
      step: (requests, options) =>
        this.run(options?.signal, (signal) => runtime.step(requests, { ...options, signal })),
      preview: (request) => this.run(undefined, () => runtime.preview(request)),
      answer: (id, answer, options) =>
        this.run(options?.signal, (signal) => runtime.answer(id, answer, { ...options, signal })),
    };
  }

  agent(agent: Agent): Agent {
    return {
      session: agent.session,
      profile: agent.profile,
      model: agent.model,
      get unfinished() {
        return agent.unfinished;
      },
      spent: agent.spent,
      ended: agent.ended,
      tell: agent.tell,
      send: (message, given) => this.run(given, (signal) => agent.send(message, signal)),
      compact: (given) => this.run(given, (signal) => agent.compact(signal)),
      resume: (given) => this.run(given, (signal) => agent.resume(signal)),
    };
  }
}
