import { APICallError } from "ai";
import { askedToWait, explainModelError } from "../model/model-error.ts";
import type { Clock } from "./clock.ts";
import type { ModelReply } from "./model-step.ts";

const attempts = 4;
const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/** Retries when the provider is overloaded or the connection broke, with growing waits; other errors are final. */
export async function withRetries(
  ask: () => Promise<ModelReply>,
  modelName: string,
  clock: Clock,
  signal: AbortSignal,
  onRetry: (reason: string, waitMs: number) => void,
): Promise<ModelReply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const reason = explainModelError(error, modelName);
      if (attempt === attempts || !isPassing(error)) throw new Error(reason, { cause: error });
      const waitMs = Math.min(longestWaitMs, askedToWait(error) ?? firstWaitMs * 2 ** (attempt - 1));
      onRetry(reason, waitMs);
      await clock.wait(waitMs, signal);
    }
  }
}

/** Whether the same request may succeed later. An error without a response was the connection. */
function isPassing(error: unknown): boolean {
  if (error !== null && typeof error === "object" && "isRetryable" in error)
    return error.isRetryable === true;
  return !APICallError.isInstance(error) && !isOurs(error);
}

/** Errors in the request itself, such as an invalid prompt or schema: waiting does not help. */
function isOurs(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^AI_(?!APICall|Retry|NoOutput|EmptyResponse|JSONParse|TypeValidation)/.test(error.name)
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}
