import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { workspaceInside } from "../../sandbox/confine.ts";
import { policies, within } from "../../sandbox/policy.ts";
import { withoutTerminalCodes } from "../../text/terminal-codes.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Check, chooseChecks, type Finding } from "./checkers.ts";
import type { Execution } from "./execution.ts";
import { newFindings } from "./findings.ts";
import { jobParts } from "./project-environment.ts";
import { inside } from "./project-files.ts";

/** Checks after one step at most: a change across a large repository must not start dozens. */
const mostChecks = 6;
const mostShown = 20;
const longestMessage = 300;
/** Changes after which a check that took too long is tried again. */
const firstPause = 2;
const longestPause = 16;

const output = z.object({
  checked: z.array(z.string()),
  findings: z.array(
    z.object({
      checker: z.string(),
      file: z.string(),
      line: z.number(),
      code: z.string(),
      message: z.string(),
    }),
  ),
  stopped: z
    .array(z.string())
    .describe("Took too long for the first time; tried again after some more changes"),
});
type Value = z.infer<typeof output>;

/**
 * What changes brought up, by the project's own type checkers and linters. No model calls it: an agent runs it after the
 * changes of a step. It remembers what whole-project checkers found last, so most changes need one run.
 */
export const checkCode = (execution: Execution, seconds: number) => {
  const last = new Map<string, readonly Finding[]>();
  const slow = new Map<string, Pause>();
  return defineTool({
    name: "check_code",
    title: "Check code",
    description: "Findings of the project's type checker and linters that changes brought up.",
    category: "Code Execution",
    input: z.object({ changes: z.array(z.string()).min(1).describe("Ids of the changes") }),
    output,
    timeoutMs: mostChecks * 2 * seconds * 1000 + 60_000,
    can: ["run"],
    approval: "auto",
    effects: () => [{ kind: "run", command: "type checkers and linters", network: "off" }],
    execute: async ({ changes }, context) => {
      const paths = await changedPaths(changes, context);
      const host = { env: execution.env, run: context.run };
      const chosen = await chooseChecks(paths, context.workspace, host);
      const value: Value = { checked: [], findings: [], stopped: [] };
      for (const check of chosen.slice(0, mostChecks)) {
        const name = nameOf(check);
        const pause = slow.get(name);
        if (pause && pause.left > 0) {
          slow.set(name, { ...pause, left: pause.left - 1 });
          continue;
        }
        context.progress(`running ${name}`);
        const now = await run(check, {}, execution, seconds, context);
        if (now === "slow") {
          if (!pause) value.stopped.push(name);
          slow.set(name, pauseAfter(pause));
          continue;
        }
        slow.delete(name);
        if (!now) continue;
        value.checked.push(name);
        const before =
          now.length > 0
            ? (last.get(name) ?? (await findingsBefore(check, changes, execution, seconds, context)))
            : [];
        if (check.checker.scope === "project") last.set(name, now);
        for (const finding of newFindings(now, before))
          value.findings.push({ checker: check.checker.name, ...finding });
      }
      return value;
    },
    render: (value) => describeFindings(value) ?? "No new findings.",
    examples: [{ title: "After one change", input: { changes: ["0123456789"] } }],
  });
};

/** How often a check is left out after it took too long. */
interface Pause {
  left: number;
  length: number;
}

/**
 * A busy machine or a cold cache may pass: after each timeout the checker is skipped for a longer time, not forever.
 */
function pauseAfter(before: Pause | undefined): Pause {
  const length = before ? Math.min(before.length * 2, longestPause) : firstPause;
  return { left: length, length };
}

/** One short notice; undefined when nothing could be checked. */
export function describeFindings({ checked, findings, stopped }: Value): string | undefined {
  const shown = findings.slice(0, mostShown).map(({ checker, file, line, code, message }) => {
    const text = visibleLine(`${file}:${line} ${checker}${code === "" ? "" : ` ${code}`}: ${message}`);
    return text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
  });
  const more = findings.length - shown.length;
  const lines = [
    ...(findings.length > 0 ? [`New findings after this change (${findings.length}):`, ...shown] : []),
    ...(more > 0 ? [`… ${more} more`] : []),
    ...(findings.length === 0 && checked.length > 0
      ? [`Checked after this change (${checked.join(", ")}): no new findings.`]
      : []),
    ...stopped.map(
      (name) =>
        `${name} took too long after this change and was stopped, so nothing is known from it; it is tried again after some more changes.`,
    ),
  ];
  return lines.length > 0 ? lines.join("\n") : undefined;
}

function nameOf({ checker, directory }: Check): string {
  return directory === "." ? checker.name : `${checker.name} in ${directory}`;
}

async function changedPaths(ids: readonly string[], { workspace }: ToolContext): Promise<string[]> {
  const changes = await Promise.all(ids.map((id) => workspace.change(id)));
  const files = changes.flatMap((change) => change?.files ?? []);
  return [...new Set(files.filter(({ change }) => change !== "delete").map(({ path }) => path))];
}

/** The same check on the files as they were: old contents are put in their place inside the sandbox only. */
async function findingsBefore(
  check: Check,
  changes: readonly string[],
  execution: Execution,
  seconds: number,
  context: ToolContext,
): Promise<readonly Finding[]> {
  const { plan } = await context.workspace
    .planReversal("undo", { changeId: changes })
    .catch((error: unknown) => {
      if (error instanceof Failure) return { plan: { files: [] } };
      throw error;
    });
  const old: Record<string, string> = {};
  const script: string[] = [];
  for (const [index, { path, change, from, afterBytes }] of plan.files.entries()) {
    if (from !== undefined) script.push(`rm -f ${quoted(from)}`);
    if (change === "delete") script.push(`rm -f ${quoted(path)}`);
    if (!afterBytes) continue;
    old[`old-${index}`] = afterBytes.toString("utf8");
    script.push(`mkdir -p "$(dirname ${quoted(path)})" && cp /run/wield/old-${index} ${quoted(path)}`);
  }
  if (script.length === 0) return [];
  const found = await run(check, { ...old, restore: `${script.join("\n")}\n` }, execution, seconds, context);
  return found === "slow" || !found ? [] : found;
}

function quoted(path: string): string {
  return `'${workspaceInside}/${path.replaceAll("'", String.raw`'\''`)}'`;
}

async function run(
  { checker, directory, tooling, environment, paths }: Check,
  files: Readonly<Record<string, string>>,
  { sandbox }: Execution,
  seconds: number,
  { workspace, signal, hiddenPaths }: ToolContext,
): Promise<Finding[] | "slow" | undefined> {
  // With a leading `./` no path can be taken for an option.
  const command = [...tooling.command, ...checker.args(paths.map((path) => `./${path}`))];
  const restored = ["/bin/bash", "-c", '. /run/wield/restore; exec "$@"', "bash", ...command];
  const [program = "", ...args] = files["restore"] === undefined ? command : restored;
  const result = await sandbox().run(
    {
      workspace: workspace.root,
      command: [program, ...args],
      files,
      ...jobParts(environment, tooling),
      hidden: await hiddenPaths(),
      signal,
      ...(directory !== "." && { cwd: directory }),
    },
    within(policies.tests, seconds * 1000),
  );
  if (result.limit !== null) return "slow";
  const streams = {
    stdout: withoutTerminalCodes(result.stdout.text),
    stderr: withoutTerminalCodes(result.stderr.text),
  };
  return checker.read(streams)?.map((finding) => ({ ...finding, file: placeOf(finding.file, directory) }));
}

/** As the workspace names it. */
function placeOf(file: string, directory: string): string {
  const root = `${workspaceInside}/`;
  return file.startsWith(root) ? file.slice(root.length) : inside(directory, file.replace(/^\.\//, ""));
}
