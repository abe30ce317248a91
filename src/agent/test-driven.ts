import { basename } from "node:path";
import type { Runtime } from "../runtime/runtime.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Test files that are run after one step at most. */
const maxFiles = 3;

/** After a change: runs the tests that belong to the changed files, and tells the model what failed. */
export function testsAfterChanges(
  runtime: Pick<Runtime, "step">,
  workspace: Pick<Workspace, "walk">,
  session: string,
  budget: number,
): (paths: readonly string[], signal: AbortSignal) => Promise<string | undefined> {
  return async (paths, signal) => {
    const tests = await testsOf(paths, workspace, signal);
    const calls = tests.slice(0, maxFiles).map((path) => ({ tool: "run_tests", input: { path } }));
    const outcomes = await runtime.step(calls, { signal, session, budget });
    const failed = outcomes.filter(({ result }) => {
      const counts = result.ok ? (result.value as { failed?: number }) : { failed: 0 };
      return (counts.failed ?? 0) > 0;
    });
    if (failed.length === 0) return undefined;
    return `Tests fail after this change:\n${failed.map(({ text }) => text).join("\n\n")}`;
  };
}

/** A changed test itself, and tests named after a changed file: `a.test.ts`, `a.spec.js`, `test_a.py`, `a_test.go`. */
async function testsOf(
  changed: readonly string[],
  workspace: Pick<Workspace, "walk">,
  signal: AbortSignal,
): Promise<string[]> {
  const subjects = new Set(changed.map(subjectOf));
  const found: string[] = [];
  for await (const { path, type } of workspace.walk({ signal })) {
    if (type === "file" && isTest(path) && subjects.has(subjectOf(path))) found.push(path);
  }
  return found;
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
