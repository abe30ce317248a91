import type { Limits } from "../agent/limits.ts";
import { type StopReason, stopReasons } from "../events/agent-events.ts";
import { type Given, type Option, UsageError } from "./command.ts";

/** How a run ended, as the shell is told. */
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

export const exitCodesText = `Exit codes: ${stopReasons.map((stop) => `${exitCodes[stop]} ${stop}`).join(", ")}; 2 wrong use.`;

/** Options of every command that lets a model work. */
export const runOptions: Readonly<Record<string, Option>> = {
  model: { value: "NAME", short: "m", help: "provider/model, http://host/v1#model or offline" },
  json: { help: "Print events as JSON, one a line" },
  yes: { short: "y", help: "Approve what would be asked; never what a rule denies" },
  "max-steps": { value: "N", help: "Stop after N steps" },
  "max-tokens": { value: "N", help: "Stop after N tokens" },
  "max-cost": { value: "USD", help: "Stop at this cost" },
  "max-time": { value: "SECONDS", help: "Stop after this time" },
};

export const resumeOptions: Readonly<Record<string, Option>> = {
  continue: { short: "c", help: "Go on with the newest session of this folder" },
  resume: { value: "ID", help: "Go on with this session", completes: { lookup: "session" } },
};

export const testDrivenOption: Readonly<Record<string, Option>> = {
  "test-driven": {
    help: "After each change run the tests that belong to it, and let the model see what fails",
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

function numberFrom(given: Given, name: string, whole: boolean): number | undefined {
  const text = given.value(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value > 0 && (!whole || Number.isInteger(value))) return value;
  throw new UsageError(`--${name} takes a ${whole ? "whole " : ""}number above 0.`);
}
