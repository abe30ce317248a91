import { stem } from "./stem.ts";
import type { Word } from "./words.ts";

/**
 * Actions of tools, by the verbs in their names. A request that does not mention the action does not mean the tool: a
 * question about concerts is not a request to buy tickets.
 */
const verbs = `add book buy cancel create delete edit insert order pay play post purchase remove rent reserve schedule send share
  submit update upload`;
let stems: ReadonlySet<string> | undefined;

export function isActionVerb(word: string): boolean {
  stems ??= new Set(verbs.split(/\s+/).map(stem));
  return stems.has(word);
}

/** People use any of these for a tool named "create" or "write". */
const creating = "compose create draft generate make produce write";
let creatingStems: ReadonlySet<string> | undefined;

export function isCreatingVerb(word: string): boolean {
  creatingStems ??= new Set(creating.split(" ").map(stem));
  return creatingStems.has(word);
}

/** Whether the request asks to create something: its first meaningful word is a verb for that. */
export function asksToCreate(words: readonly Word[]): boolean {
  const first = words.find((word) => word.weight === 1 || isCreatingVerb(word.stem));
  return first !== undefined && isCreatingVerb(first.stem);
}
