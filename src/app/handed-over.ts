import type { Store } from "../store/store.ts";
import type { HandedOver } from "../tools/studio/create-document.ts";

/** Calls that are looked through, newest first. */
const mostCalls = 50;

/** Files that code of a conversation made, by their names; the newest one of a name. */
export function handedOverIn(store: Store): HandedOver {
  return async (session, name) => {
    if (session === undefined) return undefined;
    const calls = await store.calls({ session, tool: "executeCode", limit: mostCalls });
    const files = await store.files().list(calls.map(({ id }) => id));
    for (const { id } of calls) {
      const index = files.get(id)?.findIndex((file) => file.name === name) ?? -1;
      if (index >= 0) return (await store.files().read(id, index))?.bytes;
    }
    return undefined;
  };
}
