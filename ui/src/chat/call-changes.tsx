import { createContext, useContext, useMemo, useState } from "react";
import type { CallChangeView, ChangeView } from "../../../src/api/changes.ts";
import type { CallView } from "../../../src/api/tools.ts";
import type { ToolError } from "../../../src/failure/failure.ts";
import { Conflict } from "../changes/conflict.tsx";
import { Diff } from "../parts/diff.tsx";
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

/** The changes of a session's calls and whether each is undone, wherever that happened. */
export function useSessionChanges(session: string): SessionChanges {
  const { data: changes = none, again } = useFetched<readonly CallChangeView[]>(
    `/sessions/${session}/changes`,
    "files-change",
  );
  // The same object while nothing changed: every card depends on it, and text arrives many times a second.
  return useMemo(() => ({ session, changes, again }), [session, changes, again]);
}

/** The changes of one call, and how to undo or redo them. */
export function useCallChange(callId: string | undefined) {
  const known = useContext(SessionChangesContext);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<ToolError>();
  const [problem, setProblem] = useState<string>();
  const mine = known?.changes.filter((change) => change.callId === callId) ?? [];
  const turn = mine.some(({ state }) => state === "done") ? ("undo" as const) : ("redo" as const);
  const ids = mine.filter(({ state }) => (state === "done") === (turn === "undo")).map(({ id }) => id);

  /** At once: nothing is lost by it, and it can be turned over again. */
  const reverse = async (include: readonly string[] = []) => {
    setBusy(true);
    setRefused(undefined);
    setProblem(undefined);
    try {
      const body = { tool: turn, changeId: [...ids, ...include] };
      const { result } = await send<CallView>(`/sessions/${known?.session}/reverse`, body);
      if (!result.ok && result.error.code !== "APPROVAL_DENIED") setRefused(result.error);
    } catch (error) {
      setProblem(wordsOf(error));
    }
    setBusy(false);
    known?.again();
  };
  const paths = new Set(mine.flatMap(({ files }) => files));
  const totals =
    mine.length > 0
      ? { files: paths.size, added: sum(mine, "added"), removed: sum(mine, "removed") }
      : undefined;
  return { turn: ids.length > 0 ? turn : undefined, totals, busy, refused, problem, reverse };
}

function sum(changes: readonly CallChangeView[], side: "added" | "removed"): number {
  return changes.reduce((total, change) => total + change[side], 0);
}

/** What a call changed, file by file. */
export function CallDiffs({ callId }: { callId: string }) {
  const known = useContext(SessionChangesContext);
  const { data = [], error } = useFetched<readonly ChangeView[]>(
    `/sessions/${known?.session}/changes/${callId}`,
  );
  return (
    <>
      {error && <Problem>{error}</Problem>}
      {data
        .flatMap(({ files }) => files)
        .map(({ path, diff }) => (
          <figure className="file-change" key={path}>
            <figcaption>{path}</figcaption>
            <Diff path={path} diff={diff} />
          </figure>
        ))}
    </>
  );
}

type CallChange = ReturnType<typeof useCallChange>;

/** Why it could not be undone or redone. */
export function ReversalRefused({ change }: { change: CallChange }) {
  const { turn = "undo", refused, problem, reverse } = change;
  return (
    <>
      {problem && <Problem>{problem}</Problem>}
      {refused && (
        <Conflict
          error={refused}
          include={turn === "undo" ? "Undo" : "Redo"}
          onInclude={(ids) => void reverse(ids)}
        />
      )}
    </>
  );
}
