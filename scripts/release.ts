// `npm run release [-- --publish]`: everything that must be true of a release, then the tarball and its list of parts.
// The version is the one in package.json; nothing else names it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const home = resolve(import.meta.dirname, "..");
const { name, version, dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const target = join(home, ".release");

requireChangelog();
requireCleanTree();
mkdirSync(target, { recursive: true });
run("npm", ["test"]);
const [{ filename }] = JSON.parse(output("npm", ["pack", "--json", "--pack-destination", target]));
const tarball = join(target, filename);
writeFileSync(join(target, "sbom.cdx.json"), `${JSON.stringify(partsList(), null, 2)}\n`);
console.log(`${tarball}\n${join(target, "sbom.cdx.json")}`);
if (process.argv.includes("--publish")) {
  // Provenance is a statement of the build service that made the package: npm refuses it anywhere else.
  run("npm", ["publish", tarball, "--provenance", "--access", "public"]);
  run("git", ["tag", `v${version}`]);
} else {
  console.log("Nothing was published: add --publish, in a build service that npm knows, to do that.");
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
  if (output("git", ["status", "--porcelain"]) !== "") fail("There are changes that are not committed.");
  if (output("git", ["tag", "--list", `v${version}`]) !== "")
    fail(`v${version} is released already. Raise the version in package.json.`);
}

/** What a user gets, as CycloneDX (`--omit=dev` of npm leaves out what development needs, too): the packages that are installed with Wield, and those whose code is in dist/. */
function partsList(): { components: Part[] } {
  const all: { components: Part[] } = JSON.parse(output("npm", ["sbom", "--sbom-format", "cyclonedx"]));
  const lock = JSON.parse(readFileSync(join(home, "package-lock.json"), "utf8"));
  const installed = Object.entries<{ version: string; dev?: boolean }>(lock.packages).flatMap(
    ([place, part]) =>
      part.dev || place === ""
        ? []
        : `${place.slice(place.lastIndexOf("node_modules/") + 13)}@${part.version}`,
  );
  const notices = readFileSync(join(home, "dist", "THIRD-PARTY-LICENSES.txt"), "utf8");
  const bundled = new Set(
    [...notices.matchAll(/^(@?[\w./-]+) (\d\S*) \(.*\)$/gm)].map(([, part, at]) => `${part}@${at}`),
  );
  const shipped = new Set([...installed, ...bundled]);
  const components = all.components.filter((part) => shipped.has(key(part)));
  const missing = Object.keys(dependencies).filter(
    (part) => !components.some((one) => key(one).startsWith(`${part}@`)),
  );
  if (missing.length > 0) fail(`The list of parts of ${name} lacks ${missing.join(", ")}.`);
  return { ...all, components };
}

interface Part {
  group?: string;
  name: string;
  version: string;
}

function key({ group, name: part, version: at }: Part): string {
  return `${group ? `${group}/` : ""}${part}@${at}`;
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
