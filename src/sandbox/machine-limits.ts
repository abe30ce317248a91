import { availableParallelism } from "node:os";
import type { Limits } from "./policy.ts";

/** What the person set for runs in a folder; omitted values follow the machine. Sizes in MiB. */
export interface ChosenLimits {
  memory?: number | undefined;
  disk?: number | undefined;
  processes?: number | undefined;
  seconds?: number | undefined;
}

/** The currently available resources of the machine. */
export interface Machine {
  freeMemory: number;
  cores: number;
}

export function machineNow(): Machine {
  return { freeMemory: process.availableMemory(), cores: availableParallelism() };
}

const MiB = 1024 * 1024;
const least = { memory: 512 * MiB, disk: 256 * MiB };
/** The changes of a run are read back into memory. */
const largestDisk = 2048 * MiB;

/**
 * The limits of one run: half of the memory that is free, as many processes as the machine's cores can make use of, and
 * processor time for all of them. Never less than a compiler needs to start.
 */
export function limitsOn({ freeMemory, cores }: Machine, chosen: ChosenLimits, seconds: number): Limits {
  const memory = chosen.memory ? chosen.memory * MiB : Math.max(least.memory, Math.floor(freeMemory / 2));
  const disk = chosen.disk
    ? chosen.disk * MiB
    : Math.max(least.disk, Math.min(Math.floor(memory / 2), largestDisk));
  return {
    wallMs: seconds * 1000,
    cpu: Math.ceil(seconds * Math.max(1, cores)),
    memory,
    // Threads count as well, and a test runner starts several in each of its processes.
    processes: chosen.processes ?? 256 + 128 * cores,
    disk,
    files: 100_000,
    fileSize: disk,
    openFiles: 4096,
    output: 32 * MiB,
  };
}
