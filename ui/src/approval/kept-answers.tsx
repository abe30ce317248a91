import { createContext, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { AskAnswer } from "../../../src/api/approvals.ts";
import { isUnreachable, RequestError, send, wordsOf } from "../server/api.ts";
import { useStream } from "../server/use-server.ts";

/** A person's answer to a request. */
export interface Answer {
  /** The id of the request. */
  id: string;
  /** What the person decided, in words. */
  words: string;
  path: string;
  body: unknown;
  /** Of an approval request: it stays pending under this id if its process ended before it was answered. */
  callId?: string;
  /** Of an approval request: what was shown. */
  version?: string;
}

interface KeptAnswers {
  /** Answers that wait for the server. */
  kept: readonly Answer[];
  /** What became of kept answers that could not be used. */
  notes: readonly string[];
  /** Sends answers, and keeps those that do not reach the server. Rejects if the server refuses one. */
  give(answers: readonly Answer[]): Promise<void>;
  keep(answer: Answer): void;
  takeBack(id: string): void;
  dismiss(note: string): void;
}

/** Milliseconds between attempts while the connection seems to be open. */
const retryMs = 2000;

const KeptAnswersContext = createContext<KeptAnswers | undefined>(undefined);
export const KeptAnswersProvider = KeptAnswersContext.Provider;

export function useAnswers(): KeptAnswers {
  const answers = useContext(KeptAnswersContext);
  if (!answers) throw new Error("no answers around this component");
  return answers;
}

/** Answers given while the server is gone: they are sent when it is back. */
export function useKeptAnswers(onSent: () => void): KeptAnswers {
  const stream = useStream();
  const [kept, setKept] = useState<readonly Answer[]>([]);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const waiting = useRef(kept);
  const change = useCallback((answers: readonly Answer[]) => {
    waiting.current = answers;
    setKept(answers);
  }, []);
  const keep = useCallback(
    (answer: Answer) => change([...waiting.current.filter(({ id }) => id !== answer.id), answer]),
    [change],
  );
  const drop = useCallback(
    (gone: string) => change(waiting.current.filter(({ id }) => id !== gone)),
    [change],
  );

  const isSending = useRef(false);
  const isWaiting = kept.length > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const sendAll = async () => {
      if (stream.connection !== "open" || isSending.current) return;
      isSending.current = true;
      for (const answer of waiting.current) {
        try {
          await sendLate(answer);
        } catch (error) {
          if (isUnreachable(error)) continue;
          setNotes((known) => [...known, `${answer.words}: ${wordsOf(error)}`]);
        }
        drop(answer.id);
        onSent();
      }
      isSending.current = false;
    };
    const timer = setInterval(() => void sendAll(), retryMs);
    const unwatch = stream.watchConnection(() => void sendAll());
    return () => {
      clearInterval(timer);
      unwatch();
    };
  }, [isWaiting, stream, drop, onSent]);

  const give = async (answers: readonly Answer[]) => {
    for (const answer of answers) {
      try {
        await send(answer.path, answer.body);
      } catch (error) {
        if (isUnreachable(error)) keep(answer);
        else if (!isGone(error)) throw error;
      }
    }
  };
  const dismiss = (note: string) => setNotes((known) => known.filter((each) => each !== note));
  return { kept, notes, give, keep, takeBack: drop, dismiss };
}

/** The server was gone: it may be another process by now, to which the request was left. */
async function sendLate({ path, body, callId, version }: Answer): Promise<void> {
  try {
    await send(path, body);
  } catch (error) {
    if (!isGone(error)) throw error;
    if (callId === undefined) throw new Error("It was not used: the question is no longer open.");
    const { approved, reason, contents, modifiedArgs } = body as AskAnswer;
    if (contents ?? modifiedArgs)
      throw new Error(
        "It was not used, since Wield was restarted and your edited version belongs to the earlier request. If it is still pending, you find it under Changes.",
      );
    await send(`/approvals/left/${callId}`, { approved, version, ...(reason && { reason }) }).catch(
      (late: unknown) => {
        if (!isGone(late)) throw late;
        throw new Error(
          "It was not used: the request was withdrawn, answered elsewhere or has changed since. If a run stopped, continue it in its chat.",
        );
      },
    );
  }
}

/** The request is no longer pending. */
function isGone(error: unknown): boolean {
  return error instanceof RequestError && error.status === 409;
}

/** What waits to be sent, and what could not be used. */
export function KeptAnswersView() {
  const { kept, notes, takeBack, dismiss } = useAnswers();
  return (
    <>
      {kept.map(({ id, words }) => (
        <p key={id} className="banner row" role="status">
          <span className="grow">Your answer is kept and will be sent when Wield is back: {words}</span>
          <button type="button" className="small" onClick={() => takeBack(id)}>
            Take back
          </button>
        </p>
      ))}
      {notes.map((note) => (
        <p key={note} className="banner row" role="status">
          <span className="grow">{note}</span>
          <button type="button" className="small" onClick={() => dismiss(note)}>
            Dismiss
          </button>
        </p>
      ))}
    </>
  );
}
