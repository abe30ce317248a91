// A process of its own for churn.test.ts: edits, renames and deletes files at random and queries the index at the same time.
import { randomInt } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, indexFolderAt } from "../folder.suite.ts";
import { findExact } from "../resolve/definitions.ts";
import { Project } from "./project.ts";

const [root = "", state = "", who = "", rounds = "0"] = process.argv.slice(2);
const project = new Project(filesBelow(root), indexFolderAt(state));
const mine = new Map<string, string>();
let made = 0;

for (let round = 0; round < Number(rounds); round++) {
  const files = [...mine.keys()];
  const some = files[randomInt(Math.max(1, files.length))];
  const choice = randomInt(10);
  if (choice < 5 || !some) {
    const path = some && choice < 2 ? some : `${who}-${made++}.ts`;
    mine.set(path, `${who}Name${made}x${round}`);
    writeFileSync(join(root, path), `export function ${mine.get(path)}() {}\n`);
  } else if (choice < 8) {
    const path = `${who}-moved-${made++}.ts`;
    renameSync(join(root, some), join(root, path));
    mine.set(path, mine.get(some) ?? "");
    mine.delete(some);
  } else {
    rmSync(join(root, some));
    mine.delete(some);
  }
  // Own changes are announced, so every answer must be right at once.
  project.index.invalidate();
  const names = [...mine];
  const [path, name] = names[randomInt(Math.max(1, names.length))] ?? [];
  if (!path || !name) continue;
  const found = await project.ask(() => findExact(project, name));
  if (found.length !== 1 || found[0]?.file !== path) {
    console.error(`${who} asked for ${name} in ${path}, found ${JSON.stringify(found.map((d) => d.file))}`);
    process.exit(1);
  }
}
project.close();
process.stdout.write(JSON.stringify([...mine]));
