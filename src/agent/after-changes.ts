import type { Change } from "../workspace/workspace.ts";

/** The notice for the model after the changes of a step; undefined: none. */
export type AfterChanges = (changes: readonly Change[], signal: AbortSignal) => Promise<string | undefined>;

/** One after the other, in one notice. */
export function allAfterChanges(each: readonly AfterChanges[]): AfterChanges | undefined {
  if (each.length === 0) return undefined;
  return async (changes, signal) => {
    const told: string[] = [];
    for (const look of each) {
      const text = await look(changes, signal);
      if (text !== undefined) told.push(text);
    }
    return told.length > 0 ? told.join("\n\n") : undefined;
  };
}
