import { z } from "zod";
import { policies, within } from "../../sandbox/policy.ts";
import type { HarvestedEntry } from "../../sandbox/sandbox.ts";
import { bytesWithin } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Execution } from "./execution.ts";
import { describeEnd, runOutputOf } from "./run-output.ts";
import { readReport } from "./test-reports.ts";
import { chooseRunner, type TestRun } from "./test-runners.ts";
import { nodeTooling } from "./toolchain.ts";

const maxSeconds = 1800;
const input = z.object({
  path: pathInput("Only the tests in this file or directory").optional(),
  filter: z.string().min(1).optional().describe("Only tests whose name matches"),
  timeout: z
    .number()
    .positive()
    .max(maxSeconds, `at most ${maxSeconds} seconds`)
    .default(300)
    .describe("Seconds"),
});

const output = z.object({
  runner: z.string(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  failures: z.array(z.object({ name: z.string(), file: z.string().optional(), message: z.string() })),
  output: z.string().describe("What the runner printed"),
});
type Value = z.infer<typeof output>;

export const runTests = (execution: Execution) =>
  defineTool({
    name: "run_tests",
    title: "Run tests",
    description:
      "Run the project's tests in the sandbox, with the runner that it uses (vitest, jest, mocha, node:test, pytest, unittest, go test, cargo test or the configured command), and get the failures.",
    category: "Code Execution",
    input,
    output,
    timeoutMs: (maxSeconds + 60) * 1000,
    can: ["run"],
    approval: "auto",
    effects: ({ path }) => [
      { kind: "run", command: `tests${path === undefined ? "" : ` of ${path}`}`, network: "off" },
    ],
    execute: async (given, context) => {
      const { filter, timeout } = given;
      const path = given.path === undefined ? undefined : (await context.workspace.resolve(given.path)).path;
      const { configured, env } = execution;
      const run: TestRun = configured.test
        ? {
            runner: configured.test.join(" "),
            tooling: configuredTooling(configured.test),
            args: [],
            directory: ".",
            format: "none",
          }
        : await chooseRunner({ path, filter }, context.workspace, { env, run: context.run });
      context.progress(`running ${run.runner}`);
      return runWith(run, timeout, execution, context);
    },
    render: renderReport,
    examples: [
      { title: "All tests", input: {} },
      { title: "One file, by name", input: { path: "src/parse.test.ts", filter: "empty input" } },
    ],
  });

async function runWith(
  run: TestRun,
  timeout: number,
  execution: Execution,
  { workspace, signal, hiddenPaths }: ToolContext,
): Promise<Value> {
  const policy = within(policies.tests, timeout * 1000);
  const result = await execution.sandbox().run(
    {
      workspace: workspace.root,
      command: [...run.tooling.command, ...run.args],
      mounts: run.tooling.mounts,
      env: { CI: "1", NO_COLOR: "1", ...run.tooling.env },
      hidden: await hiddenPaths(),
      signal,
      ...(run.directory !== "." && { cwd: run.directory }),
    },
    policy,
  );
  const streams = { stdout: result.stdout.text, stderr: result.stderr.text };
  const report = readReport(run.format, { report: textIn(result.outbox), ...streams });
  const end = describeEnd(runOutputOf(result), policy.limits);
  const failed = result.exitCode !== 0;
  const counts = report ?? { passed: failed ? 0 : 1, failed: failed ? 1 : 0, skipped: 0, failures: [] };
  const unexplained = failed && counts.failures.length === 0;
  return {
    ...counts,
    failed: unexplained ? Math.max(1, counts.failed) : counts.failed,
    failures: unexplained
      ? [{ name: run.runner, message: `${end}\n${lastLines(streams)}` }]
      : counts.failures,
    runner: run.runner,
    output: [streams.stdout, streams.stderr].filter(Boolean).join("\n"),
  };
}

/** The person's own command line, as they wrote it. */
function configuredTooling([file = "", ...args]: readonly string[]): TestRun["tooling"] {
  const { mounts } = nodeTooling("");
  return { command: [file, ...args], mounts, env: {} };
}

function textIn(outbox: readonly HarvestedEntry[]): string {
  const report = outbox.find((entry) => entry.kind === "file" && entry.path.startsWith("report."));
  return report?.kind === "file" ? report.bytes.toString("utf8") : "";
}

function lastLines({ stdout, stderr }: { stdout: string; stderr: string }): string {
  return (stderr.trim() || stdout.trim()).split("\n").slice(-20).join("\n");
}

/** Everything, then failures without the runner's output, then names only. */
function renderReport({ runner, passed, failed, skipped, failures, output: printed }: Value): string[] {
  const head = `${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped`;
  const title = ({ name, file }: Value["failures"][number]) =>
    `✗ ${name}${file === undefined ? "" : ` (${file})`}`;
  const full = failures.flatMap((failure) => [
    title(failure),
    visibleText(failure.message).replaceAll(/^/gm, "    "),
  ]);
  const tail = visibleText(printed.trim()).slice(-bytesWithin(500));
  return [
    [head, ...full, ...(failures.length > 0 ? ["--- last output", tail] : [])].join("\n"),
    [head, ...full].join("\n"),
    [head, ...failures.map(title)].join("\n"),
  ];
}
