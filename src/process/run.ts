import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import { Socket } from "node:net";
import { Failure } from "../events/failure.ts";
import { Capture } from "./capture.ts";
import { inputFile, takePipe } from "./pipes.ts";
import type { Command, Outcome, RunCommand } from "./process.ts";
import { type Family, familyOf, killFamily, send } from "./tree.ts";

const megabyte = 1_000_000;
/** Time to clean up (git removes its lock files) between the request to end and the kill. */
const graceMs = 250;
/** How long output may still come in after the command has ended. */
const drainMs = 200;
const drainLimitMs = 2_000;

/** Nothing outlives the call: when it resolves, the command and its whole group are gone. */
export const runCommand: RunCommand = async (command) => {
  const startedAt = performance.now();
  const { child, out, err } = await start(command);
  const leader = child.pid ?? 0;
  const stdout = new Capture(command.onStdout ? 0 : (command.keepBytes ?? megabyte));
  const stderr = new Capture(command.keepBytes ?? megabyte);

  let ended: Outcome["ended"] = "exit";
  let known: Family | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const end = (reason: Outcome["ended"]) => {
    if (known) return;
    ended = reason;
    known = familyOf(leader);
    for (const pid of known.keys()) send(pid, "SIGTERM");
    killTimer = setTimeout(() => void killFamily(leader, known), graceMs);
  };

  const maxBytes = command.maxBytes ?? 16 * megabyte;
  let thrown: { error: unknown } | undefined;
  const receive = (into: Capture, chunk: Buffer, sink: Command["onStdout"]) => {
    into.add(chunk);
    try {
      if (!known && sink?.(chunk) === false) end("stopped");
    } catch (error) {
      thrown = { error };
      end("stopped");
    }
    if (stdout.bytes + stderr.bytes > maxBytes) end("output-limit");
  };
  out.on("data", (chunk: Buffer) => receive(stdout, chunk, command.onStdout));
  err.on("data", (chunk: Buffer) => receive(stderr, chunk, undefined));

  const onAbort = () => end("abort");
  if (command.signal?.aborted) onAbort();
  command.signal?.addEventListener("abort", onAbort, { once: true });
  const timer =
    command.timeoutMs === undefined ? undefined : setTimeout(() => end("timeout"), command.timeoutMs);

  const [exitCode, signal] = await exitOf(child);
  clearTimeout(timer);
  clearTimeout(killTimer);
  command.signal?.removeEventListener("abort", onAbort);
  if (known || send(-leader, 0)) await killFamily(leader, known);
  await drained([out, err]);
  out.destroy();
  err.destroy();
  if (thrown) throw thrown.error;

  return {
    exitCode,
    signal,
    stdout: command.onStdout ? { text: "", bytes: stdout.bytes, truncated: false } : stdout.result(),
    stderr: stderr.result(),
    durationMs: Math.round(performance.now() - startedAt),
    ended,
  };
};

interface Started {
  child: ChildProcess;
  out: Socket;
  err: Socket;
}

async function start(command: Command): Promise<Started> {
  const out = await takePipe();
  const err = await takePipe();
  const ours = [out.readEnd, err.readEnd];
  const theirs = [out.writeEnd, err.writeEnd];
  try {
    if (command.signal?.aborted) {
      throw new Failure("ABORTED", `${command.file} was not started: the call was aborted.`);
    }
    if (command.input !== undefined) theirs.push(inputFile(command.input));
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: command.env,
      stdio: [theirs[2] ?? "ignore", out.writeEnd, err.writeEnd],
      // Its own session and group: the kill reaches all of it, and no terminal of ours is within its reach.
      detached: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    return { child, out: reader(out.readEnd), err: reader(err.readEnd) };
  } catch (error) {
    for (const fd of ours) closeSync(fd);
    throw startFailure(command, error);
  } finally {
    for (const fd of theirs) closeSync(fd);
  }
}

function reader(fd: number): Socket {
  return new Socket({ fd, readable: true, writable: false });
}

function startFailure({ file, cwd }: Command, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" && !existsSync(cwd)) {
    return new Failure("UNAVAILABLE", `${file} cannot start: its directory ${cwd} does not exist.`);
  }
  if (code === "ENOENT")
    return new Failure("UNAVAILABLE", `${file} was not found. Install it, or use another way.`);
  if (code === "EACCES" || code === "EPERM") {
    return new Failure(
      "PERMISSION_DENIED",
      `${file} may not be run here: it is not executable for this user.`,
    );
  }
  if (code === "E2BIG")
    return new Failure("TOO_LARGE", `The arguments for ${file} are too long. Pass less at once.`);
  if (code === "ERR_INVALID_ARG_VALUE") {
    return new Failure(
      "INVALID_INPUT",
      `An argument or variable for ${file} contains a NUL character. Remove it.`,
    );
  }
  if (code === "EAGAIN" || code === "ENOMEM" || code === "EMFILE") {
    return new Failure(
      "UNAVAILABLE",
      `${file} could not start: the machine is out of resources (${code}). Try again later.`,
    );
  }
  return error;
}

function exitOf(child: ChildProcess): Promise<[number | null, string | null]> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve([child.exitCode, child.signalCode]);
  }
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])));
}

/**
 * Waits for the end of all streams. A process that got away may hold one open for ever, so after a while a stream
 * counts as ended once a whole turn of the event loop has brought nothing: on a busy machine, late is not lost.
 */
async function drained(streams: Socket[]): Promise<void> {
  const deadline = performance.now() + drainMs;
  const limit = deadline + drainLimitMs;
  const open = () => streams.filter((stream) => !stream.readableEnded && !stream.destroyed);
  const read = () => streams.reduce((sum, stream) => sum + stream.bytesRead, 0);
  let before = -1;
  while (open().length > 0 && performance.now() < limit) {
    const now = performance.now();
    if (now < deadline) {
      await firstEnd(open(), deadline - now);
      continue;
    }
    if (read() === before) return;
    before = read();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function firstEnd(streams: Socket[], ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const stream of streams) stream.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const stream of streams) stream.on("close", done);
  });
}
