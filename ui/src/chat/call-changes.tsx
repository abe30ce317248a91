import { createContext, useContext, useMemo, useState } from "react";
import type { CallChangeView, CallView, ToolError } from "../../../src/api/api.ts";
import { Conflict } from "../changes/conflict.tsx";
import { Problem } from "../parts/feedback.tsx";
import { send, wordsOf } from "../server/api.ts";
import { useFetched } from "../server/use-server.ts";

interface SessionChanges {
  session: string;
  changes: readonly CallChangeView[];
  again(): void;
}

const none: readonly CallChangeView[] = [];
const SessionChangesContext = createContext<SessionChanges | undefined>(undefined);
export const SessionChangesProvider = SessionChangesContext.Provider;

/** What the calls of a session changed, and whether it is undone by now; wherever that was done. */
export function useSessionChanges(session: string): SessionChanges {
  const { data: changes = none, again } = useFetched<readonly CallChangeView[]>(
    `/sessions/${session}/changes`,
    "files-change",
  );
  // The same value while nothing changed: every card looks at it, and words come by the dozen.
  return useMemo(() => ({ session, changes, again }), [session, changes, again]);
}

/** What one call changed, and how to turn it over. */
export function useCallChange(callId: string | undefined) {
  const known = useContext(SessionChangesContext);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<ToolError>();
  const [problem, setProblem] = useState<string>();
  const mine = known?.changes.filter((change) => change.callId === callId) ?? [];
  const turn = mine.some(({ state }) => state === "done") ? ("undo" as const) : ("redo" as const);
  const ids = mine.filter(({ state }) => (state === "done") === (turn === "undo")).map(({ id }) => id);

  /** Shown and approved like any other change: the dialog with what would be restored opens by itself. */
  const reverse = async (takeAlong: readonly string[] = []) => {
    setBusy(true);
    setRefused(undefined);
    setProblem(undefined);
    try {
      const body = { tool: turn, changeId: [...ids, ...takeAlong] };
      const { result } = await send<CallView>(`/sessions/${known?.session}/reverse`, body);
      if (!result.ok && result.error.code !== "APPROVAL_DENIED") setRefused(result.error);
    } catch (error) {
      setProblem(wordsOf(error));
    }
    setBusy(false);
    known?.again();
  };
  return { turn: ids.length > 0 ? turn : undefined, busy, refused, problem, reverse };
}

type CallChange = ReturnType<typeof useCallChange>;

/** Why it could not be turned over. */
export function ReversalRefused({ change }: { change: CallChange }) {
  const { turn = "undo", refused, problem, reverse } = change;
  return (
    <>
      {problem && <Problem>{problem}</Problem>}
      {refused && (
        <Conflict
          error={refused}
          takeAlong={turn === "undo" ? "Undo" : "Redo"}
          onTakeAlong={(ids) => void reverse(ids)}
        />
      )}
    </>
  );
}
