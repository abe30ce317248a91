import { useEffect, useRef } from "react";
import type { AttachmentBody, QueuedView } from "../../../src/api/sessions.ts";
import { send } from "../server/api.ts";
import { useFetched } from "../server/use-server.ts";

const none: readonly QueuedView[] = [];

/** The queue of a session. Held messages go back into the input of the visible tab. */
export function useQueue(id: string, onBack: (text: string, files: readonly AttachmentBody[]) => void) {
  const { data: queued = none, again } = useFetched<readonly QueuedView[]>(
    `/sessions/${id}/queue`,
    "queue-change",
  );
  const taking = useRef(new Set<string>());
  const back = useRef(onBack);
  back.current = onBack;

  useEffect(() => {
    const held = queued.filter((message) => message.held && !taking.current.has(message.id));
    if (held.length === 0) return;
    const takeAll = async () => {
      // Not in a hidden tab.
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", onVisible);
      for (const message of held) taking.current.add(message.id);
      const taken = await Promise.allSettled(held.map((message) => take(id, message)));
      // On an error, the next refresh tries again.
      for (const [at, { status }] of taken.entries())
        if (status === "rejected") taking.current.delete(held[at]?.id ?? "");
      const messages = taken.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
      const files = messages.flatMap(({ attachments = [] }) => attachments);
      if (messages.length > 0) back.current(messages.map(({ text }) => text).join("\n"), files);
    };
    const onVisible = () => void takeAll();
    document.addEventListener("visibilitychange", onVisible);
    onVisible();
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [id, queued]);

  const withdraw = async (message: QueuedView): Promise<void> => {
    await take(id, message).then(({ text, attachments = [] }) => onBack(text, attachments), again);
  };
  return { queued: queued.filter(({ held }) => !held), withdraw };
}

interface Taken {
  text: string;
  attachments?: readonly AttachmentBody[];
}

function take(id: string, message: QueuedView): Promise<Taken> {
  return send<Taken>(`/sessions/${id}/queue/${message.id}/take`);
}
