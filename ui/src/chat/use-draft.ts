import { useCallback, useState } from "react";

/** What is written and not sent, for each chat; it outlives other pages and a reload of this tab. */
export function useDraft(chat: string) {
  const key = `wield-draft-${chat}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? "");
  // From what is kept, not from what is shown: a change may come when this chat is no longer in view.
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
