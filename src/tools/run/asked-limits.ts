import { z } from "zod";
import { type ChosenLimits, limitsOn, machineNow } from "../../sandbox/machine-limits.ts";
import type { Limits } from "../../sandbox/policy.ts";

/** The longest that any run may take. */
export const longestSeconds = 3600;
const MiB = 1024 * 1024;

/** What a call may ask for beyond what its run would have. */
export interface AskedLimits {
  timeout: number;
  memory?: number | undefined;
}

export const memoryInput = z
  .int()
  .min(64)
  .max(1024 * 1024)
  .optional()
  .describe("MiB, beyond the machine's share; asks");

export function timeoutInput(seconds: number) {
  return z
    .number()
    .positive("must be more than 0 seconds")
    .max(longestSeconds, `at most ${longestSeconds} seconds; split longer work`)
    .default(seconds)
    .describe(`Seconds; more than ${freeSeconds(seconds)} asks the person`);
}

/** Nobody is asked about a run of ten minutes. */
function freeSeconds(usual: number): number {
  return Math.max(600, usual);
}

export function limitsFor({ timeout, memory }: AskedLimits, chosen: ChosenLimits): Limits {
  const limits = limitsOn(machineNow(), chosen, timeout);
  return memory === undefined ? limits : { ...limits, memory: memory * MiB };
}

/**
 * What a call asks for beyond what runs have, one line each: the person sees them with the command. What is free changes
 * from moment to moment, so that any memory asked for is beyond, unless the person's settings give as much.
 */
export function extraLimits({ timeout, memory }: AskedLimits, chosen: ChosenLimits, usual: number): string[] {
  return [
    ...(memory !== undefined && memory > (chosen.memory ?? 0) ? [`# memory: up to ${memory} MiB`] : []),
    ...(timeout > freeSeconds(usual) ? [`# time: up to ${timeout} s`] : []),
  ];
}
