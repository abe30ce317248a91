import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";
import { expectSuccess, startFixture } from "./process.suite.ts";
import { by, type Files, makeFolder, treeOf } from "./workspace.suite.ts";
import type { Workspace } from "./workspace.ts";

const killingMs = 12_000;

function start(): Files {
  const files: Files = {
    "link-0": "->d0/f0",
    "d3/run.sh": whole("run"),
    "pair/left": whole("p"),
    "pair/right": whole("p"),
  };
  for (let i = 0; i < 20; i++)
    files[`d${i % 4}/${i % 3 ? "" : "e0/"}f${i % 5}`] = whole(String(i).repeat(100));
  return files;
}

function whole(body: string): string {
  return `${createHash("sha256").update(body).digest("hex")}\n${body}`;
}

/** No file torn, no temporary file left, and what one batch writes to two places is the same in both. */
function expectWhole(root: string): void {
  const tree = treeOf(root);
  for (const [path, state] of Object.entries(tree)) {
    expect(path).not.toMatch(/\.tmp$|\.before-/);
    if (!state.startsWith("file ")) continue;
    const content = readFileSync(join(root, path), "utf8");
    expect(content).toBe(whole(content.slice(65)));
  }
  expect(tree["pair/left"]).toBe(tree["pair/right"]);
}

async function undoAll(workspace: Workspace): Promise<number> {
  for (let undone = 0; ; ) {
    if ((await workspace.changes({ limit: 1_000_000 })).every(({ state }) => state === "undone"))
      return undone;
    undone += (await workspace.reverse("undo", { steps: 100 }, by)).length;
  }
}

test("a kill at any moment leaves each file old or new, and everything can be undone", async () => {
  const { folder, root, stateDir } = makeFolder(start());
  const pristine = join(folder, "pristine");
  cpSync(root, pristine, { recursive: true, verbatimSymlinks: true });

  const end = performance.now() + killingMs;
  let kills = 0;
  while (performance.now() < end || kills < 5) {
    const writer = startFixture("busy-writer.ts", root, stateDir, "0");
    await writer.lines.next();
    // One of them surely has changed something; the others are killed whenever it comes.
    if (kills === 0) await writer.lines.next();
    await sleep(Math.random() * 200);
    writer.child.kill("SIGKILL");
    expect(await writer.exit).toBeNull();
    kills++;
    const workspace = await openWorkspace(root, { stateDir });
    expectWhole(root);
    workspace.close();
  }

  const workspace = await openWorkspace(root, { stateDir });
  const undone = await undoAll(workspace);
  expect(undone).toBeGreaterThan(0);
  expect(treeOf(root)).toEqual(treeOf(pristine));
  workspace.close();
});

test("several processes change one workspace at once, and nothing is lost", async () => {
  const { folder, root, stateDir } = makeFolder(start());
  const pristine = join(folder, "pristine");
  cpSync(root, pristine, { recursive: true, verbatimSymlinks: true });
  const writers = [1, 2, 3].map(() => startFixture("busy-writer.ts", root, stateDir, "40"));
  await expectSuccess(writers);
  expectWhole(root);
  const workspace = await openWorkspace(root, { stateDir });
  expect(await undoAll(workspace)).toBeGreaterThan(0);
  expect(treeOf(root)).toEqual(treeOf(pristine));
  workspace.close();
});

test("what two processes read and write back is never overwritten unseen", async () => {
  const { root, stateDir } = makeFolder({});
  writeFileSync(join(root, "counter"), "0");
  const counters = [1, 2].map(() => startFixture("counter.ts", root, stateDir, "40"));
  await expectSuccess(counters);
  expect(readFileSync(join(root, "counter"), "utf8")).toBe("80");
  expect(readdirSync(root)).toEqual(["counter"]);
});
