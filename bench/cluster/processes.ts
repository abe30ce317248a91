// The processes of the trial: workers behind a link that can be cut, and web processes. Each ends with the trial.
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Link } from "./link.ts";

export interface WorkerProcess {
  child: ChildProcess;
  id: string;
  clock: string | undefined;
  link: Link;
}

export interface WebProcess {
  child: ChildProcess;
  origin: string;
}

export interface WorkerPlace {
  database: string;
  /** The mirror stays where the machine does. */
  folder: string;
  witness: string;
  stepMs: number;
  places: number;
  /** Of libfaketime, such as +1h. */
  clock: string | undefined;
  /** A checkout of another version that the process is of. */
  version: string | undefined;
}

const faketime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/** Tried again until the database is there. */
export async function startWorkerProcess(place: WorkerPlace): Promise<WorkerProcess> {
  const { folder, witness, stepMs, places, clock, version } = place;
  mkdirSync(folder, { recursive: true });
  for (;;) {
    const url = new URL(place.database);
    const link = await Link.open(Number(url.port));
    url.port = String(link.port);
    const env =
      clock && existsSync(faketime)
        ? { LD_PRELOAD: faketime, FAKETIME: clock, DONT_FAKE_MONOTONIC: "1" }
        : {};
    const args = [url.href, folder, witness, String(stepMs), String(places)];
    const child = forked("worker-process.ts", args, env, version);
    const id = (await firstMessage<{ id: string }>(child))?.id;
    if (id !== undefined) return { child, id, clock, link };
    link.close();
    await sleep(1000);
  }
}

/** Tried again until the database is there. */
export async function startWebProcess(database: string, version?: string): Promise<WebProcess> {
  for (;;) {
    const child = forked("web-process.ts", [database], {}, version);
    const origin = (await firstMessage<{ origin: string }>(child))?.origin;
    if (origin !== undefined) return { child, origin };
    await sleep(1000);
  }
}

/** As the command does: `wield serve` keeps what Node compiled of it. */
const compiled = join(import.meta.dirname, "../../.artifacts/compile-cache");

export function forked(
  file: string,
  args: string[],
  env: Record<string, string> = {},
  version?: string,
): ChildProcess {
  const folder = version === undefined ? import.meta.dirname : join(version, "bench", "cluster");
  return fork(join(folder, file), args, {
    execArgv: ["--expose-gc"],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Undefined: it ended instead. */
export function firstMessage<T>(child: ChildProcess): Promise<T | undefined> {
  return new Promise((resolve) => {
    child.once("message", (message) => resolve(message as T));
    child.once("exit", () => resolve(undefined));
  });
}

export interface ProcessFigures {
  heapBytes: number;
  cpuSeconds: number;
}

/** After a garbage collection there. */
export async function figuresOf(child: ChildProcess): Promise<ProcessFigures> {
  const answer = new Promise<ProcessFigures>((resolve) => child.once("message", resolve));
  child.send("figures");
  return answer;
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
