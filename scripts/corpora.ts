// Sources of real packages for the oracle tests and the benchmarks, fetched once into node_modules/.cache/corpora.
// Nothing of them belongs into the repository. Without apt or a registry the tests that need them are skipped.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

export const corporaFolder = resolve(import.meta.dirname, "../node_modules/.cache/corpora");

const corpora = {
  go: { apt: ["golang-golang-x-tools-dev", "golang-golang-x-net-dev"] },
  rust: { apt: ["librust-syn-dev", "librust-regex-dev", "librust-clap-dev", "librust-serde-dev"] },
  c: { apt: ["gnulib"] },
  cpp: { apt: ["libabsl-dev", "libfmt-dev"] },
  java: { npm: ["react-native-svg@15.15.0", "react-native-reanimated@3.17.5"] },
} as const;

if (import.meta.main) {
  for (const [name, source] of Object.entries(corpora)) {
    const folder = join(corporaFolder, name);
    if (existsSync(folder)) continue;
    const staging = `${folder}.${process.pid}`;
    mkdirSync(staging, { recursive: true });
    const whole =
      "apt" in source
        ? source.apt.every((debian) => unpackDebian(debian, staging))
        : source.npm.every((module) => unpackModule(module, staging));
    if (whole) renameSync(staging, folder);
    else rmSync(staging, { recursive: true });
    console.log(`corpora: ${name} ${whole ? "ready" : "could not be fetched"}`);
  }
}

function unpackDebian(name: string, folder: string): boolean {
  if (!succeeds("apt-get", ["download", "-qq", name], folder)) return false;
  const archive = readdirSync(folder).find((file) => file.startsWith(`${name}_`));
  return archive !== undefined && succeeds("dpkg", ["-x", archive, "."], folder);
}

function unpackModule(name: string, folder: string): boolean {
  if (!succeeds("npm", ["pack", "--silent", name], folder)) return false;
  const archive = readdirSync(folder).find((file) => file.endsWith(".tgz"));
  if (!archive) return false;
  const target = join(folder, archive.replace(/\.tgz$/, ""));
  mkdirSync(target);
  const done = succeeds("tar", ["xzf", archive, "-C", target], folder);
  rmSync(join(folder, archive));
  return done;
}

function succeeds(command: string, args: string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd, stdio: "ignore" }).status === 0;
}
