import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { ModelsView } from "../../../src/api/sessions.ts";
import { visible } from "../parts/visible.ts";
import { modelLabel } from "../parts/words.ts";
import { get, wordsOf } from "../server/api.ts";

interface ModelChoiceProps {
  /** The current model. */
  model: string;
  /** Rejects with the server's message if it is not available. */
  onChoose(name: string): Promise<unknown>;
}

/** Chooses the model for the next message. The list is loaded when it is opened. */
export function ModelChoice({ model, onChoose }: ModelChoiceProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const label = visible(modelLabel(model));
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="model-choice">
      <button
        ref={button}
        type="button"
        className="quiet small"
        aria-label={`Model: ${label}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={visible(model)}
        // The list closes on blur: without this it would close before the click and open again.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setOpen(!open)}
      >
        <span>{label}</span>
      </button>
      {open && <ModelList model={model} onChoose={onChoose} onClose={close} onLeave={() => setOpen(false)} />}
    </div>
  );
}

interface ModelListProps extends ModelChoiceProps {
  onClose(): void;
  /** The focus has already moved elsewhere. */
  onLeave(): void;
}

function ModelList({ model, onChoose, onClose, onLeave }: ModelListProps) {
  const [names, setNames] = useState<readonly string[]>();
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const shown = (names ?? []).filter((name) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const marked = shown[at] ?? shown[0];

  useEffect(() => {
    field.current?.focus();
    const left = new AbortController();
    get<ModelsView>("/models", left.signal).then(
      (known) => setNames(known.names),
      (error: unknown) => !left.signal.aborted && setProblem(wordsOf(error)),
    );
    return () => left.abort();
  }, []);

  const choose = async (name: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onChoose(name);
      onClose();
    } catch (error) {
      setProblem(wordsOf(error));
      setBusy(false);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown.length > 0) setAt((at + step + shown.length) % shown.length);
    else if (event.key === "Escape") onClose();
    // A model may exist without being listed: the server decides, or suggests similar names.
    else if (event.key === "Enter") void choose(marked ?? wanted.trim());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="model-list" role="dialog" aria-label="Choose a model">
      <input
        ref={field}
        role="combobox"
        aria-label="Model"
        aria-expanded={shown.length > 0}
        aria-controls={id}
        aria-activedescendant={marked === undefined ? undefined : `${id}-${shown.indexOf(marked)}`}
        placeholder="Search, or enter provider/model"
        value={wanted}
        readOnly={busy}
        onBlur={onLeave}
        onChange={(event) => {
          setWanted(event.target.value);
          setAt(0);
          setProblem(undefined);
        }}
        onKeyDown={onKey}
      />
      {problem !== undefined && (
        <p className="bad-text pre" role="alert">
          {problem}
        </p>
      )}
      {names === undefined && problem === undefined && <p className="faint">Asking the providers…</p>}
      <div id={id} role="listbox" aria-label="Models">
        {shown.map((name, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: focus and keys stay in the field
          <div
            key={name}
            id={`${id}-${index}`}
            ref={name === marked ? bringIntoView : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={name === marked}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => void choose(name)}
          >
            {visible(name)} {name === model && <span className="tag">now</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

function bringIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
