import { useEffect, useRef, useState } from "react";
import type { AskAnswer, AskView } from "../../../src/events/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { RequestError, send, wordsOf } from "../server/api.ts";
import { AskBody, type Draft } from "./ask-body.tsx";
import { AskFooter } from "./ask-footer.tsx";

interface DialogProps {
  asks: readonly AskView[];
  onLater(): void;
  onAnswered(): void;
}

/** The open questions, step by step: what a step asks together is shown and may be answered together. */
export function ApprovalDialog({ asks, onLater, onAnswered }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const ask = asks.find(({ id }) => id === chosen) ?? asks[0];
  const together = asks.filter(({ stepId }) => stepId === ask?.stepId);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const shown = ask?.id;
  useEffect(() => {
    // What is asked is read first, and no stray key answers it.
    if (shown !== undefined) heading.current?.focus();
  }, [shown]);

  if (!ask) return null;
  const answer = async (answers: readonly (readonly [AskView, AskAnswer])[]) => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const [each, given] of answers) await send(`/approvals/${each.id}`, given);
    } catch (error) {
      const gone = error instanceof RequestError && error.status === 409;
      setProblem(gone ? undefined : wordsOf(error));
    }
    setBusy(false);
    onAnswered();
  };
  const approve = (remember: AskAnswer["remember"]) =>
    answer([[ask, { approved: true, ...edited(drafts[ask.id]), ...(remember && { remember }) }]]);

  return (
    <dialog
      ref={dialog}
      className="approval"
      aria-labelledby="approval-title"
      onCancel={(event) => {
        event.preventDefault();
        onLater();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !busy) void approve(undefined);
      }}
    >
      <header>
        <span className="approval-icon">
          <Icon name="shield" size={18} />
        </span>
        <div>
          <h2 id="approval-title" ref={heading} tabIndex={-1}>
            {ask.title}
          </h2>
          <p>{ask.reason}</p>
        </div>
        <button type="button" className="quiet" onClick={onLater} aria-label="Decide later">
          <Icon name="cross" />
        </button>
      </header>
      {asks.length > 1 && (
        <nav className="queue" aria-label="Open questions">
          {asks.map((each, at) => (
            <button
              type="button"
              key={each.id}
              aria-current={each.id === ask.id ? "true" : undefined}
              onClick={() => setChosen(each.id)}
            >
              {at + 1}. {each.tool} <span>{each.files[0]?.path ?? ""}</span>
            </button>
          ))}
        </nav>
      )}
      {ask.again && <p className="banner">{ask.again}</p>}
      <AskBody
        key={ask.id}
        ask={ask}
        draft={drafts[ask.id] ?? {}}
        onDraft={(draft) => setDrafts((known) => ({ ...known, [ask.id]: draft }))}
      />
      {problem && <Problem>{problem}</Problem>}
      <AskFooter
        key={`${ask.id} answer`}
        ask={ask}
        together={together.length}
        edited={Object.keys(edited(drafts[ask.id])).length > 0}
        busy={busy}
        onApprove={(remember) => void approve(remember)}
        onApproveAll={() =>
          void answer(together.map((each) => [each, { approved: true, ...edited(drafts[each.id]) }]))
        }
        onDeny={(reason) => void answer([[ask, { approved: false, ...(reason && { reason }) }]])}
      />
    </dialog>
  );
}

/** What the person changed, as the server wants it. */
function edited({ contents = {}, args }: Draft = {}): Pick<AskAnswer, "contents" | "modifiedArgs"> {
  if (args !== undefined) return { modifiedArgs: args };
  return Object.keys(contents).length > 0 ? { contents } : {};
}
