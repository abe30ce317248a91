import { AsyncLocalStorage } from "node:async_hooks";

interface CurrentCall {
  readonly id: string;
  readonly session: string;
}

/** For parts that all sessions share, such as the web and telemetry: the call under way; undefined where none is known. */
const current = new AsyncLocalStorage<CurrentCall>();

export function currentCall(): CurrentCall | undefined {
  return current.getStore();
}

export function currentSession(): string | undefined {
  return current.getStore()?.session;
}

export function asCall<T>(call: CurrentCall, work: () => T): T {
  return current.run(call, work);
}
