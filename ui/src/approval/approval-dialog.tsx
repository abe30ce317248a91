import { useEffect, useRef, useState } from "react";
import type { AskView, QuestionView } from "../../../src/api/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { aboutCall } from "../parts/words.ts";
import { RequestError, send, wordsOf } from "../server/api.ts";
import type { Draft } from "./ask-body.tsx";
import { CallForm } from "./call-form.tsx";
import { QuestionForm } from "./question-form.tsx";

interface DialogProps {
  asks: readonly AskView[];
  questions: readonly QuestionView[];
  onLater(): void;
  onAnswered(): void;
}

/** All pending requests, one after the other; the requests of one step can be answered together. */
export function ApprovalDialog({ asks, questions, onLater, onAnswered }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const ids = [...asks, ...questions].map(({ id }) => id);
  const shown = ids.find((id) => id === chosen) ?? ids[0];
  const ask = asks.find(({ id }) => id === shown);
  const question = questions.find(({ id }) => id === shown);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const answer = async (answers: readonly { path: string; body: unknown }[]) => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const { path, body } of answers) await send(path, body);
    } catch (error) {
      const gone = error instanceof RequestError && error.status === 409;
      setProblem(gone ? undefined : wordsOf(error));
    }
    setBusy(false);
    onAnswered();
  };
  return (
    <dialog
      ref={dialog}
      className="approval"
      aria-labelledby="approval-title"
      onCancel={(event) => {
        event.preventDefault();
        onLater();
      }}
    >
      {ids.length > 1 && (
        <nav className="queue" aria-label="Open questions">
          {[
            ...asks.map(({ id, tool, args }) => ({ id, name: tool, about: aboutCall(args) })),
            ...questions.map(({ id, server }) => ({ id, name: `${server} asks`, about: "" })),
          ].map(({ id, name, about }, at) => (
            <button
              type="button"
              key={id}
              ref={id === shown ? bringIntoView : undefined}
              aria-current={id === shown ? "true" : undefined}
              onClick={() => setChosen(id)}
            >
              {at + 1}. {name} <span>{about}</span>
            </button>
          ))}
        </nav>
      )}
      {problem && <Problem>{problem}</Problem>}
      {ask && (
        <CallForm
          key={ask.id}
          ask={ask}
          together={asks.filter(({ stepId }) => stepId === ask.stepId)}
          drafts={drafts}
          onDraft={(id, draft) => setDrafts((known) => ({ ...known, [id]: draft }))}
          busy={busy}
          onAnswer={(answers) =>
            void answer(answers.map(([{ id }, body]) => ({ path: `/approvals/${id}`, body })))
          }
          onLater={onLater}
        />
      )}
      {question && (
        <QuestionForm
          key={question.id}
          question={question}
          busy={busy}
          onAnswer={(body) => void answer([{ path: `/questions/${question.id}`, body }])}
          onLater={onLater}
        />
      )}
    </dialog>
  );
}

function bringIntoView(button: HTMLElement | null): void {
  button?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
