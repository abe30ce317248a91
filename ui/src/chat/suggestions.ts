import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { CommandView } from "../../../src/api/sessions.ts";
import { get } from "../server/api.ts";

/** What can be inserted for what is being typed: a file after an @, or a command after a / at the beginning. */
export interface Suggestions {
  list: readonly Suggestion[];
  /** What the list has, for people who hear it. */
  label: string;
  chosen: number;
  take(suggestion: Suggestion): void;
  /** True if the list handled the key. */
  onKey(event: KeyboardEvent): boolean;
}

export interface Suggestion {
  text: string;
  hint?: string;
}

interface Wanted {
  kind: "file" | "command";
  text: string;
}

export const suggestionId = (at: number) => `suggestion-${at}`;

export function useSuggestions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  onText: (text: string) => void,
): Suggestions {
  const [found, setFound] = useState<{ key: string; list: readonly Suggestion[] }>();
  const [chosen, setChosen] = useState(0);
  const [closed, setClosed] = useState<string>();
  const caret = useRef<number>(undefined);
  const wanted = wantedIn(text.slice(0, field.current?.selectionStart ?? text.length));
  const key = wanted && `${wanted.kind} ${wanted.text}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is wanted
  useEffect(() => {
    setChosen(0);
    if (wanted === undefined || key === undefined) return;
    const left = new AbortController();
    suggestionsFor(wanted, left.signal).then(
      (list) => setFound({ key, list }),
      () => undefined,
    );
    return () => left.abort();
  }, [key]);

  // Moves the caret behind the inserted text once it is in the field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the text changes
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  const isOpen = key !== undefined && key !== closed && found?.key === key;
  const list = isOpen ? found.list : [];
  const take = (suggestion: Suggestion) => {
    const at = field.current?.selectionStart ?? text.length;
    const before = `${text.slice(0, at - (wanted?.text.length ?? 0))}${suggestion.text} `;
    caret.current = before.length;
    onText(before + text.slice(at));
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const suggestion = list[chosen];
    if (suggestion === undefined) return false;
    if (event.key === "ArrowDown") setChosen((chosen + 1) % list.length);
    else if (event.key === "ArrowUp") setChosen((chosen + list.length - 1) % list.length);
    else if (event.key === "Enter" || event.key === "Tab") take(suggestion);
    else if (event.key === "Escape") setClosed(key);
    else return false;
    event.preventDefault();
    return true;
  };
  return { list, label: wanted?.kind === "command" ? "Commands" : "Files", chosen, take, onKey };
}

/** The text between an @, or a / at the beginning, and the caret. */
function wantedIn(before: string): Wanted | undefined {
  const command = /^\/([\w-]*)$/.exec(before)?.[1];
  if (command !== undefined) return { kind: "command", text: command };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before)?.[1];
  return file === undefined ? undefined : { kind: "file", text: file };
}

async function suggestionsFor({ kind, text }: Wanted, signal: AbortSignal): Promise<Suggestion[]> {
  if (kind === "file")
    return (await get<string[]>(`/files?query=${encodeURIComponent(text)}`, signal)).map((path) => ({
      text: path,
    }));
  const commands = await get<CommandView[]>("/commands", signal);
  // One that is written in full is sent by Enter.
  return commands
    .filter(({ name }) => name.startsWith(text) && name !== text)
    .map(({ name, description, from }) => ({
      text: name,
      hint: from === undefined ? description : `${description} (${from})`,
    }));
}
