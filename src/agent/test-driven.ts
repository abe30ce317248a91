import { basename } from "node:path";
import type { Runtime } from "../runtime/runtime.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AfterChanges } from "./after-changes.ts";

/** Test files that are run after one step at most. */
const maxFiles = 5;
/** Files whose importers are looked up for one step at most: what everything imports belongs to no test in particular. */
const maxImported = 40;

/** The files that import a file. */
export type ImportersOf = (path: string, signal: AbortSignal) => Promise<readonly string[]>;

/** After a change: runs the tests that belong to the changed files, and tells the model what failed. */
export function testsAfterChanges(
  runtime: Pick<Runtime, "step">,
  workspace: Pick<Workspace, "walk">,
  importersOf: ImportersOf,
  session: string,
  budget: number,
): AfterChanges {
  return async (changes, signal) => {
    const paths = changes.flatMap(({ files }) => files.map(({ path }) => path));
    const tests = await testsOf(paths, workspace, importersOf, signal);
    const calls = tests.slice(0, maxFiles).map((path) => ({ tool: "run_tests", input: { path } }));
    const outcomes = await runtime.step(calls, { signal, session, budget });
    const failed = outcomes.filter(
      ({ result }) => !result.ok || ((result.value as { failed?: number }).failed ?? 0) > 0,
    );
    if (failed.length === 0) return undefined;
    return `Tests fail after this change:\n${failed.map(({ text }) => text).join("\n\n")}`;
  };
}

/**
 * A changed test itself, tests named after a changed file (`a.test.ts`, `a.spec.js`, `test_a.py`, `a_test.go`), then tests
 * that import it, directly or by way of other files, nearest first.
 */
async function testsOf(
  changed: readonly string[],
  workspace: Pick<Workspace, "walk">,
  importersOf: ImportersOf,
  signal: AbortSignal,
): Promise<string[]> {
  const subjects = new Set(changed.map(subjectOf));
  const named: string[] = [];
  for await (const { path, type } of workspace.walk({ signal })) {
    if (type === "file" && isTest(path) && subjects.has(subjectOf(path))) named.push(path);
  }
  return [...new Set([...named, ...(await importingTests(changed, importersOf, signal))])];
}

/** By way of the import graph, breadth first. */
async function importingTests(
  changed: readonly string[],
  importersOf: ImportersOf,
  signal: AbortSignal,
): Promise<string[]> {
  const seen = new Set(changed);
  const tests: string[] = [];
  const queue = changed.filter((path) => !isTest(path));
  for (let n = 0; n < Math.min(queue.length, maxImported) && tests.length < maxFiles; n++) {
    for (const path of await importersOf(queue[n] ?? "", signal)) {
      if (seen.has(path)) continue;
      seen.add(path);
      if (isTest(path)) tests.push(path);
      else queue.push(path);
    }
  }
  return tests;
}

function isTest(path: string): boolean {
  return /(?:[._-](?:test|spec))\.\w+$|^test_\w+\.py$/.test(basename(path));
}

function subjectOf(path: string): string {
  return basename(path)
    .replace(/\.\w+$/, "")
    .replace(/[._-](?:test|spec)$/, "")
    .replace(/^test_/, "");
}
