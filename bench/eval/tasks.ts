import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runConfined } from "./confined.ts";
import type { Question } from "./questions.ts";

const patienceSeconds = 300;

/** A repository of its own for a run that changes it. */
export function copyOf(repository: string, runFolder: string): string {
  const copy = join(runFolder, "work");
  rmSync(copy, { recursive: true, force: true });
  cpSync(repository, copy, { recursive: true });
  return copy;
}

/** Whether the task's own check succeeds on what was made of the repository. */
export function isSolved({ id, check, check_files: files = {} }: Question, folder: string): boolean {
  if (check === undefined) throw new Error(`${id} is a task without a check.`);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return runConfined(folder, check, patienceSeconds).exitCode === 0;
}
