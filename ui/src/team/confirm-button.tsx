import { useState } from "react";

interface ConfirmButtonProps {
  /** What it does, and to what: "Remove", "ann". */
  action: string;
  name: string;
  /** What follows from it: "tokens end, sessions stop". */
  effect: string;
  disabled?: boolean;
  onConfirm(): void;
}

/** Says what follows, and asks once more, before it does what cannot be taken back. */
export function ConfirmButton({ action, name, effect, disabled = false, onConfirm }: ConfirmButtonProps) {
  const [sure, setSure] = useState(false);
  return (
    <button
      type="button"
      className={sure ? "small danger confirm" : "small"}
      disabled={disabled}
      aria-label={sure ? undefined : `${action} ${name}`}
      onBlur={() => setSure(false)}
      onClick={() => {
        setSure(!sure);
        if (sure) onConfirm();
      }}
    >
      {sure ? `${action} ${name}: ${effect}` : action}
    </button>
  );
}
