// The jail under attack: reads and writes while another process swaps a directory for a link that leads outside, as
// fast as it can. Then what a jailed read costs beside a plain one. Arguments: reads, writes.
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { Failure } from "../src/failure/failure.ts";
import { Blobs } from "../src/workspace/blobs.ts";
import { Contents } from "../src/workspace/contents.ts";
import { readPath } from "../src/workspace/files.ts";
import { Jail } from "../src/workspace/jail.ts";
import { hashOf } from "../src/workspace/node.ts";
import { perform } from "../src/workspace/perform.ts";
import { cleanUp } from "../src/workspace/roll-back.ts";

const [reads = 100_000, writes = 20_000] = process.argv.slice(2).map(Number);
const folder = realpathSync(mkdtempSync(join(tmpdir(), "wield-bench-")));
const [root, outside] = [join(folder, "ws"), join(folder, "outside")];
for (const place of [join(root, "a/swap/b"), join(outside, "b")]) mkdirSync(place, { recursive: true });
for (const name of ["file", "b/file"]) {
  writeFileSync(join(root, "a/swap", name), "inside");
  writeFileSync(join(outside, name), "SECRET");
}

const exchanger = `
import ctypes, os, sys, threading
exchange = ctypes.CDLL(None).renameat2
here, flag = ctypes.c_int(-100), ctypes.c_uint(2)
first, second = (ctypes.c_char_p(path.encode()) for path in sys.argv[1:3])
over = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
print("ready", flush=True)
swaps = 0
while not over.is_set():
    for _ in range(100):
        exchange(here, first, here, second, flag)
    swaps += 100
print(swaps, flush=True)
os.unlink(sys.argv[2])
`;

const jail = new Jail(root);
const blobs = new Blobs(join(folder, "blobs"));
try {
  await withSwapper(attackReads);
  await withSwapper(attackWrites);
  compare();
} finally {
  jail.close();
  rmSync(folder, { recursive: true, force: true });
}

async function attackReads(): Promise<string> {
  let [done, leaks, refused] = [0, 0, 0];
  while (done < reads) {
    const path = done % 2 ? "a/swap/file" : "a/swap/b/file";
    const isDone = await attempt(() => {
      if (readPath(jail, path).bytes.includes("SECRET")) leaks++;
    });
    if (isDone) done++;
    else refused++;
  }
  return `reads ${done} leaks ${leaks} refused ${refused}`;
}

/** Writes as changes do them, less the journal: each walks to its directory once, and half the walks meet the link. */
async function attackWrites(): Promise<string> {
  const content = Buffer.from("content");
  const after = { type: "file" as const, mode: 0o644, hash: hashOf(content), size: content.length };
  const contents = new Contents(jail, blobs, new Map([[after.hash, content]]), new Map());
  let [done, refused] = [0, 0];
  while (done < writes) {
    const intent = {
      id: `bench${done}-${refused}`,
      steps: [{ path: `a/swap/n${done}`, before: null, after }],
    };
    if (await attempt(() => perform(jail, intent, contents))) done++;
    else refused++;
    await cleanUp(jail, intent);
  }
  const leaks = readdirSync(outside, { recursive: true }).length - 3;
  return `writes ${done} leaks ${leaks} refused ${refused}`;
}

/** False when it was refused. */
async function attempt(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return false;
  }
}

async function withSwapper(work: () => Promise<string>): Promise<void> {
  const swapper = startSwapper(join(root, "a/swap"));
  const lines = createInterface({ input: swapper.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  swapper.stdin.end();
  const swaps = Number((await lines.next()).value);
  await once(swapper, "exit");
  console.log(
    `${result} swaps ${swaps} (${Math.round(swaps / seconds)} a second) in ${seconds.toFixed(1)} s`,
  );
}

/** Python can ask the system to exchange two names in one call, which Node cannot; without it, Node renames. */
function startSwapper(directory: string): ChildProcessByStdio<Writable, Readable, null> {
  const stdio: ["pipe", "pipe", "inherit"] = ["pipe", "pipe", "inherit"];
  if (spawnSync("python3", ["-c", "pass"]).status === 0) {
    symlinkSync(outside, `${directory}.link`);
    return spawn("python3", ["-c", exchanger, directory, `${directory}.link`], { stdio });
  }
  const program = join(import.meta.dirname, "../src/workspace/fixtures/swapper.ts");
  return spawn(process.execPath, [program, directory, outside], { stdio });
}

function compare(): void {
  const path = "a/swap/b/file";
  const plain = join(root, path);
  const rounds = 20;
  const perRound = 2_000;
  let [jailedMs, plainMs] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    plainMs += timed(() => readFileSync(plain), perRound);
    jailedMs += timed(() => readPath(jail, path), perRound);
  }
  const each = (ms: number) => `${((ms * 1000) / rounds / perRound).toFixed(1)} µs`;
  console.log(
    `jailed read ${each(jailedMs)}, plain ${each(plainMs)}, ratio ${(jailedMs / plainMs).toFixed(1)}`,
  );
}

function timed(work: () => unknown, times: number): number {
  const started = performance.now();
  for (let i = 0; i < times; i++) work();
  return performance.now() - started;
}
