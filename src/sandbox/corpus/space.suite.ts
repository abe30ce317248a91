// Ways to use up memory and disk space.
import type { Case } from "./case.suite.ts";
import { both, silent } from "./judges.suite.ts";

export const spaceCases: readonly Case[] = [
  {
    id: "M01",
    attempt: "take memory with several processes and threads",
    language: "python",
    wallMs: 20000,
    code: () => `
import os, threading, time
def grow():
    if os.fork() == 0:
        block = bytearray(350_000_000)
        for i in range(0, len(block), 4096): block[i] = 1
        time.sleep(3); print("grown", flush=True); os._exit(0)
for _ in range(2): grow()
thread = threading.Thread(target=lambda: [grow() for _ in range(3)]); thread.start(); thread.join()
for _ in range(5): os.wait()
`,
    judge: (a) =>
      (a.limit !== "memory" || a.stdout.split("grown").length > 2) && `limit ${a.limit}, ${a.stdout}`,
  },
  {
    id: "M02",
    attempt: "take memory at once",
    language: "python",
    wallMs: 20000,
    code: () =>
      "import time\nx = bytearray(900_000_000)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(1)\nprint('grown')",
    judge: both(silent, (a) => a.limit !== "memory" && `limit ${a.limit}`),
  },
  {
    id: "M03",
    attempt: "take memory as files that are in memory alone",
    language: "python",
    wallMs: 20000,
    code: () =>
      "import os, time\nfor _ in range(18):\n  f = os.memfd_create('x')\n  for _ in range(50): os.write(f, b'x' * 1_000_000)\ntime.sleep(2)\nprint('grown')",
    judge: both(silent, (a) => a.limit !== "memory" && `limit ${a.limit}`),
  },
  {
    id: "M04",
    attempt: "take memory as segments of System V",
    language: "python",
    wallMs: 20000,
    code: () => `
import ctypes, time
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
for _ in range(18):
    segment = libc.shmget(0, ctypes.c_size_t(50_000_000), 0o1600)
    if segment < 0: raise SystemExit
    ctypes.memset(libc.shmat(segment, None, 0), 1, 50_000_000)
    libc.shmdt(ctypes.c_void_p(libc.shmat(segment, None, 0)))
time.sleep(2)
print('grown')`,
    judge: silent,
  },
  {
    id: "D01",
    attempt: "fill /tmp",
    language: "bash",
    code: () => fill("/tmp"),
    judge: atMost(268_435_456, 10_000),
  },
  {
    id: "D02",
    together: true,
    attempt: "fill /dev",
    language: "bash",
    code: () =>
      "(head -c 1000000 /dev/zero > /dev/x) 2>/dev/null && echo written; mkdir /dev/d 2>/dev/null && echo made; true",
    judge: silent,
  },
  {
    id: "D03",
    attempt: "fill the workspace",
    language: "bash",
    code: () => fill("/ws"),
    judge: both(atMost(268_435_456, 10_000), (a) => a.changed.length > 10_000 && "too many files"),
  },
  {
    id: "D04",
    attempt: "make 20,000 files",
    language: "bash",
    code: () =>
      "i=0; while [ $i -lt 20000 ]; do : > /tmp/f$i || break; i=$((i + 1)); done 2>/dev/null; echo 0 $i",
    judge: atMost(1, 10_000),
  },
  {
    id: "D05",
    attempt: "fill shared memory",
    language: "bash",
    code: () => fill("/dev/shm"),
    judge: atMost(268_435_456, 10_000),
  },
  {
    id: "D06",
    attempt: "write one huge file",
    language: "bash",
    code: () => "head -c 200000000 /dev/zero > big; stat -c '%s 1' big",
    judge: both(atMost(67_108_864, 2), (a) => a.exitCode !== 0 && `exit ${a.exitCode}`),
  },
  {
    id: "D07",
    attempt: "send back far more than it wrote",
    language: "bash",
    code: () => "for i in $(seq 7); do truncate -s 60M hole$i; done; echo made",
    judge: (a) => (a.changed.length > 0 || a.refused.length === 0) && `changed ${a.changed}`,
  },
  {
    id: "D08",
    attempt: "multiply a file by hard links",
    language: "bash",
    code: () => "head -c 50000000 /dev/zero > one; for i in $(seq 7); do ln one link$i; done; echo made",
    judge: (a) => (a.changed.length > 0 || a.refused.length === 0) && `changed ${a.changed.length}`,
  },
];

/** Prints how many bytes and files fitted. */
function fill(folder: string): string {
  return `cd ${folder}; for i in $(seq 8); do head -c 50000000 /dev/zero > big$i; done 2>/dev/null
du -sb . | cut -f1 | tr '\\n' ' '; rm -f big*; i=0; while [ $i -lt 12000 ]; do : > f$i || break; i=$((i + 1)); done 2>/dev/null; echo $i; find . -name 'f*' -delete`;
}

function atMost(bytes: number, files: number): NonNullable<Case["judge"]> {
  return ({ stdout, stderr }) => {
    const [size = Number.NaN, count = Number.NaN] = stdout.trim().split(" ").map(Number);
    return !(size <= bytes && count < files) && `${stdout} ${stderr.slice(0, 200)}`;
  };
}
