import { protectionOf } from "./protected-names.ts";

/** The same files in their order, after those that a person must not miss among many. */
export function protectedFirst<T extends { path: string }>(files: readonly T[]): T[] {
  const { guarded = [], others = [] } = Object.groupBy(files, ({ path }) =>
    protectionOf(path) ? "guarded" : "others",
  );
  return [...guarded, ...others];
}
