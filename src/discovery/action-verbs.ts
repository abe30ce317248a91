import { stem } from "./stem.ts";
import type { Word } from "./words.ts";

/**
 * What tools do to the world, by the verbs in their names. A request that says nothing of the kind does not mean them: who
 * asks which concerts there are wants to buy nothing.
 */
const verbs = `add book buy cancel create delete edit insert order pay play post purchase remove rent reserve schedule send share
  submit update upload`;
let stems: ReadonlySet<string> | undefined;

export function isActionVerb(word: string): boolean {
  stems ??= new Set(verbs.split(/\s+/).map(stem));
  return stems.has(word);
}

/** People say any of them for what a tool's name calls "create" or "write". */
const creating = "compose create draft generate make produce write";
let creatingStems: ReadonlySet<string> | undefined;

export function isCreatingVerb(word: string): boolean {
  creatingStems ??= new Set(creating.split(" ").map(stem));
  return creatingStems.has(word);
}

/** Whether what is asked for is to be made: the first word that tells something is a verb for that. */
export function asksToCreate(words: readonly Word[]): boolean {
  const first = words.find((word) => word.weight === 1 || isCreatingVerb(word.stem));
  return first !== undefined && isCreatingVerb(first.stem);
}
