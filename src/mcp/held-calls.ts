import { randomUUID } from "node:crypto";
import type { Answer, Ask, Asker } from "../approval/approval.ts";
import { fail } from "../tool/result.ts";
import type { HostOutcome, Progress } from "./host.ts";

/** A request ends either with the call's outcome or with a question, to be answered by the next request. */
export type Round = { outcome: HostOutcome } | { question: Question };

export interface Question {
  /** Unguessable, good for one answer. */
  state: string;
  asks: readonly Ask[];
}

/** What one request offers a call: its cancellation and its progress. */
export interface RequestIo {
  signal: AbortSignal;
  progress: Progress;
}

type Begin = (given: RequestIo & { asker: Asker }) => Promise<HostOutcome>;

interface Open extends Question {
  /** Which call this is about: an answer counts for no other. */
  call: string;
  answer(answers: readonly Answer[], io: RequestIo): Promise<Round>;
}

const answerWithinMs = 10 * 60_000;
const maxOpen = 100;

/**
 * Calls that wait for a person between two requests of a client without a standing connection. The call itself stays
 * here, prepared and unapproved; all that travels is a name for its question, so there is nothing to forge or replay.
 */
export class HeldCalls {
  readonly #open = new Map<string, Open>();
  readonly #running = new Set<AbortController>();

  async start(call: string, begin: Begin, io: RequestIo): Promise<Round> {
    if (this.#open.size >= maxOpen) {
      const text = `${maxOpen} calls wait for an answer already. Have them answered, then call again.`;
      return {
        outcome: { result: fail("LIMIT_EXCEEDED", text), text: `LIMIT_EXCEEDED: ${text}`, images: [] },
      };
    }
    const stop = new AbortController();
    this.#running.add(stop);
    let current = io;
    let round = Promise.withResolvers<Round>();
    /** The next request's turn. A request that was answered cannot cancel any more, even if its connection ends. */
    const turn = (next: RequestIo): Promise<Round> => {
      const abort = () => stop.abort();
      current = next;
      round = Promise.withResolvers<Round>();
      next.signal.addEventListener("abort", abort);
      if (next.signal.aborted) abort();
      return round.promise.finally(() => next.signal.removeEventListener("abort", abort));
    };
    const first = turn(io);

    const asker: Asker = (asks, signal) => {
      const answers = Promise.withResolvers<readonly Answer[]>();
      const state = randomUUID();
      const late = setTimeout(() => stop.abort(), answerWithinMs);
      late.unref();
      const close = () => {
        clearTimeout(late);
        this.#open.delete(state);
      };
      signal.addEventListener("abort", close, { once: true });
      this.#open.set(state, {
        state,
        asks,
        call,
        answer: (given, next) => {
          close();
          const result = turn(next);
          answers.resolve(given);
          return result;
        },
      });
      round.resolve({ question: { state, asks } });
      return answers.promise;
    };

    const progress: Progress = (...news) => current.progress(...news);
    begin({ asker, progress, signal: stop.signal })
      .then(
        (outcome) => round.resolve({ outcome }),
        (error: unknown) => round.reject(error),
      )
      .finally(() => this.#running.delete(stop));
    return first;
  }

  open(state: string): Open | undefined {
    return this.#open.get(state);
  }

  /** Nobody can answer any more: what still waits is stopped. */
  close(): void {
    for (const stop of this.#running) stop.abort();
  }
}
