// How well the sandbox holds (the corpus, as root and as an ordinary user) and what a run costs beside a bare bubblewrap
// and a plain process; then a thousand runs, and what they leave. A regression list, not an audit. Argument: rounds.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { release, tmpdir } from "node:os";
import { join } from "node:path";
import { findControlGroups } from "../src/process/control-group.ts";
import { runCommand } from "../src/process/run.ts";
import { runConfined } from "../src/sandbox/bubblewrap.ts";
import {
  nobody,
  orderFor,
  Place,
  type Runner,
  runnerAs,
  runnerHere,
} from "../src/sandbox/corpus/attempt.suite.ts";
import { corpus, verdict as verdictOn } from "../src/sandbox/corpus/corpus.suite.ts";
import { policies, type SandboxPolicy, within } from "../src/sandbox/policy.ts";
import { report, sideBySide, verdict } from "./measure.ts";

const [rounds = 100] = process.argv.slice(2).map(Number);
const workspace = mkdtempSync(join(tmpdir(), "bench-"));
writeFileSync(join(workspace, "file"), "x\n");
const groups = findControlGroups();
const plain = { cwd: workspace, env: { PATH: "/usr/bin:/bin" } };
const { stdout } = await runCommand({ file: "/usr/bin/bwrap", args: ["--version"], ...plain });
console.log(`${stdout.text.trim()}, Linux ${release()}`);

await score(runnerHere());
if (process.getuid?.() === 0) await score(runnerAs(nobody));
await costs();
await overshoot();
await soak(10 * rounds);
rmSync(workspace, { recursive: true });

async function score(runner: Runner): Promise<void> {
  const holes: string[] = [];
  for (const one of corpus) {
    await using place = await Place.make(runner.uid, one.prepare);
    const attempt = await runner.attempt(orderFor(one, place.world, place.stateDir));
    const problem = verdictOn(one, attempt, place.world);
    if (problem !== null) holes.push(`    ${one.id} ${one.attempt}: ${problem}`);
  }
  console.log(`\nCorpus as uid ${runner.uid} (${await runner.describe()})`);
  const [all, held] = [corpus.length, corpus.length - holes.length];
  verdict(`${held} of ${all} attempts as expected`, `${all} of ${all}`, held === all);
  for (const hole of holes) console.log(hole);
  runner.close();
}

async function costs(): Promise<void> {
  const system = ["/usr", "/bin", "/lib", "/lib64"].flatMap((dir) => ["--ro-bind-try", dir, dir]);
  const view = [...system, "--proc", "/proc", "--dev", "/dev"];
  const bare = ["--unshare-all", ...view, "/bin/bash", "-c", "true"];
  for (const held of groups ? [groups, undefined] : [undefined]) {
    const timings = await sideBySide(
      [
        {
          name: "plain process",
          run: () => runCommand({ file: "/bin/bash", args: ["-c", "true"], ...plain }),
        },
        { name: "bare bubblewrap", run: () => runCommand({ file: "/usr/bin/bwrap", args: bare, ...plain }) },
        {
          name: "without overlay",
          run: () => confined({ ...policies.code, changes: "direct" }, "true", held),
        },
        { name: "overlay, unchanged", run: () => confined(policies.code, "true", held) },
        { name: "overlay and harvest", run: () => confined(policies.code, "echo y >> file", held) },
      ],
      rounds,
    );
    report(`One run, limits by ${held ? `control groups v${held.version}` : "a watchdog"}`, timings, {
      ratio: 2,
      of: "without overlay",
      to: "bare bubblewrap",
    });
    const ratio = (timings.at(-1)?.p50 ?? Number.NaN) / (timings[1]?.p50 ?? Number.NaN);
    verdict(`overlay and harvest / bare bubblewrap: ${ratio.toFixed(2)}×`, "≤ 4×", ratio <= 4);
  }
}

async function overshoot(): Promise<void> {
  console.log("\nA busy loop that ignores signals, with a timeout of 1 s");
  const started = performance.now();
  await confined(within(policies.code, 1000), "trap '' TERM; while :; do :; done", groups);
  const seconds = (performance.now() - started) / 1000;
  verdict(`returned after ${seconds.toFixed(2)} s`, "≤ 2.5 s", seconds <= 2.5);
}

async function soak(runs: number): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), "soak-"));
  process.env["TMPDIR"] = temporary;
  const traces = () => ({
    mounts: readFileSync("/proc/self/mountinfo", "utf8").split("\n").length,
    groups: spawnSync("find", ["/sys/fs/cgroup", "-name", `wield-${process.pid}-*`], { encoding: "utf8" })
      .stdout,
    children: spawnSync("ps", ["-o", "comm=", "--ppid", String(process.pid)], {
      encoding: "utf8",
    }).stdout.replace("ps\n", ""),
    files: readdirSync(temporary).length,
    descriptors: readdirSync("/proc/self/fd").length,
  });
  await confined(policies.code, "true", groups);
  const before = JSON.stringify(traces());
  let [next, wrong] = [0, 0];
  const lane = async () => {
    while (next < runs) {
      const n = next++ % 100;
      const { stdout, stderr, exitCode } = await confined(
        policies.code,
        `echo ${n}; echo e${n} >&2; exit ${n}`,
        groups,
      );
      if (stdout.text !== `${n}\n` || stderr.text !== `e${n}\n` || exitCode !== n) wrong++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  const after = JSON.stringify(traces());
  console.log(`\n${runs} runs, sixteen at once`);
  verdict(`${runs - wrong} exact`, `${runs}`, wrong === 0);
  verdict(
    `left behind: ${after === before ? "nothing" : `${before} became ${after}`}`,
    "nothing",
    after === before,
  );
  rmSync(temporary, { recursive: true });
}

function confined(policy: SandboxPolicy, code: string, held: typeof groups) {
  const dial = () => Promise.reject(new Error("no network here"));
  const job = { workspace, command: ["/bin/bash", "-c", code] as const };
  return runConfined(job, policy, { staging: "overlay", groups: held, dial });
}
