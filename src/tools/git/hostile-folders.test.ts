import { expect, test } from "vitest";
import { useHostileFolders } from "./hostile-folders.suite.ts";

// `npm run bench git-folders` uses 500. These few are hostile in as many ways.
test("no git tool writes, reads or contacts anything outside a hostile repository", async () => {
  const tally = await useHostileFolders(4, 1);
  expect(tally.escapes).toEqual([]);
  expect(tally.calls).toBeGreaterThan(50);
});
