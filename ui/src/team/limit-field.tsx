import { useState } from "react";

interface LimitFieldProps {
  label: string;
  /** US dollars a month; null: none. */
  usd: number | null;
  onSet(usd: number | null): void;
}

/** Saved when the field is left or Enter is pressed; empty means no limit. */
export function LimitField({ label, usd, onSet }: LimitFieldProps) {
  const [text, setText] = useState(usd === null ? "" : String(usd));
  const save = () => {
    const next = text.trim() === "" ? null : Number(text);
    if (next !== usd && (next === null || (Number.isFinite(next) && next >= 0))) onSet(next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <input
        className="limit"
        type="number"
        min={0}
        step="any"
        inputMode="decimal"
        placeholder="no limit"
        title={label}
        aria-label={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={save}
      />
    </form>
  );
}
