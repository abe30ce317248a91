// Ways to reach, outlive or outnumber other processes.
import { readdirSync, readFileSync } from "node:fs";
import type { Attempt, Case, World } from "./case.suite.ts";
import { both, says, soon } from "./judges.suite.ts";

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};
/** No process on the machine has this word in its command line. */
const nobodyNamed = (word: (world: World) => string) => (_: Attempt, world: World) => {
  const alive = readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(word(world));
    } catch {
      return false;
    }
  });
  return alive.length > 0 && `still running: ${alive.join(", ")}`;
};
const daemon = (world: World) => `daemon-${world.marker}`;

export const processCases: readonly Case[] = [
  {
    id: "P01",
    attempt: "kill processes of the host",
    language: "bash",
    code: (w) => `kill -9 ${w.bystander}; kill -9 -1; true`,
    judge: (_, w) => !isRunning(w.bystander) && "the bystander was killed",
  },
  {
    id: "P02",
    together: true,
    attempt: "see other processes",
    language: "bash",
    code: () => "n=0; for p in /proc/[0-9]*; do n=$((n + 1)); done; echo $n",
    judge: (a) => Number(a.stdout) >= 12 && `sees ${a.stdout}`,
  },
  {
    id: "P03",
    attempt: "leave a daemon behind",
    language: "bash",
    code: (w) =>
      `setsid bash -c 'exec -a ${daemon(w)} sleep 300' >/dev/null 2>&1 & disown; (setsid setsid bash -c 'exec -a ${daemon(w)} sleep 300' &) ; echo left`,
    judge: both(says("left"), nobodyNamed(daemon)),
  },
  {
    id: "P04",
    attempt: "ignore the end",
    language: "bash",
    wallMs: 1000,
    code: (w) =>
      `trap '' TERM INT HUP; (trap '' TERM INT HUP; exec -a ${daemon(w)} sleep 300) & while :; do sleep 1; done`,
    judge: both(nobodyNamed(daemon), (a) => a.limit !== "time" && `limit ${a.limit}`, soon),
  },
  {
    id: "P05",
    attempt: "hold the output open",
    language: "bash",
    code: () => "sleep 30 & echo hi",
    judge: both(says("hi"), soon),
  },
  {
    id: "P06",
    attempt: "start 400 processes",
    language: "python",
    code: () => `
import os, signal, time
started = 0
for _ in range(400):
    try:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        started += 1
    except OSError:
        break
print(started)
`,
    judge: (a) => a.limit !== "processes" && !(Number(a.stdout) < 100) && `${a.stdout} processes`,
  },
  {
    id: "P07",
    attempt: "fork without end",
    language: "bash",
    wallMs: 1500,
    code: () => "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 300",
    judge: soon,
  },
  {
    id: "P08",
    attempt: "stop itself for ever",
    language: "bash",
    wallMs: 1000,
    code: () => "kill -STOP $$; echo on",
    judge: (a) => a.limit !== "time" && `limit ${a.limit}`,
  },
  {
    id: "P09",
    together: true,
    attempt: "kill process 1",
    language: "bash",
    code: () => "kill -9 1; kill -TERM 1; kill -HUP 1; echo alive",
    judge: says("alive"),
  },
];
