import type { Limits } from "../agent/limits.ts";
import { type ProfileName, profileNames } from "../agent/profiles.ts";
import { modeTexts, type PermissionMode, permissionModes } from "../approval/modes.ts";
import { type StopReason, stopReasons } from "../events/agent-events.ts";
import { type Effort, efforts } from "../model/effort.ts";
import { type Given, type Option, UsageError } from "./command.ts";

/** Exit codes of a run. */
export const exitCodes: Readonly<Record<StopReason, number>> = {
  done: 0,
  error: 1,
  steps: 3,
  tokens: 4,
  cost: 5,
  time: 6,
  loop: 7,
  aborted: 130,
};

/** The run ended well, but calls were not made because nobody was there to approve them. */
export const unapprovedCode = 8;

export const exitCodesText = `Exit codes: ${stopReasons.map((stop) => `${exitCodes[stop]} ${stop}`).join(", ")}, ${unapprovedCode} needs approval; 2 wrong usage.`;

export const modelOption = {
  value: "NAME",
  short: "m",
  help: "provider/model, http://host/v1#model or offline",
} as const satisfies Option;

/** Options of every command that runs a model. */
export const runOptions: Readonly<Record<string, Option>> = {
  model: modelOption,
  effort: {
    value: "LEVEL",
    help: `How much the model thinks first: ${efforts.join(", ")}; default: its own`,
    completes: { known: efforts },
  },
  json: { help: "Print events as JSON, one per line" },
  yes: { short: "y", help: "Approve every request; rules that deny still apply" },
  "max-steps": { value: "N", help: "Stop after N steps" },
  "max-tokens": { value: "N", help: "Stop after N tokens" },
  "max-cost": { value: "USD", help: "Stop when this cost is reached" },
  "max-time": { value: "SECONDS", help: "Stop after this time" },
};

export const resumeOptions: Readonly<Record<string, Option>> = {
  continue: { short: "c", help: "Continue the newest session of this folder" },
  resume: { value: "ID", help: "Continue this session", completes: { lookup: "session" } },
};

export const profileOption: Readonly<Record<string, Option>> = {
  profile: {
    value: "NAME",
    short: "p",
    help: `How the agent works: ${profileNames.join(", ")}; default code`,
    completes: { known: profileNames },
  },
};

export function profileFrom(given: Given): { profile?: ProfileName } {
  const name = given.value("profile");
  return name === undefined ? {} : { profile: knownProfile(name) };
}

export function knownProfile(name: string): ProfileName {
  const known = profileNames.find((each) => each === name.toLowerCase());
  if (known) return known;
  throw new UsageError(
    `There is no profile ${JSON.stringify(name)}. The profiles: ${profileNames.join(", ")}.`,
  );
}

export const modeOption: Readonly<Record<string, Option>> = {
  mode: {
    value: "MODE",
    help: `What is asked about in this session: ${permissionModes.join(", ")}; default ask, or as chosen for the folder`,
    completes: { known: permissionModes },
  },
};

/** What each permission mode does, for the help of a command. */
export const modesText = permissionModes.map((mode) => `--mode ${mode}: ${modeTexts[mode].hint}`).join("\n");

export function modeFrom(given: Given): { permissionMode?: PermissionMode } {
  const name = given.value("mode");
  return name === undefined ? {} : { permissionMode: knownMode(name) };
}

export function knownMode(name: string): PermissionMode {
  const known = permissionModes.find((each) => each === name.toLowerCase());
  if (known) return known;
  throw new UsageError(
    `There is no permission mode ${JSON.stringify(name)}. The modes: ${permissionModes.join(", ")}.`,
  );
}

export function effortFrom(given: Given): { effort?: Effort } {
  const wanted = given.value("effort");
  if (wanted === undefined) return {};
  const effort = efforts.find((known) => known === wanted.toLowerCase());
  if (effort) return { effort };
  throw new UsageError(`--effort takes one of ${efforts.join(", ")}.`);
}

export const testDrivenOption: Readonly<Record<string, Option>> = {
  "test-driven": {
    help: "After each change, run the related tests and show failures to the model",
  },
};

export function limitsFrom(given: Given): Limits {
  const steps = numberFrom(given, "max-steps", true);
  const tokens = numberFrom(given, "max-tokens", true);
  const costUsd = numberFrom(given, "max-cost", false);
  const seconds = numberFrom(given, "max-time", false);
  return {
    ...(steps !== undefined && { steps }),
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(seconds !== undefined && { seconds }),
  };
}

export function numberFrom(given: Given, name: string, whole: boolean): number | undefined {
  const text = given.value(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value > 0 && (!whole || Number.isInteger(value))) return value;
  throw new UsageError(`--${name} takes a ${whole ? "whole " : ""}number above 0.`);
}
