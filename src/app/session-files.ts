import type { Store } from "../store/store.ts";
import type { FindSessionFile } from "../tools/studio/create-document.ts";

/** How many calls are searched, newest first. */
const mostCalls = 50;

/** Files that code of a session created, by name; the newest of that name. */
export function sessionFiles(store: Store): FindSessionFile {
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
