import { spawn } from "node:child_process";
import { constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireHostProgram } from "./host-programs.ts";

/** Both ends of a real pipe. The caller closes both. */
export interface Pipe {
  readEnd: number;
  writeEnd: number;
}

const batch = 16;
const spare: Pipe[] = [];
let refill: Promise<void> | undefined;

/**
 * Node's own "pipe" is a socket pair, and opening `/dev/stderr` on a socket fails (ENXIO). So commands get FIFOs:
 * made a batch at a time, opened at both ends and unlinked at once, nothing of them stays on disk.
 */
export async function takePipe(): Promise<Pipe> {
  for (;;) {
    const pipe = spare.pop();
    if (pipe) return pipe;
    refill ??= makePipes().finally(() => {
      refill = undefined;
    });
    await refill;
  }
}

async function makePipes(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pipes-"));
  try {
    const paths = Array.from({ length: batch }, (_, n) => join(folder, String(n)));
    await mkfifo(paths);
    for (const path of paths) spare.push(openBothEnds(path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reading end must not wait for a partner; the writing end is for commands, which expect to wait. */
function openBothEnds(path: string): Pipe {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
}

/**
 * Input as an open file without a name: nothing to feed, nothing to break when the command stops reading, and
 * `/dev/stdin` can be opened at any time (on a FIFO whose writer has finished that would wait for ever).
 */
export function inputFile(input: Uint8Array | string): number {
  const folder = mkdtempSync(join(tmpdir(), "input-"));
  try {
    const path = join(folder, "0");
    writeFileSync(path, input, { mode: 0o600 });
    return openSync(path, "r");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function mkfifo(paths: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(requireHostProgram("mkfifo", "/usr/bin:/bin"), ["-m", "600", ...paths], {
      stdio: "ignore",
    });
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`mkfifo ended with code ${code}`)),
    );
  });
}
