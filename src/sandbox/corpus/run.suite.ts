// Output, time, how a run starts, and what else the machine offers.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Case } from "./case.suite.ts";
import { both, says, silent, soon } from "./judges.suite.ts";

export const runCases: readonly Case[] = [
  {
    id: "O01",
    attempt: "print 200 MB",
    language: "bash",
    code: () => "yes 0123456789 | head -c 200000000",
    judge: (a) =>
      (a.stdout.length > 1_100_000 || a.limit !== "output") && `${a.stdout.length} kept, limit ${a.limit}`,
  },
  {
    id: "O02",
    together: true,
    attempt: "print broken text and terminal commands",
    language: "bash",
    code: () => "printf '\\xff\\xfe\\e[31mred\\e]0;title\\a ok'",
    judge: (a) =>
      (!a.stdout.isWellFormed() || !a.stdout.endsWith("ok") || a.exitCode !== 0) && JSON.stringify(a.stdout),
  },
  {
    id: "T01",
    together: true,
    attempt: "wait for input",
    language: "bash",
    code: () => "read x; echo end $?",
    judge: both(says("end 1"), soon),
  },
  {
    id: "T02",
    attempt: "run in circles",
    language: "bash",
    wallMs: 1000,
    code: () => "while :; do :; done",
    judge: both((a) => a.limit !== "time" && `limit ${a.limit}`, soon),
  },
  {
    id: "E01",
    attempt: "have planted files run before the limits",
    language: "bash",
    prepare: ({ workspace }) => {
      writeFileSync(join(workspace, "early.sh"), "ulimit -n > seen 2>&1; ls /proc/self/fd | wc -l >> seen\n");
      chmodSync(join(workspace, "early.sh"), 0o755);
    },
    env: () => ({
      BASH_ENV: "/ws/early.sh",
      LD_PRELOAD: "/ws/early.so",
      PATH: "/ws:/usr/bin:/bin",
      SHELLOPTS: "xtrace",
    }),
    code: () => "cat seen | head -1",
    judge: (a) => a.stdout.trim() !== "256" && `limits when it ran: ${a.stdout} ${a.stderr.slice(0, 200)}`,
  },
  {
    id: "E02",
    attempt: "pass options as arguments of the launcher",
    language: "bash",
    env: () => ({
      LD_LIBRARY_PATH: "/ws",
      PYTHONSTARTUP: "/ws/x",
      IFS: "/",
      BASH_FUNC_cat: "() { echo x; }",
    }),
    code: () => "echo $IFS | wc -c",
    judge: (a) => a.exitCode !== 0 && a.stderr,
  },
  {
    id: "X01",
    together: true,
    attempt: "change the host name",
    language: "bash",
    code: () => "hostname other 2>/dev/null && echo changed; true",
    judge: silent,
  },
  {
    id: "X02",
    together: true,
    attempt: "raise its priority",
    language: "python",
    code: () =>
      'import os\nfor f in (lambda: os.nice(-5), lambda: os.sched_setscheduler(0, 1, os.sched_param(50))):\n    try:\n        f()\n        print("raised")\n    except OSError:\n        pass',
    judge: silent,
  },
  {
    id: "X03",
    together: true,
    attempt: "find /sys and control groups",
    language: "bash",
    code: () => "ls /sys 2>/dev/null; ls /proc/self/ns/../../../sys/fs/cgroup 2>/dev/null; true",
    judge: silent,
  },
  {
    id: "X04",
    together: true,
    attempt: "open memory and disks",
    language: "bash",
    code: () => "ls /dev/mem /dev/kmem /dev/vda /dev/sda /dev/nvme0n1 /dev/fuse /dev/kvm 2>/dev/null; true",
    judge: silent,
  },
];
