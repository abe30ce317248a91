import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { limited, policies } from "../../sandbox/policy.ts";
import type { HarvestedEntry } from "../../sandbox/sandbox.ts";
import { withoutTerminalCodes } from "../../text/terminal-codes.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { extraLimits, limitsFor, longestSeconds, memoryInput, timeoutInput } from "./asked-limits.ts";
import type { Execution } from "./execution.ts";
import type { Host } from "./host.ts";
import { withLiveOutput } from "./live-output.ts";
import { missingBuild, packageInSrc } from "./missing-modules.ts";
import { jobParts, projectEnvironment } from "./project-environment.ts";
import { describeEnd, runOutputOf } from "./run-output.ts";
import { reportTexts } from "./test-report-text.ts";
import { readReport, type TestReport } from "./test-reports.ts";
import { chooseRunner, type TestRun } from "./test-runners.ts";
import { variablesInput } from "./variables-input.ts";

const inputFor = (seconds: number) =>
  z.object({
    path: pathInput("Only this file or directory").optional(),
    filter: z.string().min(1).optional().describe("Test names that match"),
    env: variablesInput,
    timeout: timeoutInput(seconds),
    memory: memoryInput,
  });
type Input = z.output<ReturnType<typeof inputFor>>;

const output = z.object({
  runner: z.string(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  failures: z.array(z.object({ name: z.string(), file: z.string().optional(), message: z.string() })),
  output: z.string().describe("What the runner printed"),
  notes: z.array(z.string()).optional().describe("Where the surroundings are not what the project asks for"),
});
type Value = z.infer<typeof output>;

export const runTests = (execution: Execution) => {
  const seconds = execution.limits.seconds ?? 300;
  const input = inputFor(seconds);
  const beyond = (given: Input) => extraLimits(given, execution.limits, seconds);
  return defineTool({
    name: "run_tests",
    title: "Run tests",
    description:
      "Run the project's tests in the sandbox with its runner (vitest, jest, mocha, pytest, go, cargo, maven, gradle, or the configured command).",
    brief: {
      description: "Run the project's tests in the sandbox with its own runner.",
      input: z.object({
        path: z.string().optional(),
        filter: z.string().optional().describe("Test names that match"),
        timeout: z.number().optional().describe(`Seconds, usually ${seconds}`),
      }),
    },
    category: "Code Execution",
    input,
    output,
    timeoutMs: (longestSeconds + 60) * 1000,
    can: ["run"],
    approval: (_effects, given) => (beyond(given).length > 0 ? "ask" : "auto"),
    effects: (given) => {
      const variables = Object.entries(given.env).map(([name, value]) => `${name}=${value} `);
      const what = `${variables.join("")}tests${given.path === undefined ? "" : ` of ${given.path}`}`;
      return [{ kind: "run", command: [what, ...beyond(given)].join("\n"), network: "off" }];
    },
    execute: async (given, context) => {
      const { filter } = given;
      const path = given.path === undefined ? undefined : (await context.workspace.resolve(given.path)).path;
      const host = { env: execution.env, run: context.run };
      const run = execution.configured.test
        ? await configuredRun(execution.configured.test, context.workspace, host)
        : await chooseRunner({ path, filter }, context.workspace, host);
      context.progress(`running ${run.runner}`);
      return runWith(run, given, execution, context);
    },
    render: reportTexts,
    examples: [
      { title: "All tests", input: {} },
      { title: "In another time zone", input: { env: { TZ: "America/New_York" } } },
      { title: "One file, by name", input: { path: "src/parse.test.ts", filter: "empty input" } },
    ],
  });
};

async function runWith(
  run: TestRun,
  given: Input,
  execution: Execution,
  context: ToolContext,
): Promise<Value> {
  const { workspace, signal, hiddenPaths, session, progress } = context;
  const { filter } = given;
  const limits = limitsFor(given, execution.limits);
  const parts = jobParts(run.environment, run.tooling);
  const job = {
    workspace: workspace.root,
    command: [...run.tooling.command, ...run.args] as [string, ...string[]],
    ...parts,
    env: { ...parts.env, ...given.env },
    files: run.files,
    hidden: await hiddenPaths(),
    signal,
    ...(run.directory !== "." && { cwd: run.directory }),
  };
  const result = await withLiveOutput({ progress }, `running ${run.runner}`, (listener) =>
    execution.sandbox().run({ ...job, ...listener }, limited(policies.tests, limits)),
  );
  const streams = {
    stdout: withoutTerminalCodes(result.stdout.text),
    stderr: withoutTerminalCodes(result.stderr.text),
  };
  const reported = textIn(result.outbox);
  const printed = result.exitCode === 0 ? "" : `${streams.stdout}\n${streams.stderr}\n${reported}`;
  const inSrc =
    job.env["PYTHONPATH"] === undefined && (await packageInSrc(printed, run.directory, workspace));
  if (inSrc) {
    const again = await runWith(
      run,
      { ...given, env: { ...given.env, PYTHONPATH: "src" } },
      execution,
      context,
    );
    const note = `The package ${inSrc} is in src/ and is not installed: the tests ran with PYTHONPATH=src.`;
    return { ...again, notes: [note, ...(again.notes ?? [])] };
  }
  const report = readReport(run.format, {
    report: reported,
    isFiltered: filter !== undefined,
    ...streams,
  });
  const { tests: _, ...counts } = report ?? unread(run, result.exitCode);
  const isEmpty = counts.passed + counts.failed === 0;
  const noMatch =
    filter !== undefined && isEmpty && (result.exitCode === 0 || result.exitCode === nothingCollected);
  const end = describeEnd(runOutputOf(result, limits));
  const unexplained = result.exitCode !== 0 && counts.failures.length === 0 && !noMatch;
  const notes = [
    ...(noMatch ? [`No test matched ${JSON.stringify(filter)}: nothing was tested.`] : []),
    ...(report === undefined && run.format !== "none" && result.exitCode === 0 && !noMatch
      ? ["The runner ended well and reported no test."]
      : []),
    ...(unexplained && /in offline mode|No cached version of/.test(streams.stdout + streams.stderr)
      ? [neverDownloaded]
      : []),
    ...(await missingBuild(printed, run.directory, workspace)),
    ...execution.notesOnce(session, run.environment.notes),
  ];
  const value: Value = {
    ...counts,
    failed: unexplained ? Math.max(1, counts.failed) : counts.failed,
    failures: unexplained
      ? [{ name: run.runner, message: `${end}\n${lastLines(streams)}` }]
      : counts.failures,
    runner: run.runner,
    output: [streams.stdout, streams.stderr].filter(Boolean).join("\n"),
    ...(notes.length > 0 && { notes }),
  };
  if (result.limit !== null && result.exitCode !== 0) {
    const text = [end, reportTexts(value)[0]].join("\n");
    throw new Failure(result.limit === "time" ? "TIMEOUT" : "LIMIT_EXCEEDED", text, { ...value });
  }
  return value;
}

const neverDownloaded =
  "There is no network inside the sandbox, and some packages of this build were never downloaded here. Have the person build once, or build with run_code, outside: true and why, which asks them.";

/** The exit code of pytest when no test was left to run. */
const nothingCollected = 5;

/** Without a report only the exit code counts; a command that lists no tests counts as one test. */
function unread({ format }: TestRun, exitCode: number): TestReport {
  const failed = exitCode === 0 ? 0 : 1;
  const passed = format === "none" && exitCode === 0 ? 1 : 0;
  return { passed, failed, skipped: 0, failures: [], tests: [] };
}

/** The person's own command line, as they wrote it. */
async function configuredRun(
  [file = "", ...args]: readonly string[],
  workspace: Workspace,
  host: Host,
): Promise<TestRun> {
  return {
    runner: [file, ...args].join(" "),
    tooling: { command: [file, ...args], mounts: [], env: {} },
    environment: await projectEnvironment(workspace, ".", host),
    args: [],
    directory: ".",
    format: "none",
    files: {},
  };
}

function textIn(outbox: readonly HarvestedEntry[]): string {
  const report = outbox.find((entry) => entry.kind === "file" && entry.path.startsWith("report."));
  return report?.kind === "file" ? report.bytes.toString("utf8") : "";
}

function lastLines({ stdout, stderr }: { stdout: string; stderr: string }): string {
  return (stderr.trim() || stdout.trim()).split("\n").slice(-20).join("\n");
}
