import { randomUUID } from "node:crypto";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { fail } from "../tool/result.ts";
import type { FormAnswer } from "./approval-form.ts";
import type { HostOutcome, Progress } from "./host.ts";

/** A request ends with the call's outcome, or with a question that the next request answers. */
export type Round = { outcome: HostOutcome } | { question: Question };

/** A form that the client shows to its person. */
export interface Form {
  id: string;
  params: ElicitRequestFormParams;
}

/** Shows forms, all at once; the answers are in their order. */
export type ShowForms = (forms: readonly Form[], signal: AbortSignal) => Promise<readonly FormAnswer[]>;

export interface Question {
  /** Unguessable, valid for one answer. */
  state: string;
  forms: readonly Form[];
}

/** Cancellation and progress of one request. */
export interface RequestIo {
  signal: AbortSignal;
  progress: Progress;
}

type Begin = (given: RequestIo, show: ShowForms) => Promise<HostOutcome>;

interface Open extends Question {
  /** The call that this belongs to: an answer is valid for no other. */
  call: string;
  answer(answers: readonly FormAnswer[], io: RequestIo): Promise<Round>;
}

const answerWithinMs = 10 * 60_000;
const maxOpen = 100;

/**
 * Calls that wait for a person between two requests of a client without a standing connection. The call stays here, prepared
 * but not approved; only a random id of its question travels, so there is nothing to forge or replay.
 */
export class HeldCalls {
  readonly #open = new Map<string, Open>();
  readonly #running = new Set<AbortController>();

  async start(call: string, begin: Begin, io: RequestIo): Promise<Round> {
    if (this.#open.size >= maxOpen) {
      const text = `${maxOpen} calls are already waiting for approval. Answer them, then call again.`;
      return {
        outcome: { result: fail("LIMIT_EXCEEDED", text), text: `LIMIT_EXCEEDED: ${text}`, images: [] },
      };
    }
    const stop = new AbortController();
    this.#running.add(stop);
    let current = io;
    let round = Promise.withResolvers<Round>();
    /** Continues with the next request. A request that was answered can no longer cancel the call, even if its connection closes. */
    const turn = (next: RequestIo): Promise<Round> => {
      const abort = () => stop.abort();
      current = next;
      round = Promise.withResolvers<Round>();
      next.signal.addEventListener("abort", abort);
      if (next.signal.aborted) abort();
      return round.promise.finally(() => next.signal.removeEventListener("abort", abort));
    };
    const first = turn(io);

    const show: ShowForms = async (forms, signal) => {
      // A signal that fired already fires no event: the question would stay open until it is too old.
      signal.throwIfAborted();
      const answers = Promise.withResolvers<readonly FormAnswer[]>();
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
        forms,
        call,
        answer: (given, next) => {
          close();
          const result = turn(next);
          answers.resolve(given);
          return result;
        },
      });
      round.resolve({ question: { state, forms } });
      return answers.promise;
    };

    const progress: Progress = (...news) => current.progress(...news);
    begin({ progress, signal: stop.signal }, show)
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

  /** Aborts all waiting calls: nobody can answer any more. */
  close(): void {
    for (const stop of this.#running) stop.abort();
  }
}
