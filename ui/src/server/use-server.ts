import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { PageEvent } from "../../../src/api/api.ts";
import { get, wordsOf } from "./api.ts";
import type { Connection, Stream } from "./stream.ts";

export const StreamContext = createContext<Stream | undefined>(undefined);

export function useStream(): Stream {
  const stream = useContext(StreamContext);
  if (!stream) throw new Error("no stream around this component");
  return stream;
}

export function useConnection(): Connection {
  const stream = useStream();
  return useSyncExternalStore(stream.watchConnection, () => stream.connection);
}

/** Why the connection is lost, if the server says so. */
export function useWhyLost(): string | undefined {
  const stream = useStream();
  return useSyncExternalStore(stream.watchConnection, () => stream.why);
}

export interface Fetched<T> {
  data: T | undefined;
  error: string | undefined;
  again(): void;
}

/** Data from a path, fetched again when one of these events arrives. */
export function useFetched<T>(path: string, ...changes: PageEvent["type"][]): Fetched<T> {
  const stream = useStream();
  const [state, setState] = useState<{ path: string; data?: T; error?: string }>({ path });
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((now) => now + 1), []);
  const watched = useRef(changes);

  useEffect(
    () =>
      stream.listen(({ type }) => {
        if (type === "resync" || watched.current.includes(type)) again();
      }),
    [stream, again],
  );
  // Fetched again on connect: events between the first response and the connection were missed.
  useEffect(
    () =>
      stream.watchConnection(() => {
        if (stream.connection === "open") again();
      }),
    [stream, again],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn triggers a fetch
  useEffect(() => {
    const left = new AbortController();
    get<T>(path, left.signal).then(
      (data) => setState({ path, data }),
      (error: unknown) => {
        if (!left.signal.aborted) setState((known) => ({ ...known, path, error: wordsOf(error) }));
      },
    );
    return () => left.abort();
  }, [path, turn]);

  const current = state.path === path ? state : undefined;
  return { data: current?.data ?? (state.data as T | undefined), error: current?.error, again };
}
