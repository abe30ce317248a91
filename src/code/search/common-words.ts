import { subTokens } from "../word-index/sub-tokens.ts";
import { weights } from "./search-weights.ts";

/**
 * Words that stand in many a question, whatever it is about: rare in code as they are, they would count for much. Counted in
 * issue texts of ten projects; those of one project alone are left out.
 */
const inMostQuestions = "bug but code com error example expect github http https issue";
const inManyQuestions =
  "about actual add after all allow also am any argument array because before behavior being blob call cannot case cause " +
  "change check class core correctly could create current currently data default description different doc documentation " +
  "doesn en environment even fail false file find first fix follow function generate get handle happen here however " +
  "html ignore image include index instead just like line list log look make master may maybe message method miss module " +
  "more name need new no non note now object one only option org os other out output parameter pass png possible problem " +
  "provide pull py python raise remove report reproduce require response result return run same see seem set since solution " +
  "some something step still str suggest support test than there think time true try two type up use used user using value " +
  "variable version want warn way where while without work";

const commonness = new Map([
  ...countingAs(weights.manyQuestions, inManyQuestions),
  ...countingAs(weights.mostQuestions, inMostQuestions),
]);

function countingAs(weight: number, words: string): [string, number][] {
  return words.split(" ").flatMap((word) => subTokens(word).map((term): [string, number] => [term, weight]));
}

/** How much a sub-token of a question says about what is asked for. */
export function tellingShare(term: string): number {
  return commonness.get(term) ?? 1;
}
