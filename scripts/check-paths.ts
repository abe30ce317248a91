// The documents match the code: every file and folder that they name exists, from the repository's root or from src/, and
// ARCHITECTURE.md names every module.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const documents = ["ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md", "README.md"];
/** Files of a workspace, of the user or of the build, and names that are advised against. */
const elsewhere = /^(?:~|\$|\.wield\/|journal\.db|trust\.json|CLAUDE\.md|package\.json|dist\/|utils\.ts)/;

const problems: string[] = [];
let paths = 0;
for (const document of documents) {
  for (const name of namesIn(readFileSync(join(root, document), "utf8"))) {
    if (elsewhere.test(name) || name.includes("*")) continue;
    paths++;
    if (!existsSync(join(root, name)) && !existsSync(join(root, "src", name)))
      problems.push(`${document} names ${name}, which does not exist`);
  }
}
const map = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
for (const { name } of readdirSync(join(root, "src"), { withFileTypes: true }).filter((f) => f.isDirectory()))
  if (!map.includes(`${name}/`)) problems.push(`ARCHITECTURE.md does not name the module src/${name}/`);

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`paths: ${paths} named files exist`);

/** Paths in backticks, and those in pictures and links. Folders end with a slash. */
function namesIn(text: string): Set<string> {
  const file = /(?<![\w/.~$<-])(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|md|json|css|png|db)\b(?!\/)/g;
  const folder = /(?<=[`\s(])(?:[\w.-]+\/)+(?=[`\s:;,.)])/g;
  return new Set([...text.matchAll(file), ...text.matchAll(folder)].map(([name]) => name));
}
