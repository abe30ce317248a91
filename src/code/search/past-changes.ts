import type { PastCommit } from "../files/files.ts";
import { subTokens } from "../word-index/sub-tokens.ts";
import { weights } from "./search-weights.ts";

/** A commit that changes more files says little about each. */
const mostFiles = 20;
/** A commit that says twice as much of what the question says counts four times as much. */
const sharpness = 2;

/** Words, and numbers of issues: `#1234`. */
const wordsOfSubject = /#\d+|[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** What was said of past changes: files that were changed for what a question speaks of are likely to be meant again. */
export class PastChanges {
  /** The commits, each with the length norm of its subject. */
  readonly #commits: { files: readonly string[]; norm: number }[] = [];
  /** Sub-token → the commits whose subject has it. */
  readonly #holders = new Map<string, number[]>();
  /** File → the commits that changed it. */
  readonly #changes = new Map<string, number[]>();

  constructor(commits: readonly PastCommit[]) {
    const lengths: number[] = [];
    for (const { subject, files } of commits) {
      if (files.length === 0 || files.length > mostFiles) continue;
      const tokens = new Set(
        subject.match(wordsOfSubject)?.flatMap((word) => (word.startsWith("#") ? [word] : subTokens(word))),
      );
      const number = this.#commits.push({ files, norm: 1 }) - 1;
      lengths.push(tokens.size);
      for (const file of files) addTo(this.#changes, file, number);
      for (const token of tokens) addTo(this.#holders, token, number);
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
      const own = sum / Math.sqrt(this.#changes.get(file)?.length ?? 1);
      fit.set(file, own);
      best = Math.max(best, own);
    }
    for (const [file, sum] of fit) fit.set(file, sum / best);
    return fit;
  }

  /** Files that were changed together with the given ones → how often, by how much each of those counts. */
  changedWith(others: ReadonlyMap<string, number>): Map<string, number> {
    const together = new Map<string, number>();
    for (const [other, counts] of others) {
      const commits = this.#changes.get(other) ?? [];
      for (const number of commits) {
        const { files = [] } = this.#commits[number] ?? {};
        const share = counts / files.length / Math.sqrt(commits.length);
        for (const file of files) if (file !== other) together.set(file, (together.get(file) ?? 0) + share);
      }
    }
    for (const [file, sum] of together)
      together.set(file, sum / Math.sqrt(this.#changes.get(file)?.length ?? 1));
    return together;
  }
}

function addTo(lists: Map<string, number[]>, key: string, number: number): void {
  const list = lists.get(key);
  if (list) list.push(number);
  else lists.set(key, [number]);
}
