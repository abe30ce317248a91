import { useEffect, useRef, useState } from "react";
import type { QueuedView } from "../../../src/api/api.ts";
import { Icon } from "../parts/icon.tsx";
import { mentionId, useMention } from "./mention.ts";
import { ModelChoice } from "./model-choice.tsx";
import { QueueView } from "./queue-view.tsx";

/** Which agent, and how thorough it is where that can be said. */
export interface Mode {
  kind: "coding" | "explore";
  thoroughness: (typeof thoroughnesses)[number]["value"];
}

const thoroughnesses = [
  { value: "quick", words: "Quick, 15 steps" },
  { value: "medium", words: "Medium, 40 steps" },
  { value: "thorough", words: "Thorough, 100 steps" },
] as const;

export const standardMode: Mode = { kind: "coding", thoroughness: "medium" };

interface ComposerProps {
  text: string;
  onText(change: (text: string) => string): void;
  /** Something waits for an answer, and shows itself when nobody is in the midst of a message. */
  asked: boolean;
  onWriting(writing: boolean): void;
  /** What is sent meanwhile waits for its turn. */
  running: boolean;
  queued?: readonly QueuedView[];
  onTakeBack?(message: QueuedView): Promise<unknown>;
  mode: Mode;
  onMode(mode: Mode): void;
  /** Which one answers; fails where it cannot be chosen. */
  model: string;
  onModel(name: string): Promise<unknown>;
  /** The session has begun, its agent stays. */
  begun: boolean;
  /** True when it was taken. */
  onSend(text: string): Promise<boolean>;
  onStop(): void;
}

const kinds: readonly { kind: Mode["kind"]; label: string; hint: string }[] = [
  { kind: "coding", label: "Code", hint: "Reads and proposes changes; you approve them" },
  { kind: "explore", label: "Explore", hint: "Only looks, and answers with a report" },
];

export function Composer(props: ComposerProps) {
  const { text, onText, running, queued = [], onTakeBack, mode, onMode, begun, onSend, onStop } = props;
  const { model, onModel, asked, onWriting } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { paths, chosen, take, onKey } = useMention(field, text, (now) => onText(() => now));

  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field grows with its text
  useEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, 240)}px`;
  }, [text]);

  /** With their own hands, since they came here: what was kept from before does not count. */
  const [typing, setTyping] = useState(false);
  const writing = typing && text !== "";
  useEffect(() => {
    onWriting(writing);
    return () => onWriting(false);
  }, [writing, onWriting]);

  const submit = async () => {
    const said = text.trim();
    if (said === "") return;
    onText(() => "");
    if (!(await onSend(said))) onText((now) => before(said, now));
  };
  const takeBack = async (message: QueuedView) => {
    await onTakeBack?.(message);
    field.current?.focus();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <QueueView queued={queued} onTakeBack={(message) => void takeBack(message)} />
      {paths.length > 0 && (
        <div className="mentions" id="mentions" role="listbox" aria-label="Files">
          {paths.map((path, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the focus and the keys stay in the field
            <div
              key={path}
              id={mentionId(at)}
              role="option"
              tabIndex={-1}
              aria-selected={at === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(path)}
            >
              {path}
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={field}
        rows={1}
        value={text}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={paths.length > 0 ? "mentions" : undefined}
        aria-activedescendant={paths.length > 0 ? mentionId(chosen) : undefined}
        placeholder={
          running ? "What you write now is sent next" : "Ask about this folder, or say what to change"
        }
        onChange={({ target }) => {
          setTyping(true);
          onText(() => target.value);
        }}
        onBlur={() => setTyping(false)}
        onKeyDown={(event) => {
          if (onKey(event)) return;
          if (event.key === "Escape" && running) onStop();
          const last = queued.at(-1);
          if (event.key === "ArrowUp" && text === "" && last) void takeBack(last);
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void submit();
        }}
      />
      {asked && writing && (
        <p className="asked" role="status">
          Something waits for your approval. It is shown when this is sent, or when you leave the field.
        </p>
      )}
      <div className="composer-row">
        {begun ? (
          <span className="faint keys">
            {running
              ? `Enter sends it next, ${queued.length > 0 && text === "" ? "↑ takes it back, " : ""}Esc stops the agent`
              : "Enter sends, Shift+Enter breaks the line, @ names a file"}
          </span>
        ) : (
          <fieldset className="segments">
            <legend className="unseen">What the agent may do</legend>
            {kinds.map(({ kind, label, hint }) => (
              <label key={kind} title={hint}>
                <input
                  type="radio"
                  name="mode"
                  checked={mode.kind === kind}
                  onChange={() => onMode({ ...mode, kind })}
                />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        {mode.kind === "explore" && (
          <select
            className="small"
            aria-label="How thorough"
            value={mode.thoroughness}
            onChange={(event) =>
              onMode({ ...mode, thoroughness: event.target.value as Mode["thoroughness"] })
            }
          >
            {thoroughnesses.map(({ value, words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        )}
        <div className="row">
          <ModelChoice model={model} onChoose={onModel} />
          {(!running || text.trim() !== "") && (
            <button
              type="submit"
              className="round primary"
              disabled={text.trim() === ""}
              aria-label={running ? "Send next" : "Send"}
            >
              <Icon name="send" />
            </button>
          )}
          {running && (
            <button type="button" className="round" onClick={onStop} aria-label="Stop">
              <Icon name="stop" />
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

/** What was not sent, in front of what was written since. */
export function before(unsent: string, text: string): string {
  return text === "" ? unsent : `${unsent}\n${text}`;
}
