import { useCallback, useState } from "react";

/** The unsent draft of each chat; survives navigation and a reload of this tab. */
export function useDraft(chat: string) {
  const key = `wield-draft-${chat}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? "");
  // From storage, not from state: this chat may no longer be visible.
  const change = useCallback(
    (how: (text: string) => string) => {
      const now = how(sessionStorage.getItem(key) ?? "");
      if (now === "") sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, now);
      setText(now);
    },
    [key],
  );
  return [text, change] as const;
}
