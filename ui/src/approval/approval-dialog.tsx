import { useEffect, useRef, useState } from "react";
import type { AskView, QuestionView } from "../../../src/api/approvals.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { aboutCall } from "../parts/words.ts";
import { wordsOf } from "../server/api.ts";
import { useConnection } from "../server/use-server.ts";
import type { Draft } from "./ask-body.tsx";
import { CallForm } from "./call-form.tsx";
import { type Answer, useAnswers } from "./kept-answers.tsx";
import { QuestionForm } from "./question-form.tsx";

interface DialogProps {
  /** In the order in which they are shown. */
  requests: readonly (AskView | QuestionView)[];
  onLater(): void;
  onAnswered(): void;
}

/** All pending requests, one after the other; the requests of one step can be answered together. */
export function ApprovalDialog({ requests, onLater, onAnswered }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const shown = requests.find(({ id }) => id === chosen) ?? requests[0];
  const ask = shown && !isQuestion(shown) ? shown : undefined;
  const question = shown && isQuestion(shown) ? shown : undefined;

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
      {requests.length > 1 && (
        <nav className="queue" aria-label="Open requests">
          {requests.map((one, at) => (
            <button
              type="button"
              key={one.id}
              ref={one === shown ? bringIntoView : undefined}
              aria-current={one === shown ? "true" : undefined}
              onClick={() => setChosen(one.id)}
            >
              {at + 1}. {isQuestion(one) ? `${one.server} asks` : one.tool}{" "}
              <span>{isQuestion(one) ? "" : aboutCall(one.args)}</span>
              {one.chat?.owner !== undefined && <span>{` · ${visible(one.chat.owner)}`}</span>}
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
          together={requests.filter((one): one is AskView => !isQuestion(one) && one.stepId === ask.stepId)}
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

function isQuestion(one: AskView | QuestionView): one is QuestionView {
  return "schema" in one;
}

function bringIntoView(button: HTMLElement | null): void {
  button?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
