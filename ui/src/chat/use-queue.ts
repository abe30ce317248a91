import { useEffect, useRef } from "react";
import type { QueuedView } from "../../../src/api/api.ts";
import { send } from "../server/api.ts";
import { useFetched } from "../server/use-server.ts";

const none: readonly QueuedView[] = [];

/** The queue of a session. Held messages go back into the input of the visible tab. */
export function useQueue(id: string, onBack: (text: string) => void) {
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
      const texts = taken.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
      if (texts.length > 0) back.current(texts.join("\n"));
    };
    const onVisible = () => void takeAll();
    document.addEventListener("visibilitychange", onVisible);
    onVisible();
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [id, queued]);

  const withdraw = async (message: QueuedView): Promise<void> => {
    await take(id, message).then(onBack, again);
  };
  return { queued: queued.filter(({ held }) => !held), withdraw };
}

async function take(id: string, message: QueuedView): Promise<string> {
  return (await send<{ text: string }>(`/sessions/${id}/queue/${message.id}/take`)).text;
}
