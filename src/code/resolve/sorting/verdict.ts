import type { Definition } from "../definitions.ts";

/**
 * What is known about one occurrence of a name: it surely means one of these; it possibly means one of them, since nothing
 * proves or excludes it (`why`, in a few words); or it means something else, which is named.
 */
export type Verdict =
  | { is: "sure"; of: Definition[] }
  | { is: "possible"; of: Definition[]; why: string }
  | { is: "other"; of: string };

export const possible = (why: string, of: Definition[]): Verdict => ({ is: "possible", of, why });
export const other = (of: string): Verdict => ({ is: "other", of });

/** Nothing that is declared under the name is in sight. */
export const noSuchName = "a name from elsewhere";
