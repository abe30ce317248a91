import { signalWeights } from "./search-weights.ts";

/** What speaks for a file. Each signal has a measure of its own: only files of the same question can be compared by it. */
export type FileSignals = Record<keyof typeof signalWeights, number>;

/** What is known of a file when it was opened. */
export type PlaceSignals = Pick<FileSignals, "bestPlace" | "secondPlace" | "bestName">;

/** What tells more when no other file has more of it; of the others, the amount itself counts. */
export const compared: ReadonlySet<keyof FileSignals> = new Set([
  ...(["bestPlace", "secondPlace", "bestName", "pastChanges", "changedWithTests"] as const),
  ...(["title", "mentions", "folders", "fileName"] as const),
]);
const signalNames = Object.keys(signalWeights) as (keyof FileSignals)[];

/** One score for each file, of its signals and of how much a file of its kind is asked for. */
export function combinedScores(files: readonly { signals: FileSignals; worth: number }[]): number[] {
  const scores = files.map(() => 0);
  for (const name of signalNames) {
    const counted = files.map(({ signals, worth }) => signals[name] * worth);
    const most = compared.has(name) ? counted.reduce((a, b) => Math.max(a, b), 0) : 1;
    if (most === 0) continue;
    for (const [i, amount] of counted.entries())
      (scores[i] as number) += (signalWeights[name] * amount) / most;
  }
  return scores;
}
