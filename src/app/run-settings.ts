import { z } from "zod";
import { isBoundedGlob, unboundedGlobText } from "../text/glob.ts";
import { hostPattern } from "../text/host-pattern.ts";
import { defaultSettings } from "./default-settings.ts";

const { execution: usual } = defaultSettings;

const runLimits = z.lazy(() =>
  z.strictObject({
    memory: z.int().min(64).optional().describe("MiB; default: half of what is free"),
    seconds: z.number().positive().max(3600).optional().describe("Default: 60 for code, 300 for tests"),
    processes: z
      .int()
      .min(8)
      .optional()
      .describe("Processes and threads; default: by the cores of the machine"),
    disk: z.int().min(16).optional().describe("MiB of new files; default: by the memory"),
  }),
);

/** What runs in the sandbox. */
export const executionSettings = z.lazy(() =>
  z.strictObject({
    testCommand: z.array(z.string()).min(1).optional().describe("What run_tests runs, as a list of words"),
    formatCommand: z
      .array(z.string())
      .min(1)
      .optional()
      .describe("What format_code runs; the paths are put behind it"),
    toolsInCode: z
      .boolean()
      .default(usual.toolsInCode)
      .describe("Code in run_code may call tools with wield-tool, each with the usual approval"),
    shell: z
      .enum(["sandbox", "outside"])
      .default(usual.shell)
      .describe(
        "Where a line that you begin with ! in wield chat runs; outside, what it changes cannot be undone",
      ),
    network: z
      .union([
        z.enum(["off", "full"]),
        z.array(z.string().regex(hostPattern, "a host name, or *. and a host name")).min(1),
      ])
      .default(usual.network)
      .describe(
        "What run_code and executeCode may reach: off, full (asks each time), or host names such as *.example.com",
      ),
    limits: runLimits.prefault({}).describe("What a run in the sandbox may use; a call that needs more asks"),
    limitsByFolder: z
      .record(z.string(), runLimits)
      .default(usual.limitsByFolder)
      .describe("The same for single folders, by their path"),
    npmRegistry: z
      .url()
      .optional()
      .describe("Where npm packages come from, if not from npm's own registry setting"),
    pipIndex: z
      .url()
      .optional()
      .describe("Where Python packages come from, when not where pip itself would look"),
    packageBytes: z
      .int()
      .min(0)
      .default(usual.packageBytes)
      .describe("What packages for executeCode may take on disk; those not used for longest go first"),
  }),
);

const runHook = () =>
  z.strictObject({
    command: z
      .string()
      .min(1)
      .describe("A line for the shell; it gets what happens as JSON on standard input"),
    seconds: z.number().positive().max(600).default(60).describe("Time it may take"),
    outside: z
      .boolean()
      .default(false)
      .describe(
        "On the machine itself, not in the sandbox: only in your own settings, and only where it runs and loads nothing of the folder",
      ),
  });
const callHook = () =>
  runHook().extend({
    tools: z
      .array(z.string().min(1).refine(isBoundedGlob, unboundedGlobText))
      .min(1)
      .default(["**"])
      .describe("Names of tools, as globs"),
  });

/** What runs at certain moments. */
export const hookSettings = z.lazy(() =>
  z.strictObject({
    beforeCall: z.array(callHook()).default([]).describe("An exit code other than 0 refuses the call"),
    afterCall: z
      .array(callHook())
      .default([])
      .describe("With an exit code other than 0, the model gets what was printed"),
    endOfRun: z.array(runHook()).default([]).describe("When a run of an agent ends"),
  }),
);
