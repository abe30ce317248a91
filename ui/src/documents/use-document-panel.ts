import { useCallback, useEffect, useState } from "react";
import type { CallPart, ChatMessage } from "../../../src/api/chat.ts";
import { type Draft, draftOf } from "./draft.ts";

export interface ShownDocument {
  id: string | undefined;
  draft: Draft | undefined;
}

/** What the panel shows: a document that the person opened, or what a call writes. */
type Target = { id: string } | { ref: string };

/**
 * The document beside a conversation. Where there is space beside it, what the last run writes or has written opens by
 * itself; once the person has closed the panel, only they open it again.
 */
export function useDocumentPanel(messages: readonly ChatMessage[]) {
  const [target, setTarget] = useState<Target>();
  const [closed, setClosed] = useState(false);
  const latest = lastDraft(messages.at(-1));
  const ref = latest && latest.state !== "failed" && !closed ? latest.ref : undefined;
  useEffect(() => {
    if (ref !== undefined && matchMedia("(min-width: 1100px)").matches) setTarget({ ref });
  }, [ref]);
  const open = useCallback((id: string) => {
    setClosed(false);
    setTarget({ id });
  }, []);
  const close = useCallback(() => {
    setClosed(true);
    setTarget(undefined);
  }, []);
  return { shown: target && shownFor(target, messages, latest), open, close };
}

function shownFor(
  target: Target,
  messages: readonly ChatMessage[],
  latest: Draft | undefined,
): ShownDocument | undefined {
  if ("id" in target) return { id: target.id, draft: latest?.id === target.id ? latest : undefined };
  const draft = latest?.ref === target.ref ? latest : draftOfRef(messages, target.ref);
  // A call that failed before its document was created leaves nothing to show.
  if (!draft || (draft.state === "failed" && draft.id === undefined)) return undefined;
  return { id: draft.id, draft };
}

function lastDraft(message: ChatMessage | undefined): Draft | undefined {
  for (const part of message?.parts.toReversed() ?? []) {
    const draft = part.type === "dynamic-tool" ? draftOf(part as CallPart) : undefined;
    if (draft) return draft;
  }
  return undefined;
}

function draftOfRef(messages: readonly ChatMessage[], ref: string): Draft | undefined {
  for (const { parts } of messages.toReversed()) {
    const call = parts.find((part) => part.type === "dynamic-tool" && part.toolCallId === ref);
    if (call) return draftOf(call as CallPart);
  }
  return undefined;
}
