import { stem } from "./stem.ts";

/**
 * What tools do to the world, by the verbs in their names. A request that says nothing of the kind does not mean them: who
 * asks which concerts there are wants to buy nothing.
 */
const actions = new Set(
  `add book buy cancel create delete edit insert order pay play post purchase remove rent reserve schedule send share submit
  update upload`
    .split(/\s+/)
    .map(stem),
);

export function isActionVerb(word: string): boolean {
  return actions.has(word);
}
