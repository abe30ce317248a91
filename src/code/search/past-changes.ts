import type { PastCommit } from "../files/files.ts";
import { subTokens } from "../word-index/sub-tokens.ts";
import { weights } from "./search-weights.ts";

/** A commit that changes more files says little about each. */
const mostFiles = 20;
/** A commit that says twice as much of what the question says counts four times as much. */
const sharpness = 2;

/** What was said of past changes: files that were changed for what a question speaks of are likely to be meant again. */
export class PastChanges {
  /** The commits, each with the length norm of its subject. */
  readonly #commits: { files: readonly string[]; norm: number }[] = [];
  /** Sub-token → the commits whose subject has it. */
  readonly #holders = new Map<string, number[]>();
  /** File → how many of the commits changed it. */
  readonly #changes = new Map<string, number>();

  constructor(commits: readonly PastCommit[]) {
    const lengths: number[] = [];
    for (const { subject, files } of commits) {
      if (files.length === 0 || files.length > mostFiles) continue;
      const words = subject.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
      const tokens = new Set(words.flatMap(subTokens));
      const number = this.#commits.push({ files, norm: 1 }) - 1;
      lengths.push(tokens.size);
      for (const file of files) this.#changes.set(file, (this.#changes.get(file) ?? 0) + 1);
      for (const token of tokens) {
        const holders = this.#holders.get(token);
        if (holders) holders.push(number);
        else this.#holders.set(token, [number]);
      }
    }
    const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    const { k1, b } = weights;
    for (const [number, commit] of this.#commits.entries())
      commit.norm = (k1 + 1) / (1 + k1 * (1 - b + (b * (lengths[number] ?? 0)) / average));
  }

  /** File → how well the changes of it fit a question, given as sub-tokens and how much it is about each; the best has 1. */
  fit(question: ReadonlyMap<string, number>): Map<string, number> {
    const total = this.#commits.length;
    const scores = new Float64Array(total);
    for (const [token, importance] of question) {
      const holders = this.#holders.get(token) ?? [];
      const rarity = Math.log(1 + (total - holders.length + 0.5) / (holders.length + 0.5));
      for (const number of holders) (scores[number] as number) += importance * rarity;
    }
    const fit = new Map<string, number>();
    for (const [number, { files, norm }] of this.#commits.entries()) {
      const score = scores[number] as number;
      if (score === 0) continue;
      const share = (score * norm) ** sharpness / Math.sqrt(files.length);
      for (const file of files) fit.set(file, (fit.get(file) ?? 0) + share);
    }
    let best = 0;
    for (const [file, sum] of fit) {
      // What is changed all the time fits many a question.
      const own = sum / Math.sqrt(this.#changes.get(file) ?? 1);
      fit.set(file, own);
      best = Math.max(best, own);
    }
    for (const [file, sum] of fit) fit.set(file, sum / best);
    return fit;
  }
}
