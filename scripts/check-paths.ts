// The documents match the code: every file and folder that they name exists, from the repository's root, from src/ or beside them,
// ARCHITECTURE.md names every module, and each line of the threat model that says what holds names its test.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const documents = ["ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md", "README.md", "docs/threat-model.md"];
/** Files of a workspace, of the user or of the build, and names that are advised against. */
const elsewhere = /^(?:~|\$|\.wield\/|journal\.db|trust\.json|CLAUDE\.md|package\.json|dist\/|utils\.ts)/;

const problems: string[] = [];
let paths = 0;
for (const document of documents) {
  for (const name of namesIn(readFileSync(join(root, document), "utf8"))) {
    if (elsewhere.test(name) || name.includes("*")) continue;
    paths++;
    if (
      ![root, join(root, "src"), join(root, dirname(document))].some((folder) =>
        existsSync(join(folder, name)),
      )
    )
      problems.push(`${document} names ${name}, which does not exist`);
  }
}
const map = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
for (const { name } of readdirSync(join(root, "src"), { withFileTypes: true }).filter((f) => f.isDirectory()))
  if (!map.includes(`${name}/`)) problems.push(`ARCHITECTURE.md does not name the module src/${name}/`);

const model = readFileSync(join(root, "docs/threat-model.md"), "utf8");
const [, holds = ""] = /^## What holds\n(.*?)^## /ms.exec(model) ?? [];
const claims = holds
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2);
for (const claim of claims)
  if (!/\.test\.ts`\|$/.test(claim)) problems.push(`docs/threat-model.md names no test: ${claim}`);
if (claims.length === 0) problems.push("docs/threat-model.md says of nothing that it holds");

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
