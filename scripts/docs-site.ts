// `npm run docs:site`: the documentation as a site with search, from the same files, in site/dist. What it needs is installed
// into site/ by the first run; it is no part of Wield's own development dependencies.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const site = join(root, "site");
const pages = join(site, ".pages");

/** Pages beside docs/, by their name on the site. */
const others: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "ARCHITECTURE.md": "architecture.md",
  "CONTRIBUTING.md": "contributing.md",
  "CHANGELOG.md": "changelog.md",
};

rmSync(pages, { recursive: true, force: true });
cpSync(join(root, "docs"), pages, { recursive: true });
for (const name of readdirSync(pages).filter((file) => file.endsWith(".md")))
  writeFileSync(join(pages, name), withSiteLinks(readFileSync(join(pages, name), "utf8")));
for (const [file, name] of Object.entries(others))
  writeFileSync(join(pages, name), withSiteLinks(readFileSync(join(root, file), "utf8")));

if (!existsSync(join(site, "node_modules/vitepress"))) run("npm", "ci", "--ignore-scripts", "--no-audit");
run("node_modules/.bin/vitepress", "build");
console.log(
  `site: ${join("site", "dist")}, ${readdirSync(pages).filter((f) => f.endsWith(".md")).length} pages`,
);

/** All pages lie in one folder there. */
function withSiteLinks(text: string): string {
  return text.replaceAll(
    /\]\((?:\.\.\/|docs\/)?([\w./-]+)((?:#[\w-]*)?)\)/g,
    (_, path: string, anchor: string) => {
      return `](${others[path] ?? path}${anchor})`;
    },
  );
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
