import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runConfined } from "./confined.ts";
import type { Question } from "./questions.ts";

const patienceSeconds = 900;

/** A repository of its own for a run that changes it. Links in it stay as they are: they would lead out of it. */
export function copyOf(repository: string, copy: string): string {
  rmSync(copy, { recursive: true, force: true });
  cpSync(repository, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Whether the task's own check succeeds on what was made of the repository; in a copy, so that the work stays as it was left. */
export function isSolved({ id, check, check_files: files = {} }: Question, work: string): boolean {
  if (check === undefined) throw new Error(`${id} is a task without a check.`);
  const folder = copyOf(work, `${work}-checked`);
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return runConfined(folder, check, patienceSeconds).exitCode === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
