// `npm run docs:site`: the documentation as a site with search, from the same files, in site/dist. A link that leads nowhere
// fails. What it needs is a package of its own, site/, which setup installs. Nothing is built when nothing has changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const site = join(root, "site");
const pages = join(site, ".pages");
const dist = join(site, "dist");
const builtFrom = join(dist, ".built-from");

/** Pages beside docs/, by their name on the site. */
const others: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "ARCHITECTURE.md": "architecture.md",
  "CONTRIBUTING.md": "contributing.md",
  "CHANGELOG.md": "changelog.md",
};

rmSync(pages, { recursive: true, force: true });
cpSync(join(root, "docs"), pages, { recursive: true });
// Files to download, which no page is made of.
cpSync(join(root, "docs/deploy"), join(pages, "public/deploy"), { recursive: true });
for (const file of pagesThere())
  writeFileSync(file, asSitePage(readFileSync(file, "utf8"), dirname(file) === pages));
for (const [file, name] of Object.entries(others))
  writeFileSync(join(pages, name), asSitePage(readFileSync(join(root, file), "utf8"), true));

const sources = digest([
  ...filesIn(pages),
  join(site, ".vitepress/config.mjs"),
  join(site, "package-lock.json"),
  import.meta.filename,
]);
if (!existsSync(builtFrom) || readFileSync(builtFrom, "utf8") !== sources) {
  const vitepress = spawnSync("node_modules/.bin/vitepress", ["build"], { cwd: site, stdio: "inherit" });
  if (vitepress.error) console.error("Run it as `npm run docs:site`, which installs what it needs.");
  if (vitepress.status !== 0) process.exit(vitepress.status ?? 1);
  writeFileSync(builtFrom, sources);
}
console.log(`site: ${join("site", "dist")}, ${pagesThere().length} pages`);

function pagesThere(): string[] {
  return filesIn(pages).filter((file) => file.endsWith(".md"));
}

/** Pages of the repository's root and of docs/ lie in one folder there. Comments for whoever edits a page are left out. */
function asSitePage(text: string, isInThatFolder: boolean): string {
  const shown = text.replaceAll(/^<!--.*-->\n+/gm, "");
  if (!isInThatFolder) return shown;
  return shown.replaceAll(
    /\]\((?:\.\.\/|docs\/)?([\w./-]+)((?:#[\w-]*)?)\)/g,
    (_, path: string, anchor: string) => {
      return `](${others[path] ?? path}${anchor})`;
    },
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

function digest(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}
