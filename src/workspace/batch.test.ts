import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../failure/failure.ts";
import fc from "../testing/properties.ts";
import { capture } from "./capture.ts";
import { Jail } from "./jail.ts";
import { fingerprintOf } from "./node.ts";
import { by, bytes, makeWorkspace, plant, treeOf } from "./workspace.suite.ts";
import type { FileOperation } from "./workspace.ts";

const path = fc
  .array(fc.constantFrom("a", "b", "c", "l"), { minLength: 1, maxLength: 3 })
  .map((names) => names.join("/"));
const flag = fc.boolean();

const operation: fc.Arbitrary<FileOperation> = fc.oneof(
  fc.record({
    op: fc.constant("write" as const),
    path,
    bytes: fc.string({ maxLength: 3 }).map(bytes),
    createDirs: flag,
  }),
  fc.record({
    op: fc.constant("write" as const),
    path,
    bytes: fc.constant(bytes("run")),
    mode: fc.constantFrom(0o700, 0o444),
    createDirs: flag,
  }),
  fc.record({ op: fc.constant("delete" as const), path, recursive: flag }),
  fc.record({ op: fc.constant("move" as const), from: path, to: path, overwrite: flag, createDirs: flag }),
  fc.record({
    op: fc.constant("link" as const),
    path,
    target: fc.constantFrom("a", "b/c", "../a", "./l", "nothing"),
    createDirs: flag,
  }),
  fc.record({ op: fc.constant("mkdir" as const), path }),
);

const start = { "a/b": "1", "a/c/a": "2", b: "3", "c/a/b": "4", "c/b": "5", l: "->a/c" };

test("whatever the operations: what was planned is what is done, and undo and redo lead back and forth", async () => {
  const { workspace, root } = await makeWorkspace();
  const jail = new Jail(root);
  let done = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (tried) => {
      for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
      plant(root, start);
      const before = treeOf(root);
      const operations = await possible(tried, async (batch) => void (await workspace.plan(batch)));
      if (operations.length === 0) return;
      const plan = await workspace.plan(operations);
      expect(treeOf(root)).toEqual(before);
      for (const [seenPath, fingerprint] of plan.seen) {
        expect([seenPath, fingerprintOf(await capture(jail, seenPath))]).toEqual([seenPath, fingerprint]);
      }

      const change = await workspace.apply(operations, { ...by, expect: plan.seen });
      const after = treeOf(root);
      for (const file of plan.files) {
        if (
          file.change === "delete" &&
          plan.files.some((other) => other !== file && other.path === file.path)
        )
          continue;
        expect([file.path, fingerprintOf(await capture(jail, file.path))]).toEqual([file.path, file.after]);
      }
      expect(
        changedPaths(before, after).filter((changed) => !plan.files.some((file) => covers(file, changed))),
      ).toEqual([]);
      if (!change.undoable) {
        expect(after).toEqual(before);
        return;
      }
      await workspace.reverse("undo", {}, by);
      expect(treeOf(root)).toEqual(before);
      await workspace.reverse("redo", {}, by);
      expect(treeOf(root)).toEqual(after);
      done++;
    }),
    { numRuns: 60 },
  );
  jail.close();
  expect(done).toBeGreaterThan(20);
});

/** The operations that are accepted after the ones before them. */
async function possible(
  tried: FileOperation[],
  attempt: (batch: FileOperation[]) => Promise<void>,
): Promise<FileOperation[]> {
  const accepted: FileOperation[] = [];
  for (const next of tried) {
    try {
      await attempt([...accepted, next]);
      accepted.push(next);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return accepted;
}

function changedPaths(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys({ ...before, ...after }).filter((changed) => before[changed] !== after[changed]);
}

/** A move of a directory stands for all that is in it. */
function covers(file: { path: string; from?: string }, changed: string): boolean {
  return [file.path, file.from].some((named) => named === changed || changed.startsWith(`${named}/`));
}
