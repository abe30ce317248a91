import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

export interface Watched {
  memory: number;
  /** Threads count as well, as the kernel counts them. */
  processes: number;
}

/** What the kernel's groups allow, too, for what starts the command. */
const starters = 2;

/**
 * Limits where the kernel's groups are out of reach: looks every 50 ms at a process and all its descendants, and tells
 * once which limit they exceed together.
 */
export function watch(pid: number, limits: Watched, exceeded: (limit: keyof Watched) => void): () => void {
  const timer = setInterval(() => {
    const { family, threads } = descendants(pid);
    const memory = family.reduce((sum, member) => sum + residentBytes(member), 0) + memoryFileBytes(family);
    const limit =
      memory > limits.memory ? "memory" : threads > limits.processes + starters ? "processes" : undefined;
    if (limit === undefined) return;
    clearInterval(timer);
    exceeded(limit);
  }, 50);
  return () => clearInterval(timer);
}

/** Children hang on the thread that forked them: every thread's list counts. */
function descendants(pid: number): { family: number[]; threads: number } {
  const found = [pid];
  let threads = 0;
  for (const member of found) {
    try {
      for (const thread of readdirSync(`/proc/${member}/task`)) {
        threads++;
        const children = readFileSync(`/proc/${member}/task/${thread}/children`, "latin1");
        for (const child of children.split(" ")) if (child !== "") found.push(Number(child));
      }
    } catch {
      // It ended while we were looking.
    }
  }
  return { family: found, threads };
}

/**
 * Files that exist in memory alone (memfd_create): what was written into one without being mapped is resident nowhere.
 * Mapped pages count twice, which ends a run early rather than late. Segments of System V cannot be seen from here.
 */
function memoryFileBytes(pids: readonly number[]): number {
  const sizes = new Map<string, number>();
  for (const pid of pids) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        const place = `/proc/${pid}/fd/${fd}`;
        if (!readlinkSync(place).startsWith("/memfd:")) continue;
        const { dev, ino, blocks } = statSync(place);
        sizes.set(`${dev}:${ino}`, blocks * 512);
      }
    } catch {
      // It ended while we were looking.
    }
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
