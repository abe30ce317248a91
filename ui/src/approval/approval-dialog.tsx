import { useEffect, useRef, useState } from "react";
import type { AskView, QuestionView } from "../../../src/api/approvals.ts";
import { Problem } from "../parts/feedback.tsx";
import { aboutCall } from "../parts/words.ts";
import { wordsOf } from "../server/api.ts";
import { useConnection } from "../server/use-server.ts";
import type { Draft } from "./ask-body.tsx";
import { CallForm } from "./call-form.tsx";
import { type Answer, useAnswers } from "./kept-answers.tsx";
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

  const { give } = useAnswers();
  const connection = useConnection();
  const answer = async (answers: readonly Answer[]) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await give(answers);
    } catch (error) {
      setProblem(wordsOf(error));
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
        <nav className="queue" aria-label="Open requests">
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
      {connection === "lost" && (
        <p className="banner" role="status">
          Wield is not reachable. If you answer now, your answer is kept and sent when Wield is back.
        </p>
      )}
      {ask && (
        <CallForm
          key={ask.id}
          ask={ask}
          together={asks.filter(({ stepId }) => stepId === ask.stepId)}
          drafts={drafts}
          onDraft={(id, draft) => setDrafts((known) => ({ ...known, [id]: draft }))}
          busy={busy}
          onAnswer={(answers) =>
            void answer(
              answers.map(([{ id, callId, version, tool, args }, body]) => ({
                ...{ id, callId, version, path: `/approvals/${id}`, body },
                words: `${body.approved ? "approve" : "deny"} ${tool} ${aboutCall(args)}`.trimEnd(),
              })),
            )
          }
          onLater={onLater}
        />
      )}
      {question && (
        <QuestionForm
          key={question.id}
          question={question}
          busy={busy}
          onAnswer={(body) => {
            const { id, server } = question;
            const words = `${body.action === "accept" ? "answer" : "decline"} the question of ${server}`;
            void answer([{ id, words, path: `/questions/${id}`, body }]);
          }}
          onLater={onLater}
        />
      )}
    </dialog>
  );
}

function bringIntoView(button: HTMLElement | null): void {
  button?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
