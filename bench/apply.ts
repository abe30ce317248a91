// A run that deletes, edits and creates thousands of files of a git repository: the time from the end of the program until its
// changes are in the workspace, and the time of the undo. Goal: 9,000 files within 10 s. Argument: how many files.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { testWield } from "../src/testing/testing.ts";
import { verdict } from "./measure.ts";

// A run may add 9,000 files, and the folders that it changes count.
const [files = 8_850] = process.argv.slice(2).map(Number);
const third = Math.floor(files / 3);
const pathOf = (index: number) => `src/module-${index % 100}/file-${index}.ts`;
const before = Object.fromEntries(
  Array.from({ length: 2 * third }, (_, index) => [
    pathOf(index),
    `export const value${index} = ${index};\n`.repeat(40),
  ]),
);
const test = await testWield(before, { mode: "edits" });
const git = (...args: string[]) => spawnSync("git", args, { cwd: test.root });
git("init", "-q");
git("add", "-A");
git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first");

const code = `
import os
for i in range(${3 * third}):
    p = f"src/module-{i % 100}/file-{i}.ts"
    if i < ${third}:
        os.unlink(p)
    else:
        os.makedirs(os.path.dirname(p), exist_ok=True)
        with open(p, "a") as f: f.write(f"export const added{i} = {i};\\n" * 40)
`;

async function measured(tool: "run_code" | "undo", input: object) {
  const [started, used] = [performance.now(), process.cpuUsage()];
  const { result, text } = await test.wield.call(tool, input as never);
  const { user, system } = process.cpuUsage(used);
  if (!result.ok) throw new Error(result.error.message);
  return {
    value: result.value,
    text,
    wall: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
  };
}
const isDone = (done: boolean) =>
  existsSync(join(test.root, pathOf(0))) !== done && existsSync(join(test.root, pathOf(2 * third))) === done;

const run = await measured("run_code", { language: "python", code, timeout: 300 });
const program = (run.value as { duration: number }).duration / 1000;
const applied = run.wall - program;
console.log(`${/\d+ files changed/.exec(run.text)?.[0]} by a program of ${program.toFixed(1)} s`);
const cost = `applied in ${applied.toFixed(1)} s (${run.cpu.toFixed(1)} s of CPU)`;
verdict(cost, "≤ 10 s", applied <= 10 && isDone(true));
const undo = await measured("undo", {});
const back = `undone in ${undo.wall.toFixed(1)} s (${undo.cpu.toFixed(1)} s of CPU)`;
verdict(back, "≤ 10 s", undo.wall <= 10 && isDone(false));
await test.close();
