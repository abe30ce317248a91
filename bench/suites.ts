// `npm run bench suites -- DIR… "DIR=command"…`: the whole test suite of each project inside the sandbox and outside, with
// the same command and cold caches, each in a copy of its own; the tests whose verdict differs, and the time. Wield finds the
// runner as run_tests does; a command after = is used where it knows none.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { toolchainVariables, variablesOf } from "../src/app/environment.ts";
import { runCommand } from "../src/process/run.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import { limited, policies } from "../src/sandbox/policy.ts";
import type { Mount } from "../src/sandbox/sandbox.ts";
import { withoutTerminalCodes } from "../src/text/terminal-codes.ts";
import { limitsFor } from "../src/tools/run/asked-limits.ts";
import { jobParts, projectEnvironment } from "../src/tools/run/project-environment.ts";
import { readReport, type TestState } from "../src/tools/run/test-reports.ts";
import { chooseRunner, type TestRun } from "../src/tools/run/test-runners.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";

interface Ran {
  exitCode: number | null;
  seconds: number;
  tests: TestState[];
}

const rounds = 2;
const seconds = 1800;
const limitOfRatio = 1.25;
const sandbox = openSandbox(() => Promise.reject(new Error("no network")));
const host = { env: variablesOf(process.env, toolchainVariables), run: runCommand };

/** Of commands that write no report: the lines of the usual kinds that name a test and its verdict. */
const lines: [pattern: RegExp, state: (word: string) => TestState["state"]][] = [
  [/^\s*(?<word>ok|not ok) \d+ -? ?(?<name>.*)$/gm, (word) => (word === "ok" ? "passed" : "failed")],
  [/^(?:.*:)?(?<name>\w+):(?<word>PASS|FAIL|IGNORE)\b/gm, (word) => verdictOf(word)],
  [
    /Test +#\d+: (?<name>\S+) \.+ +(?<word>Passed|\*{3}\w+)/g,
    (word) => (word === "Passed" ? "passed" : "failed"),
  ],
  [/Tests run: (?<name>\d+), Failures: 0, Errors: 0, Skipped: \d+.* (?:in|--) (?<word>\S+)/g, () => "passed"],
  [/Tests run: (?<name>\d+), Failures: \d+, Errors: \d+.*(?<word>FAILURE|ERROR)!.*/g, () => "failed"],
];

const wanted = process.argv.slice(2);
if (wanted.length === 0) console.log('No projects given: npm run bench suites -- DIR… "DIR=command"…');
else console.log(await sandbox.describe());
for (const one of wanted) {
  const [, place = "", command] = /^([^=]+)(?:=(.+))?$/s.exec(one) ?? [];
  await compare(resolve(place), command);
}

async function compare(project: string, command: string | undefined): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "suites-"));
  try {
    const best: { inside?: Ran; outside?: Ran } = {};
    for (let round = 0; round < rounds; round++) {
      for (const where of ["outside", "inside"] as const) {
        const ran = await runOnce(where, project, command, join(home, `${where}-${round}`));
        if (ran.seconds < (best[where]?.seconds ?? Number.POSITIVE_INFINITY)) best[where] = ran;
      }
    }
    if (best.inside && best.outside) tell(basename(project), best.inside, best.outside);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function runOnce(
  where: "inside" | "outside",
  project: string,
  command: string | undefined,
  home: string,
): Promise<Ran> {
  const folder = join(home, "ws");
  mkdirSync(home, { recursive: true });
  cpSync(project, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const workspace = await openWorkspace(folder, { stateDir: join(home, "state") });
  try {
    const run =
      command === undefined
        ? await chooseRunner({ path: undefined, filter: undefined }, workspace, host)
        : await commandRun(command, workspace);
    return where === "inside" ? await runInside(run, folder) : await runOutside(run, folder, home);
  } finally {
    workspace.close();
  }
}

async function commandRun(
  command: string,
  workspace: Awaited<ReturnType<typeof openWorkspace>>,
): Promise<TestRun> {
  return {
    runner: command,
    tooling: { command: ["/bin/bash", "-c", command], mounts: [], env: {} },
    environment: await projectEnvironment(workspace, ".", host),
    args: [],
    directory: ".",
    format: "none",
    files: {},
  };
}

async function runInside(run: TestRun, folder: string): Promise<Ran> {
  const { stdout, stderr, exitCode, durationMs, outbox, limit } = await sandbox.run(
    {
      workspace: folder,
      command: [...run.tooling.command, ...run.args],
      ...jobParts(run.environment, run.tooling),
      files: run.files,
    },
    limited(policies.tests, limitsFor({ timeout: seconds }, {})),
  );
  if (limit !== null) console.log(`  inside met its limit: ${limit}`);
  const report = outbox.find((entry) => entry.kind === "file" && entry.path.startsWith("report."));
  const written = report?.kind === "file" ? report.bytes.toString() : "";
  return ranOf(run, written, stdout.text, stderr.text, exitCode, durationMs);
}

/** The same command with every place inside replaced by the one it stands for. */
async function runOutside(run: TestRun, folder: string, home: string): Promise<Ran> {
  const { mounts, env } = jobParts(run.environment, run.tooling);
  const places: Mount[] = [
    ...mounts,
    { from: folder, to: "/ws" },
    { from: join(home, "out"), to: "/out" },
    { from: join(home, "files"), to: "/run/wield" },
    { from: join(home, "tmp"), to: "/tmp" },
  ];
  for (const name of ["out", "files", "tmp"]) mkdirSync(join(home, name));
  for (const [name, content] of Object.entries(run.files))
    writeFileSync(join(home, "files", name), content.replaceAll("/out/", `${join(home, "out")}/`));
  const outside = (text: string) => {
    const place = places.find(({ to }) => text === to || text.startsWith(`${to}/`));
    return place ? place.from + text.slice(place.to.length) : text;
  };
  const option = (word: string) =>
    word.replace(/^((?:--?)?[\w.-]+=)?(.*)$/s, (_all, name = "", value = "") => name + outside(value));
  const own = Object.entries(run.tooling.env).map(([name, value]) => [name, outside(value)] as const);
  const caches = Object.entries(env).filter(([name]) =>
    /^(?:GOCACHE|CARGO_TARGET_DIR|GOPROXY|GOTOOLCHAIN)$/.test(name),
  );
  const [file = "", ...args] = [...run.tooling.command, ...run.args].map(option);
  const { stdout, stderr, exitCode, durationMs } = await runCommand({
    file,
    args,
    cwd: folder,
    env: {
      ...variablesOf(
        process.env,
        Object.keys(process.env).filter((name) => name !== "NODE_ENV"),
      ),
      ...Object.fromEntries(caches.map(([name, value]) => [name, outside(value)])),
      ...Object.fromEntries(own.filter(([name]) => name !== "CARGO_HOME")),
      // What npm adds to the environment of this script is nothing that the person's terminal has.
      PATH: (process.env["PATH"] ?? "")
        .split(":")
        .filter((one) => !one.includes("node_modules"))
        .join(":"),
    },
    timeoutMs: seconds * 1000,
    maxBytes: 64 * 1024 * 1024,
  });
  const report = ["report.json", "report.xml"]
    .map((name) => join(home, "out", name))
    .find((one) => existsSync(one));
  const written = report === undefined ? "" : readFileSync(report, "utf8").replaceAll(folder, "/ws");
  return ranOf(run, written, stdout.text, stderr.text, exitCode, durationMs);
}

function ranOf(
  run: TestRun,
  report: string,
  out: string,
  err: string,
  exitCode: number | null,
  durationMs: number,
): Ran {
  const [stdout, stderr] = [withoutTerminalCodes(out), withoutTerminalCodes(err)];
  const read = readReport(run.format, { report, stdout, stderr });
  return { exitCode, seconds: durationMs / 1000, tests: read?.tests ?? listedIn(`${stdout}\n${stderr}`) };
}

function verdictOf(word: string): TestState["state"] {
  return word === "PASS" ? "passed" : word === "FAIL" ? "failed" : "skipped";
}

function listedIn(text: string): TestState[] {
  return lines.flatMap(([pattern, state]) =>
    [...text.matchAll(pattern)].map(({ groups = {} }) => ({
      name: `${groups["name"]}${/^\d+$/.test(groups["name"] ?? "") ? ` ${groups["word"]}` : ""}`,
      state: state(groups["word"] ?? ""),
    })),
  );
}

function tell(name: string, inside: Ran, outside: Ran): void {
  const differences = differing(inside.tests, outside.tests);
  const ratio = inside.seconds / outside.seconds;
  const isSame = differences.length === 0 && inside.exitCode === outside.exitCode;
  console.log(
    `${isSame ? "same " : "OTHER"} ${name.padEnd(16)} inside ${counts(inside)}  outside ${counts(outside)}  time ${inside.seconds.toFixed(1)} s / ${outside.seconds.toFixed(1)} s = ${ratio.toFixed(2)}${ratio > limitOfRatio ? " (over)" : ""}`,
  );
  for (const line of differences.slice(0, 20)) console.log(`      ${line}`);
  if (differences.length > 20) console.log(`      and ${differences.length - 20} more`);
  if (!isSame) process.exitCode = 1;
}

function counts({ tests, exitCode }: Ran): string {
  const of = (state: TestState["state"]) => tests.filter((test) => test.state === state).length;
  return `${of("passed")}✓ ${of("failed")}✗ ${of("skipped")}– exit ${exitCode}`;
}

/** Names may be given twice: what counts is how often each has each verdict. */
function differing(inside: readonly TestState[], outside: readonly TestState[]): string[] {
  const tally = (tests: readonly TestState[]) => {
    const found = new Map<string, number>();
    for (const { name, state } of tests)
      found.set(`${state} ${name}`, (found.get(`${state} ${name}`) ?? 0) + 1);
    return found;
  };
  const [here, there] = [tally(inside), tally(outside)];
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((key) => here.get(key) !== there.get(key))
    .map((key) => `${key}: ${here.get(key) ?? 0} inside, ${there.get(key) ?? 0} outside`)
    .sort();
}
