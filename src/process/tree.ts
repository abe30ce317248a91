import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Process ids with their start times: an id alone may by now belong to somebody else. */
export type Family = Map<number, string>;

interface Row {
  pid: number;
  parent: number;
  group: number;
  session: number;
  started: string;
}

/** The live processes that belong to a leader: its group, its session, all descendants, also those of `known`. */
export function familyOf(leader: number, known: Family = new Map()): Family {
  const rows = process.platform === "linux" ? procTable() : psTable();
  const family: Family = new Map();
  for (let grown = true; grown; ) {
    grown = false;
    for (const { pid, parent, group, session, started } of rows) {
      const belongs =
        [pid, group, session].includes(leader) || known.get(pid) === started || family.has(parent);
      if (!belongs || family.has(pid)) continue;
      family.set(pid, started);
      grown = true;
    }
  }
  return family;
}

/**
 * Stops everyone before killing anyone, so that none forks away between the listing and the kill. Resolves when all
 * are gone; one that the kernel cannot end yet (it waits for a disk) is not waited for beyond two seconds.
 */
export async function killFamily(leader: number, known: Family = new Map()): Promise<void> {
  let stopped: Family = new Map();
  for (;;) {
    const family = familyOf(leader, new Map([...known, ...stopped]));
    const fresh = [...family.keys()].filter((pid) => !stopped.has(pid));
    if (fresh.length === 0) break;
    for (const pid of fresh) send(pid, "SIGSTOP");
    stopped = family;
  }
  for (const pid of stopped.keys()) send(pid, "SIGKILL");
  const deadline = performance.now() + 2_000;
  while (familyOf(leader, stopped).size > 0 && performance.now() < deadline) await setTimeout(5);
}

/** True when there was somebody to get the signal; 0 only asks. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Every live process of the machine; those that have ended and wait to be collected are left out. */
function procTable(): Row[] {
  const rows: Row[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const [state, parent, group, session] = fields;
      if (state === "Z" || state === "X") continue;
      const started = fields[19] ?? "";
      rows.push({
        pid: Number(name),
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
        started,
      });
    } catch {
      // It ended while we were reading.
    }
  }
  return rows;
}

function psTable(): Row[] {
  const { stdout } = spawnSync("/bin/ps", ["-axo", "pid=,ppid=,pgid=,state=,lstart="], { encoding: "utf8" });
  return (stdout ?? "")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, , , state]) => pid && !state?.startsWith("Z"))
    .map(([pid, parent, group, , ...started]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      started: started.join(" "),
    }));
}
