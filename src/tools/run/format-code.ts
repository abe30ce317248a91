import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { limited, policies } from "../../sandbox/policy.ts";
import type { HarvestedEntry } from "../../sandbox/sandbox.ts";
import { canonicalJson } from "../../text/digest.ts";
import { withoutTerminalCodes } from "../../text/terminal-codes.ts";
import { effectsOf, previewOf } from "../../tool/change-tool.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { FileOperation, Workspace } from "../../workspace/workspace.ts";
import { limitsFor } from "./asked-limits.ts";
import type { Execution } from "./execution.ts";
import { chooseFormatters, type FormatRun } from "./formatters.ts";
import type { Host } from "./host.ts";
import { jobParts, projectEnvironment } from "./project-environment.ts";
import { exists } from "./project-files.ts";

const formatSeconds = 300;
const input = z.object({
  paths: z.array(pathInput("File or directory")).min(1).default(["."]),
  check: z.boolean().default(false).describe("Only tell which files are not formatted"),
});
type Input = z.output<typeof input>;

/** What the formatters made of the files; nothing is written yet. */
interface Formatted {
  operations: FileOperation[];
  problems: string[];
}

export const formatCode = (execution: Execution) => {
  // What was shown is what is written: a formatter may be anybody's plugin, so it is not run again after the approval.
  const prepared = new Map<string, Promise<Formatted>>();
  const prepare = (given: Input, context: ToolContext): Promise<Formatted> => {
    const known = prepared.get(keyOf(given, context));
    if (known !== undefined) return known;
    const made = format(given, execution, context);
    prepared.set(keyOf(given, context), made);
    for (const oldest of prepared.keys()) if (prepared.size > 16) prepared.delete(oldest);
    return made;
  };
  return defineTool({
    name: "format_code",
    title: "Format code",
    description:
      "Format files with the project's own formatter (biome, prettier, ruff, black, gofmt, rustfmt or the configured command), run in the sandbox. A person sees the diff first; with check nothing is changed and the files that would change are listed.",
    category: "Code Execution",
    input,
    output: z.object({ changed: z.array(z.string()), problems: z.array(z.string()) }),
    timeoutMs: (formatSeconds + 60) * 1000,
    idempotent: true,
    can: ["run", "write"],
    approval: (_effects, { check }) => (check ? "auto" : "ask"),
    effects: async (given, context) => [
      { kind: "run", command: `format ${given.paths.join(" ")}`, network: "off", confined: true },
      ...(given.check
        ? []
        : effectsOf(await context.workspace.plan((await prepare(given, context)).operations))),
    ],
    preview: async (given, context) => {
      const { operations, problems } = await prepare(given, context);
      const plan = await context.workspace.plan(given.check ? [] : operations);
      const preview = await previewOf(`format ${given.paths.join(", ")}`, plan);
      return { ...preview, notes: [...preview.notes, ...problems] };
    },
    execute: async (given, context) => {
      const { operations, problems } = await prepare(given, context);
      prepared.delete(keyOf(given, context));
      const changed = operations.map((operation) => (operation.op === "write" ? operation.path : "")).sort();
      if (given.check || operations.length === 0) return { changed, problems };
      const by = {
        callId: context.callId,
        tool: "format_code",
        description: `format ${given.paths.join(", ")}`,
      };
      await context.workspace.apply(operations, by);
      return { changed, problems };
    },
    render: ({ changed, problems }, { check }) => {
      const verb = check ? "not formatted" : "formatted";
      const head = changed.length === 0 ? "All files are formatted." : `${changed.length} ${verb}:`;
      return [
        [head, ...changed, ...problems].join("\n"),
        [`${changed.length} ${verb}.`, ...problems.map((problem) => problem.slice(0, 400))].join("\n"),
      ];
    },
    examples: [
      { title: "What is not formatted", input: { check: true } },
      { title: "Two files", input: { paths: ["src/a.ts", "src/b.ts"] } },
    ],
  });
};

/** A person may have edited the paths of the same call. */
function keyOf(given: Input, { callId }: ToolContext): string {
  return canonicalJson([callId, given]);
}

async function format({ paths }: Input, execution: Execution, context: ToolContext): Promise<Formatted> {
  const { workspace, signal, run } = context;
  const places = await Promise.all(paths.map(async (path) => placeOf(await workspace.resolve(path))));
  const host = { env: execution.env, run };
  const runs = execution.configured.format
    ? [await configured(execution.configured.format, places, workspace, host)]
    : await chooseFormatters(places, workspace, host);
  const operations: FileOperation[] = [];
  const problems: string[] = [];
  for (const { formatter, tooling, environment, args } of runs) {
    context.progress(`running ${formatter}`);
    const result = await execution.sandbox().run(
      {
        workspace: workspace.root,
        command: [...tooling.command, ...args],
        ...jobParts(environment, tooling),
        hidden: await context.hiddenPaths(),
        signal,
      },
      limited(policies.format, limitsFor({ timeout: formatSeconds }, execution.limits)),
    );
    if (result.changes.incomplete !== null)
      throw new Failure("EXECUTION_ERROR", `${formatter}: ${result.changes.incomplete}`);
    operations.push(...(await rewrites(result.changes.entries, workspace)));
    if (result.exitCode !== 0) {
      const printed = result.stderr.text.trim() || result.stdout.text.trim();
      const said = withoutTerminalCodes(printed).slice(0, 2_000);
      problems.push(`${formatter} ended with exit code ${result.exitCode}: ${said}`);
    }
  }
  if (operations.length === 0 && problems.length > 0)
    throw new Failure("EXECUTION_ERROR", problems.join("\n"));
  return { operations, problems };
}

/** Only files that were there before and read differently now: caches and the like are not what was asked for. */
async function rewrites(entries: readonly HarvestedEntry[], workspace: Workspace): Promise<FileOperation[]> {
  const operations: FileOperation[] = [];
  for (const entry of entries) {
    if (entry.kind !== "file" || !(await exists(workspace, entry.path))) continue;
    const { bytes } = await workspace.read(entry.path, { maxBytes: Number.POSITIVE_INFINITY });
    if (!bytes.equals(entry.bytes)) operations.push({ op: "write", path: entry.path, bytes: entry.bytes });
  }
  return operations;
}

/** The person's own command line; the paths follow it. */
async function configured(
  [file = "", ...args]: readonly string[],
  paths: readonly string[],
  workspace: Workspace,
  host: Host,
): Promise<FormatRun> {
  const environment = await projectEnvironment(workspace, ".", host);
  const tooling = { command: [file, ...args] as const, mounts: [], env: {} };
  return { formatter: file, tooling, environment, args: paths };
}

/** With a leading `./` no path can be taken for an option. */
function placeOf({ path }: { path: string }): string {
  return path === "." ? path : `./${path}`;
}
