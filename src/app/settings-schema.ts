import { z } from "zod";
import { permissionModes } from "../approval/modes.ts";
import { ruleSchema } from "../approval/rules.ts";
import { apiSchema } from "../custom/openapi-config.ts";
import { serverName, serverSchema } from "../mcp/server-config.ts";
import { efforts } from "../model/effort.ts";
import { webSettings } from "../web/web-settings.ts";
import { defaultSettings as usual } from "./default-settings.ts";
import { executionSettings, hookSettings } from "./run-settings.ts";

const days = (usually: number, about: string) => z.number().min(0).default(usually).describe(about);

/**
 * One shape for the user's file, the workspace's file and what a program passes to `createWield`. The schema of a group is
 * built when something has the group: most files have few, and most commands need none.
 */
export const settingsSchema = z.lazy(() =>
  z.strictObject({
    $schema: z.string().optional(),
    rules: z.array(ruleSchema).default([]).describe("Approval policy; the last rule that matches wins"),
    modes: z
      .record(z.string(), z.enum(permissionModes))
      .default({})
      .describe("Permission mode by folder: ask, edits, plan or auto; only in the user's own file"),
    tools: z
      .lazy(() =>
        z.strictObject({
          off: z
            .array(z.string())
            .default(usual.tools.off)
            .describe("Tools or categories that are switched off"),
          on: z.array(z.string()).default(usual.tools.on).describe("Exceptions from off"),
          favourites: z
            .array(z.string())
            .default(usual.tools.favourites)
            .describe("Tools that are described to the model from the start"),
        }),
      )
      .default(usual.tools),
    mcp: z.record(serverName, serverSchema).default({}).describe("MCP servers whose tools are added"),
    openapi: z
      .record(serverName, apiSchema)
      .default({})
      .describe("Web APIs whose operations are added as tools"),
    limits: z
      .lazy(() =>
        z.strictObject({
          readLines: z
            .int()
            .min(1)
            .default(usual.limits.readLines)
            .describe("Lines that read_file returns at most"),
          tokensPerCall: z
            .int()
            .min(100)
            .optional()
            .describe("Tokens of model text a call at most; without it each tool's own limit, 8000 for most"),
        }),
      )
      .default(usual.limits),
    execution: executionSettings.default(usual.execution),
    model: z
      .string()
      .optional()
      .describe(
        "provider, provider/model, http://host/v1#model or offline; default: what a key or Ollama is found for",
      ),
    agent: z
      .lazy(() =>
        z.strictObject({
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
            .default(usual.agent.testDriven)
            .describe("After a change, run the tests that belong to it and tell the model what fails"),
          diagnostics: z
            .boolean()
            .default(usual.agent.diagnostics)
            .describe(
              "After a change in a trusted folder, run its type checker and linters in the sandbox and tell the model what is new",
            ),
          diagnosticsSeconds: z
            .number()
            .positive()
            .default(usual.agent.diagnosticsSeconds)
            .describe("Time for one of them; one that takes longer is not run again in that conversation"),
          contextTokens: z
            .int()
            .min(2000)
            .default(usual.agent.contextTokens)
            .describe("Tokens a request to the model may have"),
        }),
      )
      .default(usual.agent),
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
    hooks: hookSettings
      .default(usual.hooks)
      .describe(
        "Commands that run at certain moments, in the sandbox; those of a folder only while it is trusted",
      ),
    approvals: z
      .lazy(() =>
        z.strictObject({
          days: z
            .number()
            .positive()
            .default(usual.approvals.days)
            .describe("How long a question that nobody answers stays open"),
        }),
      )
      .default(usual.approvals),
    web: webSettings.default(usual.web),
    research: z
      .lazy(() =>
        z.strictObject({
          sites: z
            .int()
            .min(0)
            .default(usual.research.sites)
            .describe("Sites that a research reads without asking"),
          megabytes: z
            .number()
            .min(0)
            .default(usual.research.megabytes)
            .describe("What it reads of them in all"),
        }),
      )
      .default(usual.research)
      .describe("What wield research may do without asking"),
    flow: z
      .lazy(() =>
        z.strictObject({
          control: z
            .boolean()
            .default(usual.flow.control)
            .describe(
              "Watch what leaves: ask once private data and content of others are read, never send secrets",
            ),
          public: z
            .array(z.string().min(1))
            .default(usual.flow.public)
            .describe("Files that may leave, as globs: ** for all"),
        }),
      )
      .default(usual.flow)
      .describe("Only in the user's own file"),
    telemetry: z
      .lazy(() =>
        z.strictObject({
          endpoint: z
            .url({ protocol: /^https?$/ })
            .optional()
            .describe(
              "An OTLP collector over HTTP, such as http://127.0.0.1:4318; without it nothing is sent",
            ),
          headers: z
            .record(z.string(), z.string())
            .default(usual.telemetry.headers)
            .describe("Values may be $NAME"),
          content: z
            .boolean()
            .default(usual.telemetry.content)
            .describe("Messages, arguments and answers are sent, too, not only names, numbers and times"),
        }),
      )
      .default(usual.telemetry)
      .describe("Only in the user's own file"),
    keep: z
      .lazy(() =>
        z.strictObject({
          sessionDays: days(
            usual.keep.sessionDays,
            "Sessions without a new message for so long; pinned ones stay",
          ),
          callDays: days(usual.keep.callDays, "Records of calls and their results"),
          documentDays: days(usual.keep.documentDays, "Documents that nobody changed"),
          planDays: days(usual.keep.planDays, "Plans, apart from the newest of a folder"),
          journalDays: days(usual.keep.journalDays, "Changes to files: older ones can no longer be undone"),
          cacheDays: days(usual.keep.cacheDays, "Indexes of code and compiled code that were not used"),
          storeMegabytes: z
            .int()
            .min(16)
            .default(usual.keep.storeMegabytes)
            .describe(
              "What sessions, results and documents may take on disk; above it the oldest sessions go",
            ),
        }),
      )
      .default(usual.keep)
      .describe("How long things are kept, in days; 0: for ever. wield clean shows what is beyond"),
    journal: z
      .lazy(() =>
        z.strictObject({
          bytesPerChange: z
            .int()
            .min(0)
            .default(usual.journal.bytesPerChange)
            .describe("A change with larger old contents cannot be undone, and is asked about first"),
          bytesInAll: z
            .int()
            .min(0)
            .default(usual.journal.bytesInAll)
            .describe(
              "Above it, changes of build output and of files that were changed again can no longer be undone",
            ),
        }),
      )
      .default(usual.journal),
  }),
);
