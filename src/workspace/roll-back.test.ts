import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Blobs } from "./blobs.ts";
import { Contents } from "./contents.ts";
import { Draft } from "./draft.ts";
import { Jail } from "./jail.ts";
import { perform } from "./perform.ts";
import { cleanUp, rollBack } from "./roll-back.ts";
import { Simulation } from "./simulation.ts";
import type { Step } from "./step.ts";
import { bytes, makeFolder, openDescriptors, treeOf } from "./workspace.suite.ts";
import type { FileOperation } from "./workspace.ts";

async function draft(
  jail: Jail,
  folder: string,
  operations: FileOperation[],
): Promise<{ steps: Step[]; contents: Contents }> {
  const made = new Draft(jail, new Simulation(jail), false);
  for (const operation of operations) await made.add(operation);
  return {
    steps: made.steps,
    contents: new Contents(jail, new Blobs(join(folder, "blobs")), made.contents, new Map()),
  };
}

function openJail(root: string): Jail {
  const jail = new Jail(root);
  onTestFinished(() => jail.close());
  return jail;
}

const files = { a: "1", b: "2", "d/x": "3", "d/e/y": "4", l: "->a" };
const operations: FileOperation[] = [
  { op: "write", path: "a", bytes: bytes("new a") },
  { op: "write", path: "n/m/f", bytes: bytes("new"), createDirs: true },
  { op: "write", path: "d/x", bytes: bytes("new x") },
  { op: "move", from: "a", to: "b", overwrite: true },
  { op: "move", from: "d", to: "n/d" },
  { op: "link", path: "l", target: "n" },
  { op: "delete", path: "n/d/e", recursive: true },
  { op: "write", path: "n/d/e", bytes: bytes("a file where a directory was") },
  { op: "delete", path: "b" },
];

test("steps are taken back from wherever they stopped, and once more without harm", async () => {
  const { folder, root } = makeFolder(files);
  const jail = openJail(root);
  const { steps, contents } = await draft(jail, folder, operations);
  const before = treeOf(root);
  const descriptors = openDescriptors();
  for (let done = 0; done <= steps.length; done++) {
    const id = `stop${done}`;
    await perform(jail, { id, steps: steps.slice(0, done) }, contents);
    await rollBack(jail, { id, steps });
    expect(treeOf(root)).toEqual(before);
    await rollBack(jail, { id, steps });
    expect(treeOf(root)).toEqual(before);
  }
  expect(openDescriptors()).toBe(descriptors);
});

test("nothing but the result is left after cleaning up", async () => {
  const { folder, root } = makeFolder(files);
  const jail = openJail(root);
  const { steps, contents } = await draft(jail, folder, operations);
  const intent = { id: "whole", steps };
  await perform(jail, intent, contents);
  await cleanUp(jail, intent);
  expect(treeOf(root)).toEqual({
    l: "link n",
    n: "directory 755",
    "n/d": "directory 755",
    "n/d/e": "file 644 a file where a directory was",
    "n/d/x": "file 644 new x",
    "n/m": "directory 755",
    "n/m/f": "file 644 new",
  });
});

test("what others wrote since stays, and the old content is put beside it", async () => {
  const { folder, root } = makeFolder({ a: "old", b: "old b" });
  const jail = openJail(root);
  const { steps, contents } = await draft(jail, folder, [
    { op: "write", path: "a", bytes: bytes("ours") },
    { op: "delete", path: "b" },
    { op: "write", path: "new", bytes: bytes("ours") },
  ]);
  const intent = { id: "died", steps };
  await perform(jail, intent, contents);
  for (const name of ["a", "b", "new"]) writeFileSync(join(root, name), "theirs");
  await rollBack(jail, intent);
  expect(treeOf(root)).toEqual({
    a: "file 644 theirs",
    "a.before-died": "file 644 old",
    b: "file 644 theirs",
    "b.before-died": "file 644 old b",
    new: "file 644 theirs",
  });
});

test("a file that someone else made first, though the same, is not taken for ours", async () => {
  const { folder, root } = makeFolder({});
  const jail = openJail(root);
  const { steps, contents } = await draft(jail, folder, [{ op: "write", path: "f", bytes: bytes("same") }]);
  writeFileSync(join(root, "f"), "same");
  const intent = { id: "late", steps };
  await expect(perform(jail, intent, contents)).rejects.toThrow();
  await rollBack(jail, intent);
  expect(readdirSync(root)).toEqual(["f"]);
  expect(readFileSync(join(root, "f"), "utf8")).toBe("same");
});
