import { stem } from "./stem.ts";

export interface Word {
  /** Lower case, as written. */
  surface: string;
  stem: string;
  /** How much it says about what is wanted; small for filler words. */
  weight: number;
}

/**
 * The words of a text that can distinguish tools: camelCase, snake_case and punctuation are split, function words
 * omitted.
 */
export function wordsOf(text: string): Word[] {
  const found: Word[] = [];
  const spaced = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(text)
    ? text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    : text;
  for (const surface of spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (functionWords.has(surface)) continue;
    // A number is a value, hardly ever a capability.
    const weight = requestWords.has(surface) ? 0.3 : isNumber(surface) ? 0 : 1;
    found.push({ surface, stem: stem(surface), weight });
  }
  return found;
}

function isNumber(word: string): boolean {
  const first = word.charCodeAt(0);
  return first >= 48 && first <= 57 && /^\d+$/.test(word);
}

const list = (words: string) => new Set(words.split(/\s+/));

/** English words that carry grammar, not meaning, and the pieces that apostrophes leave. */
const functionWords =
  list(`a about above after again against all also am an and any are aren as at be because been before
  being below between both but by can cannot could couldn d did didn do does doesn doing don down during each either else
  ever every few for from further had hadn has hasn have haven having he hello her here hers herself hey hi him himself his
  how however i if in into is isn it its itself just let ll m may me might more most much must my myself need no nor not now
  of off ok okay on once one only or other otherwise our ours ourselves out over own please quite rather re really s same
  shall she should shouldn since so some such t than thank thanks that the their theirs them themselves then there these they
  this those through thus to together too under until up upon us ve very was wasn we were weren what whatever when where
  whether which while who whom whose why will with within without won would wouldn yes yet you your yours yourself`);

/** Filler words of requests; a tool may still be about one ("wish list"), so they count a little. */
const requestWords =
  list(`able additionally anyone anything assist best currently curious etc everything example finally
  first furthermore get give good great help helping hope interested kindly know lastly like look looking love make moreover
  nice planning possible provide second see show someone something specific tell think thinking try trying use used using various
  via want wanted wants wish wonder wondering wow`);
