// `npm run release`: everything that must be true of a release, then the tarball and its list of parts.
// The version is the one in package.json; nothing else names it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { partsList } from "./parts-list.ts";

const home = resolve(import.meta.dirname, "..");
const { version, repository } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const target = join(home, ".release");
const usage = `npm run release [-- --publish]

Checks that the tree is clean and that CHANGELOG.md describes ${version}, runs all tests, and writes the tarball and a list of its
parts (CycloneDX) to .release/.

  --publish   then publishes the tarball with provenance and adds the tag v${version}; only in a build service that npm knows`;
const { publish: isPublished, help } = options();
if (help) {
  console.log(usage);
  process.exit(0);
}
requireChangelog();
requireCleanTree();
if (isPublished) requireRepository();
mkdirSync(target, { recursive: true });
run("npm", ["test"]);
const [{ filename }] = JSON.parse(output("npm", ["pack", "--json", "--pack-destination", target]));
const tarball = join(target, filename);
writeFileSync(join(target, "sbom.cdx.json"), `${JSON.stringify(partsList(home), null, 2)}\n`);
console.log(`${tarball}\n${join(target, "sbom.cdx.json")}`);
if (isPublished) {
  // Provenance is a statement of the build service that made the package: npm refuses it anywhere else.
  run("npm", ["publish", tarball, "--provenance", "--access", "public"]);
  run("git", ["tag", `v${version}`]);
} else {
  console.log("Nothing was published: add --publish, in a build service that npm knows, to do that.");
}

function options(): { publish?: boolean; help?: boolean } {
  try {
    return parseArgs({ options: { publish: { type: "boolean" }, help: { type: "boolean", short: "h" } } })
      .values;
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`);
  }
}

/** The changes of this version are written down under its number, and nothing waits under "Unreleased". */
function requireChangelog(): void {
  const sections = readFileSync(join(home, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  const section = (title: string) => sections.find((text) => text.split(/[\s(]/)[0] === title);
  const body = (text: string | undefined) => text?.split("\n").slice(1).join("\n").trim() ?? "";
  if (body(section(version)) === "")
    fail(
      `CHANGELOG.md says nothing about ${version}. Move what is under "Unreleased" below "## ${version}".`,
    );
  if (body(section("Unreleased")) !== "")
    fail(`CHANGELOG.md still has changes under "Unreleased". They belong below "## ${version}".`);
}

function requireCleanTree(): void {
  const changed = output("git", ["status", "--porcelain"]);
  if (changed !== "") fail(`There are changes that are not committed:\n${changed}`);
  if (output("git", ["tag", "--list", `v${version}`]) !== "")
    fail(`v${version} is released already. Raise the version in package.json.`);
}

/** npm compares it with the repository that the build service works for. */
function requireRepository(): void {
  if (repository === undefined)
    fail(
      'package.json does not name a "repository". Provenance says from which one the package was built: add its address.',
    );
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { cwd: home, stdio: "inherit" });
}

function output(command: string, args: string[]): string {
  return execFileSync(command, args, {
    cwd: home,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
}

function fail(message: string): never {
  console.error(`release: ${message}`);
  process.exit(1);
}
