import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import { Socket } from "node:net";
import { Failure } from "../failure/failure.ts";
import { Capture } from "./capture.ts";
import { hostPath, requireHostProgram } from "./host-programs.ts";
import { inputFile, takePipe } from "./pipes.ts";
import type { Command, Outcome } from "./process.ts";
import { type Family, familyOf, killFamily, send } from "./tree.ts";

const systemPath = "/usr/bin:/bin";
const megabyte = 1_000_000;
/** Time to clean up (git removes its lock files) between the request to end and the kill. */
const defaultGraceMs = 250;
/** How long output may still come in after the command has ended. */
const drainMs = 200;
const drainLimitMs = 2_000;

/** A command with more threads to hold it by than most callers need. */
export interface Supervised extends Command {
  /** Descriptors from 3 on: bytes it reads, a receiver of what it writes, or one that is written to later. */
  channels?: readonly Channel[];
  /** Sees the raw output as it comes; it is kept all the same. */
  onStderr?: (chunk: Buffer) => void;
  /** Standard input stays open for `Running.write` instead of being what `input` gives. */
  liveInput?: boolean;
  onStart?: (running: Running) => void;
  /** Ends it in its own way when time, output or the caller demand it; what is left after `graceMs` is killed. */
  endGently?: () => void;
  graceMs?: number;
}

export type Channel = Uint8Array | ((chunk: Buffer) => void) | "later";

export interface Running {
  pid: number;
  end(reason: Outcome["ended"]): void;
  /** Writes to a channel that was left for later, and closes it. */
  tell(fd: number, bytes: string): void;
  /** Writes to the standard input that was left open. */
  write(bytes: string): void;
}

/** Nothing outlives the call: when it resolves, the command and its whole group are gone. */
export async function supervise(command: Supervised): Promise<Outcome> {
  const startedAt = performance.now();
  const { child, out, err, receivers } = await start(command);
  const pid = child.pid ?? 0;
  const stdout = new Capture(command.onStdout ? 0 : (command.keepBytes ?? megabyte));
  const stderr = new Capture(command.keepBytes ?? megabyte);

  let ended: Outcome["ended"] = "exit";
  let known: Family | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const end = (reason: Outcome["ended"]) => {
    if (known) return;
    ended = reason;
    known = familyOf(pid);
    if (command.endGently) command.endGently();
    else for (const member of known.keys()) send(member, "SIGTERM");
    killTimer = setTimeout(() => void killFamily(pid, known), command.graceMs ?? defaultGraceMs);
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
  out.on("data", (chunk: Buffer) => {
    receive(stdout, chunk, command.onStdout);
    command.watch?.(chunk, "stdout");
  });
  err.on("data", (chunk: Buffer) => {
    receive(stderr, chunk, (seen) => command.onStderr?.(seen) ?? undefined);
    command.watch?.(chunk, "stderr");
  });
  // A command may end without reading all it is given.
  child.stdin?.on("error", () => {});
  command.onStart?.({
    ...{ pid, end },
    tell: (fd, bytes) => channelOf(child, fd).end(bytes),
    write: (bytes) => void child.stdin?.write(bytes),
  });

  const onAbort = () => end("abort");
  if (command.signal?.aborted) onAbort();
  command.signal?.addEventListener("abort", onAbort, { once: true });
  const timer =
    command.timeoutMs === undefined ? undefined : setTimeout(() => end("timeout"), command.timeoutMs);

  const [exitCode, signal] = await exitOf(child);
  clearTimeout(timer);
  clearTimeout(killTimer);
  command.signal?.removeEventListener("abort", onAbort);
  if (known || send(-pid, 0)) await killFamily(pid, known);
  await drained([out, err, ...receivers]);
  for (const stream of [out, err, ...child.stdio]) stream?.destroy();
  if (thrown) throw thrown.error;

  return {
    exitCode,
    signal,
    stdout: command.onStdout ? { text: "", bytes: stdout.bytes, truncated: false } : stdout.result(),
    stderr: stderr.result(),
    durationMs: Math.round(performance.now() - startedAt),
    ended,
  };
}

interface Started {
  child: ChildProcess;
  out: Socket;
  err: Socket;
  receivers: Socket[];
}

async function start(command: Supervised): Promise<Started> {
  const { channels = [] } = command;
  const out = await takePipe();
  const err = await takePipe();
  const ours = [out.readEnd, err.readEnd];
  const theirs = [out.writeEnd, err.writeEnd];
  try {
    if (command.signal?.aborted) {
      throw new Failure("ABORTED", `${command.file} was not started: the call was aborted.`);
    }
    if (command.input !== undefined) theirs.push(inputFile(command.input));
    const env = withHostPath(command.env);
    const child = spawn(requireHostProgram(command.file, env["PATH"] ?? systemPath), command.args, {
      cwd: command.cwd,
      env,
      stdio: [
        theirs[2] ?? (command.liveInput ? "pipe" : "ignore"),
        out.writeEnd,
        err.writeEnd,
        ...channels.map(() => "pipe" as const),
      ],
      // Its own session and group: the kill reaches all of it, and no terminal of ours is within its reach.
      detached: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    const receivers = channels.flatMap((channel, n) => openChannel(channelOf(child, n + 3), channel));
    return { child, out: reader(out.readEnd), err: reader(err.readEnd), receivers };
  } catch (error) {
    for (const fd of ours) closeSync(fd);
    throw startFailure(command, error);
  } finally {
    for (const fd of theirs) closeSync(fd);
  }
}

/** What it starts in turn is found in the same places as itself. */
function withHostPath(env: Command["env"]): Command["env"] {
  const { PATH } = env;
  return PATH === undefined ? env : { ...env, PATH: hostPath(PATH) || systemPath };
}

function reader(fd: number): Socket {
  return new Socket({ fd, readable: true, writable: false });
}

function channelOf(child: ChildProcess, fd: number): Socket {
  return child.stdio[fd] as Socket;
}

/** A command may end without reading all it is given: that is its right, not an error. */
function openChannel(socket: Socket, channel: Channel): Socket[] {
  socket.on("error", () => {});
  if (typeof channel === "function") {
    socket.on("data", channel);
    return [socket];
  }
  if (channel !== "later") socket.end(channel);
  return [];
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
 * Waits for the end of all streams. A detached process may keep one open forever, so after a while a stream counts as
 * ended once a whole turn of the event loop brought no data: on a busy machine, late data is not lost.
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
