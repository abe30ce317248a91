// `npm run bench cluster-index ./REPOSITORY [sessions]`: what the code index costs a worker whose sessions all search one repository: made
// once and shared, and made by each. The repository is a git folder with some thousand files; default: this one.
import { execFileSync, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const home = resolve(import.meta.dirname, "..");
const repository = resolve(process.argv.find((word, n) => n > 1 && word.includes("/")) ?? home);
const sessions = process.argv.find((word, n) => n > 1 && /^\d+$/.test(word)) ?? "20";
const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
const ref = git("symbolic-ref", "--short", "HEAD");
console.log(`${git("ls-tree", "-r", "--name-only", ref).split("\n").length} files, ${sessions} sessions`);

for (const how of ["alone", "shared"]) {
  const args = [join(import.meta.dirname, "cluster", "index-sessions.ts"), repository, ref, sessions, how];
  const { stdout, status } = spawnSync(process.execPath, ["--expose-gc", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) process.exit(1);
  const r = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, number | null>;
  const seconds = (ms: number | null | undefined) =>
    ms == null ? "no answer" : `${(ms / 1000).toFixed(1)} s`;
  const megabytes = (bytes: number | null | undefined) => `${((bytes ?? 0) / 1e6).toFixed(1)} MB`;
  console.log(
    [
      `${how}: first answer of the first session ${seconds(r["first"])}, of the second ${seconds(r["second"])}`,
      `the others at once: slowest ${seconds(r["slowest"])}, without an answer ${r["unanswered"]}, all open after ${seconds(r["together"])}`,
      `memory: first session ${megabytes(r["firstBytes"])}, second ${megabytes(r["secondBytes"])}, each of the others ${megabytes(r["eachBytes"])}; process ${megabytes(r["rss"])}`,
      `processor time ${(r["cpuSeconds"] ?? 0).toFixed(0)} s`,
    ].join("\n  "),
  );
}
