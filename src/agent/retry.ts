import { APICallError } from "ai";
import type { Clock } from "./clock.ts";
import type { ModelReply } from "./model-step.ts";

const attempts = 4;
const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/** Asks again when the provider is overloaded or the line broke, waiting longer each time; other errors are final. */
export async function withRetries(
  ask: () => Promise<ModelReply>,
  clock: Clock,
  signal: AbortSignal,
  onRetry: (reason: string, waitMs: number) => void,
): Promise<ModelReply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === attempts || !isPassing(error)) throw error;
      const waitMs = Math.min(longestWaitMs, askedToWait(error) ?? firstWaitMs * 2 ** (attempt - 1));
      onRetry(messageOf(error), waitMs);
      await clock.wait(waitMs, signal);
    }
  }
}

/** Whether the same request may succeed later. What broke without a word from the provider was the line. */
function isPassing(error: unknown): boolean {
  if (error !== null && typeof error === "object" && "isRetryable" in error)
    return error.isRetryable === true;
  return !APICallError.isInstance(error) && !isOurs(error);
}

/** Errors of the request itself: a prompt or a schema that cannot be sent is not cured by waiting. */
function isOurs(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^AI_(?!APICall|Retry|NoOutput|EmptyResponse|JSONParse|TypeValidation)/.test(error.name)
  );
}

function askedToWait(error: unknown): number | undefined {
  const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
  const seconds = Number(headers?.["retry-after"]);
  const ms = Number(headers?.["retry-after-ms"]);
  return ms > 0 ? ms : seconds > 0 ? seconds * 1000 : undefined;
}

export function messageOf(error: unknown): string {
  if (APICallError.isInstance(error))
    return `${error.message}${error.statusCode ? ` (HTTP ${error.statusCode})` : ""}`;
  return error instanceof Error ? error.message : JSON.stringify(error);
}
