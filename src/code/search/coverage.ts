/** The weight of the words that a name shares with a question, less when it has others. */
export function coverage(tokens: readonly number[], weightOf: (token: number) => number): number {
  let shared = 0;
  let sum = 0;
  for (const token of tokens) {
    const weight = weightOf(token);
    if (weight === 0) continue;
    shared++;
    sum += weight;
  }
  return shared === 0 ? 0 : sum * (shared / tokens.length);
}
