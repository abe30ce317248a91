// What the answers about one language came to, by kind of symbol.
import { verdict } from "../measure.ts";

export const sampledKinds = ["func", "method", "type", "const"] as const;
export type SampledKind = (typeof sampledKinds)[number];
const titles: Record<SampledKind, string> = {
  func: "functions",
  method: "methods",
  type: "types",
  const: "constants",
};

export interface KindTally {
  symbols: number;
  /** Places that are uses, and those of them that are neither among the sure nor among the possible ones. */
  truth: number;
  missing: number;
  /** Places that were called sure, and those of them that cannot be. */
  sure: number;
  wrong: number;
}

export class Tally {
  readonly kinds = new Map<SampledKind, KindTally>();
  readonly notes: string[] = [];

  of(kind: SampledKind): KindTally {
    const known = this.kinds.get(kind) ?? { symbols: 0, truth: 0, missing: 0, sure: 0, wrong: 0 };
    this.kinds.set(kind, known);
    return known;
  }
}

/** One line for each language: recall of (sure + possible) and precision of sure, by kind. */
export function reportTally(language: string, tally: Tally, besides = ""): void {
  const goals = { recall: 0.99, precision: 0.97 };
  let isMet = true;
  const cells = sampledKinds.flatMap((kind) => {
    const t = tally.kinds.get(kind);
    if (!t || t.symbols === 0) return [];
    const recall = t.truth === 0 ? 1 : 1 - t.missing / t.truth;
    const precision = t.sure === 0 ? 1 : 1 - t.wrong / t.sure;
    if (recall < goals.recall || precision < goals.precision) isMet = false;
    return [`${titles[kind]} ${rounded(recall)} of ${t.truth}, ${rounded(precision)} of ${t.sure}`];
  });
  verdict(
    `${language}: recall, precision of sure: ${cells.join("; ")}${besides}`,
    `recall ≥ ${goals.recall}, precision ≥ ${goals.precision}`,
    isMet,
  );
}

/** Rounded down: 0.9996 is not 1. */
const rounded = (share: number) => (Math.floor(share * 1_000) / 1_000).toFixed(3);
