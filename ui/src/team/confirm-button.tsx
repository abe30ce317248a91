import { useState } from "react";

interface ConfirmButtonProps {
  /** What it does, and to what: "Remove", "ann". */
  action: string;
  name: string;
  disabled?: boolean;
  onConfirm(): void;
}

/** Asks once more before it does what cannot be taken back. */
export function ConfirmButton({ action, name, disabled = false, onConfirm }: ConfirmButtonProps) {
  const [sure, setSure] = useState(false);
  return (
    <button
      type="button"
      className={sure ? "small danger" : "small"}
      disabled={disabled}
      aria-label={sure ? `Really ${action.toLowerCase()} ${name}` : `${action} ${name}`}
      onBlur={() => setSure(false)}
      onClick={() => {
        setSure(!sure);
        if (sure) onConfirm();
      }}
    >
      {sure ? `Really ${action.toLowerCase()}` : action}
    </button>
  );
}
