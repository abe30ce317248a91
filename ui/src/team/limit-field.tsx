import { useState } from "react";

interface LimitFieldProps {
  /** Whose it is: "ann", "the whole team". */
  of: string;
  /** US dollars a month; null: none. */
  usd: number | null;
  onSet(usd: number | null): void;
}

/** A limit of cost; empty means none. The browser refuses what is no number from 0 on. */
export function LimitField({ of, usd, onSet }: LimitFieldProps) {
  const before = usd === null ? "" : String(usd);
  const [text, setText] = useState(before);
  return (
    <form
      className="row limit"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(text.trim() === "" ? null : Number(text));
      }}
    >
      <label>
        Limit, US dollars a month
        <input
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          placeholder="none"
          aria-label={`Limit, US dollars a month: ${of}`}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <button type="submit" className="small" aria-label={`Save the limit: ${of}`}>
        Save
      </button>
    </form>
  );
}
