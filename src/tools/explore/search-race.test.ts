import { join } from "node:path";
import { expect, test } from "vitest";
import { testWield } from "../../testing/testing.ts";
import { startFixture } from "../../workspace/process.suite.ts";
import { plant } from "../../workspace/workspace.suite.ts";
import { checkedMatches, notChecked } from "./checked-matches.ts";

const raceMs = 2_500;

test("a search shows nothing of a folder outside while a folder is swapped for a link to it", async () => {
  const place = await testWield({ "a/swap/b/file": "needle inside\n", "a/swap/file": "needle inside\n" });
  const outside = join(place.root, "../outside");
  plant(outside, { "b/file": "needle SECRET\n", file: "needle SECRET\n" });
  const swapper = startFixture("swapper.ts", join(place.root, "a/swap"), outside);
  expect((await swapper.lines.next()).value).toBe("ready");
  const seen = { searches: 0, found: 0 };
  try {
    for (const end = performance.now() + raceMs; performance.now() < end; seen.searches++) {
      for (const tool of ["grep", "search_files"]) {
        const { text } = await place.wield.callAny(tool, { pattern: "needle.*" });
        expect(text).not.toContain("SECRET");
        if (text.includes("inside")) seen.found++;
      }
    }
  } finally {
    swapper.child.stdin?.end();
    await swapper.exit;
    await place.close();
  }
  expect(seen.searches).toBeGreaterThan(0);
});

test("a match is shown when the workspace reads the same line there; of a file too large to check only where it is", async () => {
  const place = await testWield({
    a: "one\r\ntwo\n",
    utf16: Buffer.from("\ufeffone\ntwo\n", "utf16le"),
    marked: "\ufeffone\ntwo",
  });
  const { workspace } = place.wield;
  const match = (file: string, line: number, text: string) => ({ file, line, text });
  const good = [
    ...[match("a", 1, "one"), match("a", 2, "tw"), match("utf16", 2, "two"), match("utf16", 1, "one")],
    ...[match("marked", 1, "one"), match("marked", 2, "two")],
  ];
  const bad = [
    ...[match("a", 1, "elsewhere"), match("a", 1, "two"), match("a", 9, "two"), match("a", 0, "one")],
    ...[match("none", 1, "one"), match("utf16", 9, "one"), match("marked", 3, "two")],
  ];
  expect(await checkedMatches([...good, ...bad], workspace)).toEqual(good);
  place.write("large", Buffer.alloc(64 * 1024 * 1024 + 1, "x"));
  expect(await checkedMatches([match("large", 1, "x")], workspace)).toEqual([
    match("large", 1, notChecked["too large"]),
  ]);
  await place.close();
});
