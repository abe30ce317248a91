import { useEffect, useRef, useState } from "react";
import type { QuestionAnswer, QuestionView } from "../../../src/api/approvals.ts";
import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { visible } from "../parts/visible.ts";
import { emptyForm, type Field, fieldsOf, inputOf } from "../tools/form.ts";
import { FormFields } from "../tools/form-fields.tsx";
import { WhoseChat } from "./whose-chat.tsx";

interface QuestionProps {
  question: QuestionView;
  busy: boolean;
  onAnswer(answer: QuestionAnswer): void;
  onLater(): void;
}

/** Each field of the agent's is one of its questions: that is its label. */
function asAsked(fields: readonly Field[]): Field[] {
  return fields.map((field) => ({ ...field, title: field.description || field.title, description: "" }));
}

/** A question of the agent or of an MCP server, marked as its words. */
export function QuestionForm({ question, busy, onAnswer, onLater }: QuestionProps) {
  const isOfAgent = question.server === "The agent";
  const fields = isOfAgent ? asAsked(fieldsOf(question.schema)) : fieldsOf(question.schema);
  const [form, setForm] = useState(() => emptyForm(fields));
  const [problem, setProblem] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const answer = () => {
    try {
      const content = inputOf(fields, form) as Extract<QuestionAnswer, { action: "accept" }>["content"];
      onAnswer({ action: "accept", content });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form
      className="question"
      onSubmit={(event) => {
        event.preventDefault();
        answer();
      }}
    >
      <header>
        <span className="approval-icon">
          <Icon name="chat" size={18} />
        </span>
        <div>
          <h2 id="approval-title" ref={heading} tabIndex={-1}>
            {question.server} asks
          </h2>
          <p>
            {question.chat && (
              <>
                In <strong>{visible(question.chat.title) || "a chat"}</strong>
                <WhoseChat chat={question.chat} />.{" "}
              </>
            )}
            {isOfAgent
              ? "It is waiting for your answer. If you decline, it decides without you."
              : "An MCP server asks this before it continues. Do not enter anything that it does not need."}
          </p>
        </div>
        <button type="button" className="quiet" onClick={onLater} aria-label="Decide later">
          <Icon name="cross" />
        </button>
      </header>
      <div className="ask-body">
        {!isOfAgent && <blockquote>{question.message}</blockquote>}
        {fields.length > 0 && (
          <div className="form card">
            <FormFields fields={fields} form={form} onForm={setForm} asButtons />
          </div>
        )}
        {problem && <Problem>{problem}</Problem>}
      </div>
      <footer className="ask-footer">
        <span className="grow" />
        <button type="button" disabled={busy} onClick={() => onAnswer({ action: "decline" })}>
          Decline
        </button>
        <button type="submit" className="primary" disabled={busy}>
          {fields.length > 0 ? "Answer" : "Agree"}
        </button>
      </footer>
    </form>
  );
}
