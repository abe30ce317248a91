import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ModeView, PermissionModeName, ProfileName, ProfileView } from "../../../src/api/api.ts";
import type { QueuedView } from "../../../src/api/sessions.ts";
import { Icon } from "../parts/icon.tsx";
import { type Attached, type Attachments, AttachmentsView } from "./attachments.tsx";
import { ModelChoice } from "./model-choice.tsx";
import { PermissionChoice } from "./permission-choice.tsx";
import { QueueView } from "./queue-view.tsx";
import { suggestionId, useSuggestions } from "./suggestions.ts";

/** The profile, and its thoroughness if it has one. */
export interface Mode {
  profile: ProfileName;
  thoroughness: (typeof thoroughnesses)[number]["value"];
}

const thoroughnesses = [
  { value: "quick", words: "Quick, 15 steps" },
  { value: "medium", words: "Medium, 40 steps" },
  { value: "thorough", words: "Thorough, 100 steps" },
] as const;

export const standardMode: Mode = { profile: "code", thoroughness: "medium" };

interface ComposerProps {
  attachments: Attachments;
  text: string;
  onText(change: (text: string) => string): void;
  /** A request is pending; it opens when no message is being written. */
  asked: boolean;
  onWriting(writing: boolean): void;
  /** Messages sent during the run are queued. */
  running: boolean;
  queued?: readonly QueuedView[];
  onWithdraw?(message: QueuedView): Promise<unknown>;
  profiles: readonly ProfileView[];
  mode: Mode;
  onMode(mode: Mode): void;
  permissions: readonly ModeView[];
  permission: PermissionModeName;
  onPermission(mode: PermissionModeName): void;
  /** Chooses the model; rejects if it is not available. */
  model: string;
  onModel(name: string): Promise<unknown>;
  /** The session has begun. */
  begun: boolean;
  /** True if the server accepted it. */
  onSend(text: string, attached: readonly Attached[]): Promise<boolean>;
  onStop(): void;
  /** After the profile. */
  choice?: ReactNode;
  /** Beside the model. */
  usage?: ReactNode;
  /** Sessions of a team work on a project. */
  ofTeam?: boolean;
}

export function Composer(props: ComposerProps) {
  const {
    text,
    onText,
    attachments,
    running,
    queued = [],
    onWithdraw,
    mode,
    onMode,
    begun,
    onSend,
    onStop,
  } = props;
  const { model, onModel, asked, onWriting, profiles, permissions, permission, onPermission } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { list, label, chosen, take, onKey } = useSuggestions(field, text, (now) => onText(() => now));

  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field grows with its text
  useEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, 240)}px`;
  }, [text]);

  /** True once the person has typed here: a restored draft does not count. */
  const [typing, setTyping] = useState(false);
  const writing = typing && text !== "";
  useEffect(() => {
    onWriting(writing);
    return () => onWriting(false);
  }, [writing, onWriting]);

  const ready = text.trim() !== "" || attachments.attached.length > 0;
  const chooser = useRef<HTMLInputElement>(null);
  const submit = async () => {
    const said = text.trim();
    const { attached } = attachments;
    if (!ready) return;
    onText(() => "");
    attachments.clear();
    if (await onSend(said, attached)) return;
    onText((now) => before(said, now));
    attachments.put(attached.map(({ body }) => body));
  };
  const withdraw = async (message: QueuedView) => {
    await onWithdraw?.(message);
    field.current?.focus();
  };
  const keys = running
    ? `Esc stops the agent, Enter queues the message${queued.length > 0 && text === "" ? ", ↑ withdraws the last one" : ""}`
    : props.ofTeam
      ? "Enter sends, Shift+Enter adds a line"
      : "Enter sends, @ inserts a file name, / a command, Shift+Enter adds a line";
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attachments.add(event.dataTransfer.files);
      }}
    >
      <QueueView queued={queued} onWithdraw={(message) => void withdraw(message)} />
      {list.length > 0 && (
        <div className="suggestions" id="suggestions" role="listbox" aria-label={label}>
          {list.map((suggestion, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: focus and keys stay in the field
            <div
              key={suggestion.text}
              id={suggestionId(at)}
              role="option"
              tabIndex={-1}
              aria-selected={at === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(suggestion)}
            >
              {suggestion.text}
              {suggestion.hint !== undefined && <span className="faint"> {suggestion.hint}</span>}
            </div>
          ))}
        </div>
      )}
      <AttachmentsView {...attachments} />
      <textarea
        ref={field}
        rows={1}
        value={text}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={list.length > 0 ? "suggestions" : undefined}
        aria-activedescendant={list.length > 0 ? suggestionId(chosen) : undefined}
        placeholder={
          running
            ? "Write the next message"
            : `Ask about this ${props.ofTeam ? "project" : "folder"}, or describe a change`
        }
        onChange={({ target }) => {
          setTyping(true);
          onText(() => target.value);
        }}
        onBlur={() => setTyping(false)}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return;
          event.preventDefault();
          void attachments.add(event.clipboardData.files);
        }}
        onKeyDown={(event) => {
          if (onKey(event)) return;
          if (event.key === "Escape" && running) onStop();
          const last = queued.at(-1);
          if (event.key === "ArrowUp" && text === "" && last) void withdraw(last);
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void submit();
        }}
      />
      {asked && writing && (
        <p className="asked" role="status">
          A request is waiting for your answer. It opens when you send this message or leave the field.
        </p>
      )}
      <div className="composer-row">
        {begun ? (
          <span className="faint keys" title={keys}>
            {keys}
          </span>
        ) : profiles.length === 0 ? null : (
          <fieldset className="segments">
            <legend className="unseen">Profile</legend>
            {profiles.map(({ name, label, hint }) => (
              <label key={name} title={hint}>
                <input
                  type="radio"
                  name="mode"
                  checked={mode.profile === name}
                  onChange={() => onMode({ ...mode, profile: name })}
                />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        {begun && (
          <select
            className="small"
            aria-label="Profile"
            value={mode.profile}
            onChange={(event) => onMode({ ...mode, profile: event.target.value as ProfileName })}
          >
            {profiles.map(({ name, label, hint }) => (
              <option key={name} value={name} title={hint}>
                {label}
              </option>
            ))}
          </select>
        )}
        {mode.profile === "explore" && (
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
        {props.choice}
        <button
          type="button"
          className="quiet small"
          aria-label="Attach files"
          title="Attach images, PDF or text files; you can also paste or drop them"
          onClick={() => chooser.current?.click()}
        >
          <Icon name="attach" />
        </button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            void attachments.add([...(target.files ?? [])]);
            target.value = "";
          }}
        />
        {permissions.length > 0 && (
          <PermissionChoice modes={permissions} mode={permission} onChoose={onPermission} />
        )}
        <div className="row">
          {props.usage}
          <ModelChoice model={model} onChoose={onModel} />
          {(!running || ready) && (
            <button
              type="submit"
              className="round primary"
              disabled={!ready}
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

/** Unsent text, before what was written since. */
export function before(unsent: string, text: string): string {
  return text === "" ? unsent : `${unsent}\n${text}`;
}
