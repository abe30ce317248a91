import fc from "./properties.ts";

/** Something that hostile input is given to. */
export interface Target {
  /** One case, made from its number alone; returns what must not happen and did. */
  attempt(number: number): Promise<string[]>;
  close(): Promise<void>;
}

/** The value that a number stands for. Numbers in a row are spread, since generators begin alike for them. */
export function drawn<T>(arbitrary: fc.Arbitrary<T>, number: number): T {
  const [value] = fc.sample(arbitrary, { seed: Math.imul(number + 1, 0x9e3779b1), numRuns: 1 });
  return value as T;
}
