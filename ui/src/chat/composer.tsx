import { useEffect, useRef, useState } from "react";
import { Icon } from "../parts/icon.tsx";

export type Mode = "coding" | "explore";

interface ComposerProps {
  running: boolean;
  /** Left out: the session has begun, its agent stays. */
  mode?: Mode;
  onMode?: (mode: Mode) => void;
  /** True when it was taken. */
  onSend(text: string): Promise<boolean>;
  onStop(): void;
}

const modes: readonly { mode: Mode; label: string; hint: string }[] = [
  { mode: "coding", label: "Code", hint: "Reads and proposes changes; you approve them" },
  { mode: "explore", label: "Explore", hint: "Only looks, and answers with a report" },
];

export function Composer({ running, mode, onMode, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field grows with its text
  useEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, 240)}px`;
  }, [text]);

  const submit = async () => {
    const said = text.trim();
    if (said === "" || running) return;
    setText("");
    if (!(await onSend(said))) setText(said);
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={field}
        rows={1}
        value={text}
        aria-label="Message"
        placeholder={running ? "The agent is at work…" : "Ask about this folder, or say what to change"}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && running) onStop();
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void submit();
        }}
      />
      <div className="composer-row">
        {mode === undefined ? (
          <span className="faint keys">Enter sends, Shift+Enter breaks the line</span>
        ) : (
          <fieldset className="segments">
            <legend className="unseen">What the agent may do</legend>
            {modes.map(({ mode: value, label, hint }) => (
              <label key={value} title={hint}>
                <input type="radio" name="mode" checked={mode === value} onChange={() => onMode?.(value)} />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        {running ? (
          <button type="button" className="round" onClick={onStop} aria-label="Stop">
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" className="round primary" disabled={text.trim() === ""} aria-label="Send">
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}
