import { stem } from "./stem.ts";

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
