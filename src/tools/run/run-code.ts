import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { listeningPorts } from "../../process/listening-ports.ts";
import type { LocalAddress } from "../../sandbox/local-port.ts";
import { limited, type NetworkPolicy, policies } from "../../sandbox/policy.ts";
import type { Job } from "../../sandbox/sandbox.ts";
import type { CallTool } from "../../sandbox/tool-server.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Preview, ToolContext } from "../../tool/tool.ts";
import { loadsCodeOf } from "../../workspace/loaded-code.ts";
import { applied, applyRun, askAboutHeld, describeApplied } from "./applied-run.ts";
import { extraLimits, limitsFor, longestSeconds, memoryInput, timeoutInput } from "./asked-limits.ts";
import type { ProcessView } from "./background.ts";
import type { Execution } from "./execution.ts";
import { insideHints } from "./inside-hints.ts";
import { firstLine, withLiveOutput } from "./live-output.ts";
import { jobParts, type ProjectEnvironment, projectEnvironment } from "./project-environment.ts";
import { describeEnd, describeStreams, requireWithinLimits, runOutput, runOutputOf } from "./run-output.ts";
import { outsidePreview, runOutside } from "./run-outside.ts";
import { startInBackground } from "./start-background.ts";
import { pythonTooling, type Tooling } from "./toolchain.ts";
import { variablesInput } from "./variables-input.ts";

const inputFor = (seconds: number) =>
  z
    .object({
      language: z.enum(["python", "bash"]),
      code: z.string().refine((code) => code.trim() !== "", "must hold some code"),
      args: z.array(z.string()).default([]),
      env: variablesInput,
      timeout: timeoutInput(seconds),
      memory: memoryInput,
      outside: z
        .boolean()
        .default(false)
        .describe("On the machine itself, for what cannot work inside (docker, a login); always asks"),
      background: z.boolean().default(false).describe("For a server or watcher; see background_processes"),
      why: z.string().trim().min(1).optional().describe("The reason for outside"),
    })
    .refine(({ outside, background }) => !outside || !background, {
      path: ["background"],
      error: "what runs outside cannot go on in the background",
    })
    .refine(({ outside, why }) => !outside || why !== undefined, {
      path: ["why"],
      error: "outside needs a reason: what is needed that the sandbox does not have",
    });
type Input = z.output<ReturnType<typeof inputFor>>;

export const runCode = (execution: Execution) => {
  const { network } = execution;
  const seconds = execution.limits.seconds ?? 60;
  const input = inputFor(seconds);
  const beyond = (given: Input) => extraLimits(given, execution.limits, seconds);
  return defineTool({
    name: "run_code",
    title: "Run code",
    description: `Run Python or bash in a sandbox, in the workspace. ${reach(network)}, no file outside it; /tmp is new in each call. New files are applied afterwards; replacing and deleting asks a person. All can be undone.`,
    brief: {
      description: `Python or bash in a sandbox, in the workspace. ${reach(network)}, no file outside it. New files are applied; replacing and deleting asks a person.`,
      input: z.object({
        language: z.enum(["python", "bash"]),
        code: z.string(),
        timeout: z.number().optional().describe(`Seconds, usually ${seconds}`),
        outside: z
          .boolean()
          .optional()
          .describe("On the machine itself, with the reason as why; always asks"),
        why: z.string().optional(),
        background: z.boolean().optional().describe("For a server or watcher"),
      }),
    },
    category: "Code Execution",
    input,
    output: runOutput.extend({
      exitCode: z
        .int()
        .nullable()
        .describe("128 and the signal's number when a signal ended it; null: it runs on in the background"),
      process: z.string().optional().describe("The id of what runs in the background"),
      ...applied.shape,
    }),
    timeoutMs: (longestSeconds + 60) * 1000,
    can: ["run", "write", "delete"],
    approval: (_effects, given) =>
      given.outside || network.mode === "full" || beyond(given).length > 0 ? "ask" : "auto",
    effects: async (given, { workspace }) => {
      const command = commandOf(given, beyond(given));
      if (!given.outside) return [{ kind: "run", command, network: network.mode }];
      // Python looks for what a program imports in the folder where it starts.
      const loadsFiles =
        given.language === "python" || (await loadsCodeOf(workspace, given.code, workspace.root, ""));
      return [{ kind: "run", command, network: "full", outside: true, ...(loadsFiles && { loadsFiles }) }];
    },
    preview: async (given) => (given.outside ? outsidePreview(given) : nothingToShow),
    execute: async (given, context) => {
      requireNoNul(given);
      if (given.outside) {
        const value = await runOutside(given, execution, context);
        return requireWithinLimits({ ...value, changes: null, ignored: null, held: null, refused: [] });
      }
      const startedAt = new Date();
      const host = { env: execution.env, run: context.run };
      const environment = await projectEnvironment(context.workspace, ".", host);
      const about = [...environment.notes, ...closedNotes(execution.localServers(context.session))];
      const job = {
        ...(await jobFor(given, environment, context)),
        hidden: await context.hiddenPaths(),
        localPorts: reachable(execution, context.session),
        ...(execution.tools && { tools: notItself(execution.tools, context.session) }),
      };
      if (given.background) {
        const { process, output } = await startInBackground(given, job, execution, context);
        const notes = execution.notesOnce(context.session, about);
        return {
          ...{ stdout: output, stderr: "", exitCode: process.exitCode, process: process.id },
          ...{
            duration: Date.now() - startedAt.getTime(),
            limit: null,
            notes: [...portNotes(process), ...notes],
          },
          ...(process.applied ?? { changes: null, ignored: null, held: null, refused: [] }),
        };
      }
      const limits = limitsFor(given, execution.limits);
      const result = await withLiveOutput(context, firstLine(given.code), (listener) =>
        execution.sandbox().run({ ...job, ...listener }, limited({ ...policies.code, network }, limits)),
      );
      const what = { tool: "run_code", description: `run ${given.language}: ${firstLine(given.code)}` };
      const changes = await applyRun(result, startedAt, what, execution, context);
      const output = runOutputOf(result, limits, execution.notesOnce(context.session, about));
      const hints = insideHints(output, network, execution.env["PATH"] ?? "");
      const notes = [...(output.notes ?? []), ...hints];
      const value = { ...output, ...(notes.length > 0 && { notes }), ...changes };
      return requireWithinLimits(value, describeApplied(value, true));
    },
    followUp: askAboutHeld,
    render: (value) => {
      const end = value.process === undefined ? describeEnd(value) : describeStart(value);
      return [
        [end, ...describeStreams(value), ...describeApplied(value, false)].join("\n"),
        (budget) =>
          [end, ...describeStreams(value, budget - 400), ...describeApplied(value, true)].join("\n"),
      ];
    },
    examples: [
      { title: "Count lines", input: { language: "bash", code: "wc -l src/*.ts" } },
      {
        title: "Python with an argument",
        input: { language: "python", code: "import sys\nprint(sys.argv[1].upper())", args: ["hello"] },
      },
    ],
  });
};

/**
 * Servers of background processes, and local servers that rules allow. A port without a listener is left to the run
 * itself.
 */
function reachable({ localServers, background }: Execution, session: string | undefined): LocalAddress[] {
  const opened = localServers(session).open;
  const used = opened.length > 0 ? listeningPorts(process.pid) : [];
  const isSame = (one: LocalAddress) => (other: LocalAddress) =>
    other.host === one.host && other.port === one.port;
  const ofMachine = opened
    .filter(({ port }) => used.includes(port))
    .map((address) => ({ ...address, isOpen: () => localServers(session).open.some(isSame(address)) }));
  return [...ofMachine, ...background.addresses(session)];
}

function closedNotes({ closed }: ReturnType<Execution["localServers"]>): string[] {
  return closed.map(
    (origin) =>
      `Code here cannot reach ${origin}: a rule restricts a part of it, and the requests of a run are not seen one by one. web_fetch can.`,
  );
}

function portNotes({ ports }: ProcessView): string[] {
  return ports.length === 0 ? [] : [`It listens on ${ports.map((port) => `localhost:${port}`).join(", ")}.`];
}

function describeStart({
  process,
  exitCode,
  notes = [],
}: {
  process?: string | undefined;
  exitCode: number | null;
  notes?: string[] | undefined;
}): string {
  const how =
    exitCode === null
      ? `Runs in the background as ${process}. background_processes {"id":"${process}"} reads on; with "stop":true it ends, and its changes are applied.`
      : `It ended at once, with exit code ${exitCode}.`;
  return [how, ...notes].join("\n");
}

const callLine = "# call: ";

/**
 * All that decides what is run, as a text that no other call has: rules that allow are compared with it. Bash code with nothing
 * else stands for itself; otherwise the last line, and nothing before it, tells the rest.
 */
function commandOf({ language, code, args, env, background }: Input, beyond: readonly string[]): string {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  const isAlone = args.length === 0 && variables.length === 0 && beyond.length === 0 && !background;
  if (language === "bash" && isAlone && !code.slice(code.lastIndexOf("\n") + 1).startsWith(callLine))
    return code;
  const rest = {
    language,
    ...(args.length > 0 && { arguments: args }),
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
    ...(background && { background }),
    ...(beyond.length > 0 && { limits: beyond.map((line) => line.replace(/^# /, "")) }),
  };
  return `${code}\n${callLine}${JSON.stringify(rest)}`;
}

function reach(network: NetworkPolicy): string {
  if (network.mode === "off") return "There is no network";
  return network.mode === "full"
    ? "It can reach the network, so a person is asked each time; there is"
    : `It can reach ${network.hosts.join(", ")} (http and https by the proxy in the environment); there is`;
}

const bash: Tooling = { command: ["/bin/bash"], mounts: [], env: {} };

const nothingToShow: Preview = { summary: "", files: [], seen: new Map(), notes: [] };

function requireNoNul({ code, args, env }: Input): void {
  if ([code, ...args, ...Object.values(env)].some((text) => text.includes("\0"))) {
    throw new Failure(
      "INVALID_INPUT",
      "Code, arguments and variables must not contain NUL characters. Remove them.",
    );
  }
}

/** Longer code than one argument may hold goes in as a file. */
const longestArgument = 100_000;

async function jobFor(
  { language, code, args, env }: Input,
  environment: ProjectEnvironment,
  { workspace, signal }: ToolContext,
): Promise<Job> {
  const long = Buffer.byteLength(code) > longestArgument;
  const common = { workspace: workspace.root, signal, ...(long && { files: { code } }) };
  const tooling = language === "bash" ? bash : await pythonTooling(workspace, environment.python);
  const { mounts, env: around } = jobParts(environment, tooling);
  const read = {
    bash: ". /run/wield/code",
    python: 'exec(compile(open("/run/wield/code").read(), "<string>", "exec"))',
  };
  const options = language === "bash" ? [] : ["-u"];
  const named = language === "bash" ? ["bash"] : [];
  const command = [
    ...tooling.command,
    ...options,
    "-c",
    long ? read[language] : code,
    ...named,
    ...args,
  ] as const;
  return { ...common, mounts, env: { ...around, ...env }, command };
}

/** Code that starts code that starts code has no end. */
function notItself(call: CallTool, session: string | undefined): CallTool {
  return async (tool, input, signal) =>
    tool === "run_code" || tool === "executeCode"
      ? { ok: false, text: `${tool} cannot be called from code that runs already.` }
      : call(tool, input, signal, session);
}
