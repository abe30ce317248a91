import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Processes that the kernel holds to limits together. */
export interface ControlGroup {
  add(pid: number): void;
  /** Which limits were met so far. */
  met(): { memory: boolean; processes: boolean };
  remove(): Promise<void>;
}

export interface ControlGroups {
  version: 1 | 2;
  create(limits: { memory: number; processes: number }): ControlGroup;
}

/** Where groups may be made, or undefined where the machine lets us make none. */
export function findControlGroups(
  mountinfo: string = readFileSync("/proc/self/mountinfo", "utf8"),
  membership: string = readFileSync("/proc/self/cgroup", "utf8"),
): ControlGroups | undefined {
  const mounts = parseMounts(mountinfo);
  const own = new Map(
    membership
      .trim()
      .split("\n")
      .map((line) => line.split(":"))
      .map(([, controllers = "", ...path]) => [controllers, path.join(":")]),
  );
  return unified(mounts, own) ?? legacy(mounts, own);
}

/** The kernel holds every user to a number of processes, but not root: for root only a control group does it. */
export function needsControlGroups(): boolean {
  return process.getuid?.() === 0 && /^\s*0\s+0\s/m.test(readFileSync("/proc/self/uid_map", "utf8"));
}

interface GroupMount {
  root: string;
  at: string;
  type: string;
  options: string[];
}

function parseMounts(mountinfo: string): GroupMount[] {
  return mountinfo
    .trim()
    .split("\n")
    .map((line) => {
      const [front = "", back = ""] = line.split(" - ");
      const [, , , root = "", at = ""] = front.split(" ");
      const [type = "", , options = ""] = back.split(" ");
      return { root, at, type, options: options.split(",") };
    })
    .filter(({ type }) => type === "cgroup" || type === "cgroup2");
}

/** Our own place in a hierarchy, then each above it: a limit set by others for us holds for what we make below. */
function places(mount: GroupMount, ownPath: string | undefined): string[] {
  const found: string[] = [];
  const below = ownPath?.startsWith(mount.root) ? ownPath.slice(mount.root.length) : "";
  for (let at = join(mount.at, below); at.length > mount.at.length; at = dirname(at)) found.push(at);
  return [...found, mount.at];
}

function unified(mounts: GroupMount[], own: ReadonlyMap<string, string>): ControlGroups | undefined {
  const mount = mounts.find(({ type }) => type === "cgroup2");
  if (!mount) return undefined;
  const place = places(mount, own.get("")).find((dir) => {
    const enabled = () =>
      attempt(() => readFileSync(join(dir, "cgroup.subtree_control"), "utf8").split(/\s+/));
    const has = () => ["memory", "pids"].every((name) => enabled()?.includes(name));
    if (!has()) attempt(() => writeFileSync(join(dir, "cgroup.subtree_control"), "+memory +pids"));
    return has() && canMakeIn(dir);
  });
  if (place === undefined) return undefined;
  const name = naming([place]);
  return {
    version: 2,
    create: ({ memory, processes }) => {
      const dir = join(place, name());
      mkdirSync(dir);
      writeFileSync(join(dir, "memory.max"), String(memory));
      attempt(() => writeFileSync(join(dir, "memory.swap.max"), "0"));
      writeFileSync(join(dir, "pids.max"), String(processes));
      return group({ memory: dir, pids: dir }, "memory.events");
    },
  };
}

function legacy(mounts: GroupMount[], own: ReadonlyMap<string, string>): ControlGroups | undefined {
  const placeOf = (controller: string) => {
    const mount = mounts.find(({ type, options }) => type === "cgroup" && options.includes(controller));
    const path = [...own].find(([controllers]) => controllers.split(",").includes(controller))?.[1];
    return mount && places(mount, path).find(canMakeIn);
  };
  const memoryPlace = placeOf("memory");
  const pidsPlace = placeOf("pids");
  if (memoryPlace === undefined || pidsPlace === undefined) return undefined;
  const name = naming([memoryPlace, pidsPlace]);
  return {
    version: 1,
    create: ({ memory, processes }) => {
      const own = name();
      const dirs = { memory: join(memoryPlace, own), pids: join(pidsPlace, own) };
      for (const dir of Object.values(dirs)) mkdirSync(dir);
      writeFileSync(join(dirs.memory, "memory.limit_in_bytes"), String(memory));
      // Kernels without accounting of swap lack this file.
      attempt(() => writeFileSync(join(dirs.memory, "memory.memsw.limit_in_bytes"), String(memory)));
      writeFileSync(join(dirs.pids, "pids.max"), String(processes));
      return group(dirs, "memory.oom_control");
    },
  };
}

function group(dirs: { memory: string; pids: string }, memoryEvents: string): ControlGroup {
  const all = [...new Set(Object.values(dirs))];
  const counted = (file: string, word: string) =>
    Number(
      new RegExp(`^${word} (\\d+)$`, "m").exec(attempt(() => readFileSync(file, "utf8")) ?? "")?.[1] ?? 0,
    ) > 0;
  return {
    add: (pid) => {
      for (const dir of all) writeFileSync(join(dir, "cgroup.procs"), String(pid));
    },
    met: () => ({
      memory: counted(join(dirs.memory, memoryEvents), "oom_kill"),
      processes: counted(join(dirs.pids, "pids.events"), "max"),
    }),
    remove: async () => {
      // The kernel may still be clearing up after the last process.
      for (let tries = 0; tries < 100; tries++) {
        if (all.filter((dir) => !isGone(dir)).length === 0) return;
        await setTimeout(5);
      }
    },
  };
}

function isGone(dir: string): boolean {
  try {
    rmdirSync(dir);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

function canMakeIn(dir: string): boolean {
  const trial = join(dir, `wield-${process.pid}-trial`);
  return (
    attempt(() => {
      mkdirSync(trial);
      rmdirSync(trial);
      return true;
    }) ?? false
  );
}

/**
 * Names for groups in the given places. A janitor stands by: when this process is gone, however it ended, its standard
 * input ends and it removes what is left of them.
 */
function naming(dirs: string[]): () => string {
  const prefix = `wield-${process.pid}-`;
  let janitor = false;
  return () => {
    if (!janitor) startJanitor(dirs.map((dir) => join(dir, prefix)));
    janitor = true;
    return `${prefix}${randomBytes(4).toString("hex")}`;
  };
}

const clearUp = `
read -r _
tries=0
while [ $tries -lt 100 ]; do
  left=
  for prefix in "$@"; do
    for group in "$prefix"*; do
      [ -d "$group" ] && ! rmdir "$group" 2>/dev/null && left=1
    done
  done
  [ -z "$left" ] && exit
  sleep 0.1
  tries=$((tries + 1))
done`;

function startJanitor(prefixes: string[]): void {
  const janitor = spawn("/bin/sh", ["-c", clearUp, "wield-janitor", ...prefixes], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
  });
  janitor.on("error", () => {});
  janitor.stdin.on("error", () => {});
  janitor.unref();
  if ("unref" in janitor.stdin && typeof janitor.stdin.unref === "function") janitor.stdin.unref();
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
