import { AsyncLocalStorage } from "node:async_hooks";

/** For parts that all sessions share, such as the web: the session whose call is under way; undefined where none is known. */
const current = new AsyncLocalStorage<string>();

export function currentSession(): string | undefined {
  return current.getStore();
}

export function asSession<T>(session: string, work: () => T): T {
  return current.run(session, work);
}
