import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../failure/failure.ts";
import { startFixture } from "./process.suite.ts";
import { by, bytes, makeWorkspace, openDescriptors, plant } from "./workspace.suite.ts";

const raceMs = 2_500;

test("nothing leaks in or out while a directory is swapped for a link that leads outside", async () => {
  const { workspace, root, folder } = await makeWorkspace({
    "a/swap/b/file": "inside",
    "a/swap/file": "inside",
  });
  const outside = join(folder, "outside");
  plant(outside, { "b/file": "SECRET", file: "SECRET" });
  const swapper = startFixture("swapper.ts", join(root, "a/swap"), outside);
  expect((await swapper.lines.next()).value).toBe("ready");
  await workspace.apply([{ op: "write", path: "warm-up", bytes: bytes("") }], by);
  const descriptors = openDescriptors();
  const seen = { inside: 0, refused: 0, listed: 0, written: 0 };

  const end = performance.now() + raceMs;
  for (let i = 0; performance.now() < end; i++) {
    try {
      for (let j = 0; j < 50; j++) {
        expect((await workspace.read(j % 2 ? "a/swap/file" : "a/swap/b/file")).bytes.toString()).toBe(
          "inside",
        );
        seen.inside++;
      }
      for await (const entry of workspace.walk()) if (entry.path.startsWith("a/swap/")) seen.listed++;
      await workspace.apply([{ op: "write", path: `a/swap/new-${i % 50}`, bytes: bytes("x") }], by);
      seen.written++;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      seen.refused++;
    }
  }
  expect(openDescriptors()).toBe(descriptors);

  swapper.child.stdin?.end();
  expect(Number((await swapper.lines.next()).value)).toBeGreaterThan(0);
  await swapper.exit;
  expect(readdirSync(outside, { recursive: true }).sort()).toEqual(["b", "b/file", "file"]);
  expect(readFileSync(join(outside, "file"), "utf8")).toBe("SECRET");
  expect(seen.inside).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
});
