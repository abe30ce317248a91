import { useEffect, useRef, useState } from "react";
import type { PageEvent, SessionView, WieldEvent } from "../../../src/events/api.ts";
import { get, wordsOf } from "../server/api.ts";
import { useStream } from "../server/use-server.ts";
import { emptyTranscript, fold, type Transcript } from "./transcript.ts";

export interface ShownSession {
  transcript: Transcript;
  /** An earlier process left it in the midst of a run. */
  unfinished: boolean;
  error: string | undefined;
}

const houseEvents: ReadonlySet<PageEvent["type"]> = new Set([
  "approvals-change",
  "sessions-change",
  "settings-change",
  "resync",
]);

/** A session from its beginning, then live. Events that come faster than the screen changes are folded together. */
export function useSession(id: string | undefined): ShownSession {
  const stream = useStream();
  const [shown, setShown] = useState<ShownSession>({
    transcript: emptyTranscript,
    unfinished: false,
    error: undefined,
  });
  const [turn, setTurn] = useState(0);
  /** Heard, and not shown yet. */
  const pending = useRef<WieldEvent[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn means to fetch again
  useEffect(() => {
    if (id === undefined) return;
    const left = new AbortController();
    get<SessionView>(`/sessions/${id}`, left.signal).then(
      ({ events, cursor, unfinished, session }) => {
        // The events so far hold these already.
        pending.current = [];
        const folded = events.reduce(fold, emptyTranscript);
        const transcript = { ...folded, running: session.running };
        setShown({ transcript, unfinished, error: undefined });
        stream.follow(id, cursor);
      },
      (error: unknown) => {
        if (!left.signal.aborted) setShown((known) => ({ ...known, error: wordsOf(error) }));
      },
    );
    return () => left.abort();
  }, [id, stream, turn]);

  useEffect(() => {
    if (id === undefined) return;
    let frame: ReturnType<typeof setTimeout> | undefined;
    const apply = () => {
      const events = pending.current;
      pending.current = [];
      frame = undefined;
      setShown((known) => ({
        ...known,
        unfinished: known.unfinished && !events.some(({ type }) => type === "run-start"),
        transcript: events.reduce(fold, known.transcript),
      }));
    };
    const stop = stream.listen((event) => {
      if (event.type === "resync") setTurn((now) => now + 1);
      if (houseEvents.has(event.type)) return;
      if ("session" in event && event.session !== id) return;
      pending.current.push(event as WieldEvent);
      // Not a frame: a tab in the background has none, and must not fall behind.
      frame ??= setTimeout(apply, 30);
    });
    return () => {
      stop();
      clearTimeout(frame);
    };
  }, [id, stream]);

  return shown;
}
