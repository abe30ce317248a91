import { Failure } from "../failure/failure.ts";
import { zoneFile } from "../process/local-time.ts";
import type { HiddenPath } from "../tool/tool.ts";
import type { SandboxPolicy } from "./policy.ts";
import type { Job, Mount } from "./sandbox.ts";
import { type Staging, staged } from "./stage.ts";

/** By its full path: Ubuntu's rules know only this one, and PATH may lead into a workspace. */
export const bwrap = "/usr/bin/bwrap";
export const workspaceInside = "/ws";
export const filesInside = "/run/wield";

const systemDirectories = ["/bin", "/sbin", "/lib", "/lib32", "/lib64"];
const settings = [
  "ld.so.cache",
  "alternatives",
  "fonts",
  "ssl/certs",
  "pki/tls/certs",
  "pki/ca-trust/extracted",
  "ssl/openssl.cnf",
  "mime.types",
  "matplotlibrc",
  // What kind of system this is, and the usual names of ports: programs ask, and nothing in them is private.
  "os-release",
  "services",
  "protocols",
  "timezone",
  // Java and Maven of a distribution keep parts of themselves here; credentials are in neither.
  ...[8, 11, 17, 21, 25].map((version) => `java-${version}-openjdk`),
  "maven/m2.conf",
  "maven/logging",
];

/**
 * The bubblewrap options of a run: everything the command will see, and nothing else. A user namespace with one user
 * and no capabilities (also when Wield is root), namespaces for processes, network and names, and read-only views.
 */
export function confinement(
  job: Job,
  policy: SandboxPolicy,
  staging: Staging,
  at: { seccomp: number; files: Readonly<Record<string, number>>; isBridged: boolean },
): string[] {
  const online = policy.network.mode === "full";
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    // A bridged run already has its own network namespace with its allowed connections.
    ...(at.isBridged || online ? [] : ["--unshare-net"]),
    ...["--uid", "1000", "--gid", "1000", "--hostname", "sandbox", "--cap-drop", "ALL", "--disable-userns"],
    ...["--die-with-parent", "--new-session", "--as-pid-1"],
    ...["--ro-bind", "/usr", "/usr", ...systemDirectories.flatMap((dir) => ["--ro-bind-try", dir, dir])],
    ...["--perms", "0755", "--dir", "/etc"],
    ...settings.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...localTime(),
    ...(online ? ["--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"] : []),
    ...Object.entries(at.files).flatMap(([name, fd]) => [
      ...["--perms", "0555", "--file", String(fd), `${filesInside}/${name}`],
    ]),
    ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
    ...(staging === "none" ? unstaged(job, policy) : onStage()),
    ...masks(job.hidden ?? [], workspaceInside),
    ...(job.mounts ?? []).flatMap(({ from, to, hidden = [] }: Mount) => [
      ...["--ro-bind-try", from, to],
      ...masks(hidden, to),
    ]),
    ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ...["--chdir", job.cwd ? `${workspaceInside}/${job.cwd}` : workspaceInside],
    ...["--clearenv", ...environmentFor(policy).flatMap(([name, value]) => ["--setenv", name, value])],
    ...["--seccomp", String(at.seccomp)],
  ];
}

/** As a link: programs read the name of the time zone from where it leads. */
function localTime(): string[] {
  const zone = zoneFile();
  return zone === undefined
    ? ["--ro-bind-try", "/etc/localtime", "/etc/localtime"]
    : ["--symlink", zone, "/etc/localtime"];
}

const environment = {
  // The project's own programs come last: they are found but never replace the system's.
  PATH: `/opt/bin:/usr/local/bin:/usr/bin:/bin:${filesInside}:${workspaceInside}/node_modules/.bin`,
  HOME: "/tmp",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  // Looking at the state of a repository must not count as changing it.
  GIT_OPTIONAL_LOCKS: "0",
  // `git diff` writes the index for speed, whatever the line above says. It must tell by size and time what has changed: the
  // copy has other inodes than the index knows.
  GIT_CONFIG_COUNT: "3",
  GIT_CONFIG_KEY_0: "diff.autoRefreshIndex",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.checkStat",
  GIT_CONFIG_VALUE_1: "minimal",
  GIT_CONFIG_KEY_2: "core.trustCtime",
  GIT_CONFIG_VALUE_2: "false",
  PYTHONDONTWRITEBYTECODE: "1",
};

/** Without a network, package managers fail at once instead of trying for a minute. */
const offline = { NPM_CONFIG_OFFLINE: "true", PIP_RETRIES: "0", CARGO_NET_OFFLINE: "true", GOPROXY: "off" };

function environmentFor({ network }: SandboxPolicy): [name: string, value: string][] {
  return Object.entries({ ...environment, ...(network.mode === "off" && offline) });
}

function onStage(): string[] {
  return [
    ...["--ro-bind", staged.hosts, "/etc/hosts", "--ro-bind", staged.names, "/etc/nsswitch.conf"],
    ...["--ro-bind", staged.users, "/etc/passwd", "--ro-bind", staged.groups, "/etc/group"],
    ...["--bind", staged.tmp, "/tmp", "--bind", staged.shm, "/dev/shm"],
    ...["--bind", staged.workspace, workspaceInside, "--bind", staged.outbox, "/out"],
  ];
}

/** bubblewrap takes a few thousand options, and each of these is a mount. */
const mostMasks = 1_000;

/** Nothing is behind a mask, and no name inside leads to what it covers. */
function masks(hidden: readonly HiddenPath[], below: string): string[] {
  if (hidden.length > mostMasks) {
    throw new Failure(
      "SANDBOX_UNAVAILABLE",
      `The rules hide ${hidden.length} separate paths, and a run can leave out ${mostMasks}. Ask the person to name whole directories in the rules.`,
    );
  }
  return hidden.flatMap(({ path, type }) => {
    const place = `${below}/${path}`;
    return type === "directory"
      ? ["--tmpfs", place, "--remount-ro", place]
      : ["--ro-bind", "/dev/null", place];
  });
}

function unstaged(job: Job, { limits }: SandboxPolicy): string[] {
  return [
    ...["--size", String(limits.disk), "--tmpfs", "/tmp", "--size", "67108864", "--tmpfs", "/dev/shm"],
    ...["--bind", job.workspace, workspaceInside],
  ];
}

/** Where process 1 says that it is ready and reads that it may go on. */
export const goFd = 7;

/**
 * The first process inside. It waits until Wield has put it under its limits: by then it also ends with its parent, and
 * without Wield it ends here. It closes every descriptor that was inherited, sets the limits, and only then lets the
 * caller's variables and command come into play. It stays as process 1: when the command ends it ends, and with it,
 * by the kernel's rule, every process that the command has left behind.
 */
const launcher = `
echo ready >&${goFd}
read -r go <&${goFd}
[ "$go" = go ] || exit 1
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  [ "$fd" -gt 2 ] && eval "exec $fd>&-"
done
ulimit -c 0
ulimit -u "$1"
ulimit -f "$2"
ulimit -n "$3"
ulimit -St "$4"
ulimit -Ht "$(($4 + 1))"
shift 4
exec 3>&2 2>/dev/null
"$@" 2>&3 3>&-
exit
`;

export function launched(job: Job, { limits }: SandboxPolicy): string[] {
  const given = [limits.processes + 2, Math.floor(limits.fileSize / 1024), limits.openFiles, limits.cpu];
  const variables = Object.entries(job.env ?? {}).map(([name, value]) => `${name}=${value}`);
  const env = variables.length > 0 ? ["/usr/bin/env", ...variables] : [];
  return ["/bin/bash", "--norc", "-c", launcher, "launch", ...given.map(String), ...env, ...job.command];
}
