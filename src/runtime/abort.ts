import { Failure } from "../failure/failure.ts";
import type { Tool } from "../tool/tool.ts";

/** Created once: an abort without a reason creates an exception with a stack trace each time. */
export const callEnded = new Failure("ABORTED", "The call is over.");

/** The only place for timeouts: once a signal fired, the caller gets the matching failure, whatever the work throws. */
export async function withDeadline<T>(
  tool: Tool,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (caller.aborted) throw stopped(tool);
  // One signal for both: `AbortSignal.any` costs several times as much.
  const over = new AbortController();
  const { signal } = over;
  const stop = () => over.abort(caller.reason);
  caller.addEventListener("abort", stop, { once: true });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    over.abort();
  }, tool.timeoutMs);
  try {
    return await work(signal);
  } catch (error) {
    if (caller.aborted) throw stopped(tool);
    if (late) {
      const seconds = tool.timeoutMs / 1000;
      throw new Failure(
        "TIMEOUT",
        `${tool.name} took longer than ${seconds} s and was stopped. Narrow the call and try again.`,
      );
    }
    throw error;
  } finally {
    clearTimeout(timer);
    caller.removeEventListener("abort", stop);
    // Anything the tool left running loses access to the workspace.
    over.abort(callEnded);
  }
}

function stopped({ name }: Tool): Failure {
  return new Failure("ABORTED", `${name} was stopped before it finished.`);
}

/** The promise, or a rejection as soon as the signal fires: work that ignores its signal cannot block the call. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(new Failure("ABORTED", "The call was stopped."));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([promise, stopped.promise]).finally(() => signal.removeEventListener("abort", stop));
}
