// The words index of 1, 4 and 16 times the bytes, each in a process of its own: time and memory.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verdict } from "../measure.ts";
import { ms, ratio } from "./measuring.ts";

export function growthRows(
  tree: string,
  scratch: string,
  index: (tree: string) => { ms: number; megabytes: number },
): void {
  console.log("\nGrowth of the words index with the bytes");
  const part = join(scratch, "part");
  copySome(tree, part, 8e6);
  const [one, four, sixteen] = [1, 4, 16].map((times) => {
    const root = join(scratch, `grown${times}`);
    for (let i = 0; i < times; i++) cpSync(part, join(root, `copy${i}`), { recursive: true });
    const found = index(root);
    console.log(`  ${times}×: ${ms(found.ms)}, ${found.megabytes.toFixed(0)} MB`);
    return found;
  });
  if (!one || !four || !sixteen) return;
  verdict(`16× the bytes take ${ratio(sixteen.ms, one.ms)} the time`, "≤ 20×", sixteen.ms <= 20 * one.ms);
  // From 1 to 16 it is five times as far as from 1 to 4; an empty process has its memory, too.
  const far = sixteen.megabytes - one.megabytes;
  const near = Math.max(four.megabytes - one.megabytes, 10);
  verdict(`memory grows ${ratio(far, near)} as much to 16× as to 4×`, "≤ 6×", far <= 6 * near);
}

/** Files of the tree until there are so many bytes. */
function copySome(from: string, to: string, most: number): void {
  let size = 0;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || size > most || !/\.(?:go|rs|c|h|cc|java|py|ts)$/.test(entry.name)) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    size += bytes.length;
    writeFileSync(join(to, `${size}-${entry.name}`), bytes);
  }
}
