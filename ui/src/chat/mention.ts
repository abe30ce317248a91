import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { get } from "../server/api.ts";

/** A path that is being typed after an @, and matching files. */
export interface Mention {
  paths: readonly string[];
  chosen: number;
  take(path: string): void;
  /** True if the list handled the key. */
  onKey(event: KeyboardEvent): boolean;
}

export const mentionId = (at: number) => `mention-${at}`;

export function useMention(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  onText: (text: string) => void,
): Mention {
  const [found, setFound] = useState<{ wanted: string; paths: readonly string[] }>();
  const [chosen, setChosen] = useState(0);
  const [closed, setClosed] = useState<string>();
  const caret = useRef<number>(undefined);
  const wanted = wantedIn(text.slice(0, field.current?.selectionStart ?? text.length));

  useEffect(() => {
    setChosen(0);
    if (wanted === undefined) return;
    const left = new AbortController();
    get<string[]>(`/files?query=${encodeURIComponent(wanted)}`, left.signal).then(
      (paths) => setFound({ wanted, paths }),
      () => undefined,
    );
    return () => left.abort();
  }, [wanted]);

  // Moves the caret behind the inserted path once it is in the field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the text changes
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  const isOpen = wanted !== undefined && wanted !== closed && found?.wanted === wanted;
  const paths = isOpen ? found.paths : [];
  const take = (path: string) => {
    const at = field.current?.selectionStart ?? text.length;
    const before = `${text.slice(0, at - (wanted?.length ?? 0))}${path} `;
    caret.current = before.length;
    onText(before + text.slice(at));
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const path = paths[chosen];
    if (path === undefined) return false;
    if (event.key === "ArrowDown") setChosen((chosen + 1) % paths.length);
    else if (event.key === "ArrowUp") setChosen((chosen + paths.length - 1) % paths.length);
    else if (event.key === "Enter" || event.key === "Tab") take(path);
    else if (event.key === "Escape") setClosed(wanted);
    else return false;
    event.preventDefault();
    return true;
  };
  return { paths, chosen, take, onKey };
}

/** The text between an @ and the caret. */
function wantedIn(before: string): string | undefined {
  return /(?:^|\s)@([^\s@]*)$/.exec(before)?.[1];
}
