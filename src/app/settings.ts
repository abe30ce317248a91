import { z } from "zod";
import { permissionModes } from "../approval/modes.ts";
import { withRule } from "../approval/remembered-rules.ts";
import { type Rule, ruleSchema } from "../approval/rules.ts";
import { apiSchema } from "../custom/openapi-config.ts";
import { requireSwitchable } from "../discovery/switches.ts";
import { Failure } from "../failure/failure.ts";
import { serverName, serverSchema } from "../mcp/server-config.ts";
import { efforts } from "../model/effort.ts";
import { immodestGlob, isModestGlob } from "../text/glob.ts";
import { hostPattern } from "../text/host-pattern.ts";
import { webSettings } from "../web/web-settings.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";

const megabyte = 1024 * 1024;

const host = z.string().regex(hostPattern, "a host name, or *. and a host name");

const runLimits = z.strictObject({
  memory: z.int().min(64).optional().describe("MiB; default: half of what is free"),
  seconds: z.number().positive().max(3600).optional().describe("Default: 60 for code, 300 for tests"),
  processes: z
    .int()
    .min(8)
    .optional()
    .describe("Processes and threads; default: by the cores of the machine"),
  disk: z.int().min(16).optional().describe("MiB of new files; default: by the memory"),
});

const days = (usual: number, about: string) => z.number().min(0).default(usual).describe(about);
const runHook = z.strictObject({
  command: z.string().min(1).describe("A line for the shell; it gets what happens as JSON on standard input"),
  seconds: z.number().positive().max(600).default(60).describe("Time it may take"),
});
const callHook = runHook.extend({
  tools: z
    .array(z.string().min(1).refine(isModestGlob, immodestGlob))
    .min(1)
    .default(["**"])
    .describe("Names of tools, as globs"),
});

/** One shape for the user's file, the workspace's file and what a program passes to `createWield`. */
export const settingsSchema = z.strictObject({
  $schema: z.string().optional(),
  rules: z.array(ruleSchema).default([]).describe("Approval policy; the last rule that matches wins"),
  modes: z
    .record(z.string(), z.enum(permissionModes))
    .default({})
    .describe("Permission mode by folder: ask, edits, plan or auto; only in the user's own file"),
  tools: z
    .strictObject({
      off: z.array(z.string()).default([]).describe("Tools or categories that are switched off"),
      on: z.array(z.string()).default([]).describe("Exceptions from off"),
      favourites: z
        .array(z.string())
        .default([])
        .describe("Tools that are described to the model from the start"),
    })
    .prefault({}),
  mcp: z.record(serverName, serverSchema).default({}).describe("MCP servers whose tools are added"),
  openapi: z
    .record(serverName, apiSchema)
    .default({})
    .describe("Web APIs whose operations are added as tools"),
  limits: z
    .strictObject({
      readLines: z.int().min(1).default(2000).describe("Lines that read_file returns at most"),
      tokensPerCall: z
        .int()
        .min(100)
        .optional()
        .describe("Tokens of model text a call at most; without it each tool's own limit, 8000 for most"),
    })
    .prefault({}),
  execution: z
    .strictObject({
      testCommand: z.array(z.string()).min(1).optional().describe("What run_tests runs, as a list of words"),
      formatCommand: z
        .array(z.string())
        .min(1)
        .optional()
        .describe("What format_code runs; the paths are put behind it"),
      toolsInCode: z
        .boolean()
        .default(false)
        .describe("Code in run_code may call tools with wield-tool, each with the usual approval"),
      network: z
        .union([z.enum(["off", "full"]), z.array(host).min(1)])
        .default("off")
        .describe(
          "What run_code and executeCode may reach: off, full (asks each time), or host names such as *.example.com",
        ),
      limits: runLimits
        .prefault({})
        .describe("What a run in the sandbox may use; a call that needs more asks"),
      limitsByFolder: z
        .record(z.string(), runLimits)
        .default({})
        .describe("The same for single folders, by their path"),
      npmRegistry: z
        .url()
        .optional()
        .describe("Where npm packages come from, when not where npm itself is told to look"),
      pipIndex: z
        .url()
        .optional()
        .describe("Where Python packages come from, when not where pip itself would look"),
      packageBytes: z
        .int()
        .min(0)
        .default(2048 * megabyte)
        .describe("What packages for executeCode may take on disk; those not used for longest go first"),
    })
    .prefault({}),
  model: z
    .string()
    .optional()
    .describe(
      "provider, provider/model, http://host/v1#model or offline; default: what a key or Ollama is found for",
    ),
  agent: z
    .strictObject({
      steps: z
        .int()
        .min(1)
        .optional()
        .describe(
          "Steps of a run before the person is asked to continue; default: 100, then the model's final words",
        ),
      tokens: z.int().min(1).optional().describe("Tokens a run may use in all"),
      costUsd: z
        .number()
        .positive()
        .optional()
        .describe("US dollars a run may cost; needs the model's price"),
      costUsdPerDay: z
        .number()
        .positive()
        .optional()
        .describe("US dollars that all runs of a day may cost before there is a warning; from 80 % on"),
      effort: z
        .enum(efforts)
        .optional()
        .describe(
          "How much the model thinks before it answers: none, low, medium, high or max; default: its own",
        ),
      seconds: z.number().positive().optional().describe("Time a run may take"),
      outputTokens: z
        .int()
        .min(1)
        .optional()
        .describe(
          "Tokens of one answer at most; default: the model's own limit, 16384 where that is not known",
        ),
      testDriven: z
        .boolean()
        .default(false)
        .describe("After a change, run the tests that belong to it and tell the model what fails"),
      diagnostics: z
        .boolean()
        .default(true)
        .describe(
          "After a change in a trusted folder, run its type checker and linters in the sandbox and tell the model what is new",
        ),
      diagnosticsSeconds: z
        .number()
        .positive()
        .default(30)
        .describe("Time for one of them; one that takes longer is not run again in that conversation"),
      contextTokens: z.int().min(2000).default(100_000).describe("Tokens a request to the model may have"),
    })
    .prefault({}),
  prices: z
    .record(
      z.string(),
      z.strictObject({
        input: z.number().min(0),
        output: z.number().min(0),
        cached: z.number().min(0).optional(),
        written: z.number().min(0).optional(),
      }),
    )
    .default({})
    .describe("US dollars for a million tokens, by provider/model; before the shipped prices"),
  pricesFrom: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Where wield prices --refresh fetches prices, in the format of LiteLLM's list"),
  hooks: z
    .strictObject({
      beforeCall: z.array(callHook).default([]).describe("An exit code other than 0 refuses the call"),
      afterCall: z
        .array(callHook)
        .default([])
        .describe("With an exit code other than 0, the model is told what was printed"),
      endOfRun: z.array(runHook).default([]).describe("When a run of an agent ends"),
    })
    .prefault({})
    .describe(
      "Commands that run at certain moments, outside the sandbox; those of a folder only while it is trusted",
    ),
  approvals: z
    .strictObject({
      days: z.number().positive().default(7).describe("How long a question that nobody answers stays open"),
    })
    .prefault({}),
  web: webSettings.prefault({}),
  research: z
    .strictObject({
      sites: z.int().min(0).default(30).describe("Sites that a research reads without asking"),
      megabytes: z.number().min(0).default(50).describe("What it reads of them in all"),
    })
    .prefault({})
    .describe("What wield research may do without asking"),
  flow: z
    .strictObject({
      control: z
        .boolean()
        .default(true)
        .describe(
          "Watch what leaves: ask once private data and content of others are read, never send secrets",
        ),
      public: z.array(z.string().min(1)).default([]).describe("Files that may leave, as globs: ** for all"),
    })
    .prefault({})
    .describe("Only in the user's own file"),
  telemetry: z
    .strictObject({
      endpoint: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe("An OTLP collector over HTTP, such as http://127.0.0.1:4318; without it nothing is sent"),
      headers: z.record(z.string(), z.string()).default({}).describe("Values may be $NAME"),
      content: z
        .boolean()
        .default(false)
        .describe("Messages, arguments and answers are sent, too, not only names, numbers and times"),
    })
    .prefault({})
    .describe("Only in the user's own file"),
  keep: z
    .strictObject({
      sessionDays: days(180, "Sessions without a new message for so long; pinned ones stay"),
      callDays: days(365, "Records of calls and their results"),
      documentDays: days(0, "Documents that nobody changed"),
      planDays: days(180, "Plans, apart from the newest of a folder"),
      journalDays: days(365, "Changes to files: older ones can no longer be undone"),
      cacheDays: days(60, "Indexes of code and compiled code that were not used"),
      storeMegabytes: z
        .int()
        .min(16)
        .default(2048)
        .describe("What sessions, results and documents may take on disk; above it the oldest sessions go"),
    })
    .prefault({})
    .describe("How long things are kept, in days; 0: for ever. wield clean shows what is beyond"),
  journal: z
    .strictObject({
      bytesPerChange: z
        .int()
        .min(0)
        .default(512 * megabyte)
        .describe("A change with larger old contents cannot be undone, and is asked about first"),
      bytesInAll: z
        .int()
        .min(0)
        .default(2048 * megabyte)
        .describe(
          "Above it, changes of build output and of files that were changed again can no longer be undone",
        ),
    })
    .prefault({}),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;

export const workspaceSettingsPath = ".wield/settings.json";

let defaults: Settings | undefined;

/** What holds where nothing is set. One value for everybody: nobody can change it. */
export function defaultSettings(): Settings {
  defaults ??= frozen(settingsSchema.parse({}));
  return defaults;
}

export function readUserSettings(file: string): Settings {
  const text = readIfThere(file)?.toString();
  return text === undefined ? defaultSettings() : parseSettings(text, file);
}

/** The workspace's own file. One that cannot be read is refused, not skipped: it may hold a `deny`. */
export async function readWorkspaceSettings(workspace: Workspace): Promise<Settings> {
  const text = await workspace.read(workspaceSettingsPath).then(
    (file) => file.bytes.toString(),
    (error: unknown) => {
      if (error instanceof Failure && error.code === "FILE_NOT_FOUND") return undefined;
      throw error;
    },
  );
  return text === undefined ? defaultSettings() : parseSettings(text, workspaceSettingsPath);
}

export function parseSettings(text: string, file: string): Settings {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure(
      "INVALID_INPUT",
      `${file} is not valid JSON: ${(error as Error).message}. Correct it or move it away.`,
    );
  }
  const parsed = settingsSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Failure(
    "INVALID_INPUT",
    `${file} has settings that Wield does not know:\n${z.prettifyError(parsed.error)}`,
  );
}

/** Adds rules to the user's file, each once, and leaves everything else in it as it is. */
export function saveUserRules(file: string, added: readonly Rule[]): Settings {
  return changeUserSettings(file, ({ rules = [], ...settings }) => ({
    ...settings,
    rules: added.reduce(withRule, rules),
  }));
}

/**
 * Changes the user's file; what `change` leaves alone stays as it was written, and a file that would not be valid is not
 * written. The settings as they are then.
 */
export function changeUserSettings(
  file: string,
  change: (settings: SettingsInput) => SettingsInput,
): Settings {
  const text = readIfThere(file)?.toString() ?? "{}";
  parseSettings(text, file);
  const changed = `${JSON.stringify(change(JSON.parse(text)), null, 2)}\n`;
  const settings = parseSettings(changed, file);
  writeAtomic(file, changed);
  return settings;
}

/** With a tool among the favourites, or no longer. */
export function withFavourite(settings: SettingsInput, name: string, pinned: boolean): SettingsInput {
  const others = (settings.tools?.favourites ?? []).filter((other) => other !== name);
  return { ...settings, tools: { ...settings.tools, favourites: pinned ? [...others, name] : others } };
}

/** With a tool or a category switched on or off. */
export function withSwitch(settings: SettingsInput, name: string, to: "on" | "off"): SettingsInput {
  if (to === "off") requireSwitchable(name);
  const { off = [], on = [], ...rest } = settings.tools ?? {};
  const others = { off: off.filter((other) => other !== name), on: on.filter((other) => other !== name) };
  return { ...settings, tools: { ...rest, ...others, [to]: [...others[to], name] } };
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (part !== null && typeof part === "object") frozen(part);
  return Object.freeze(value);
}

/** What a call may cost besides its tool's own limit. */
export function tokensOfCall({ tokensPerCall }: Settings["limits"]): number {
  return tokensPerCall ?? Number.POSITIVE_INFINITY;
}
