import { realHostProgram } from "../../process/host-programs.ts";
import type { NetworkPolicy } from "../../sandbox/policy.ts";

const remedy =
  "If it is needed, call again with outside: true and why; the person is asked and sees the exact command.";

/** What programs say when the sandbox is the reason that they fail, and the reason in words. */
const reasons: [said: RegExp, because: string][] = [
  [
    /Cannot connect to the Docker daemon|docker\.sock|podman\.sock|docker daemon is not running/i,
    "Containers cannot be started inside the sandbox: its socket is not there.",
  ],
  [
    /EAFNOSUPPORT|Address family not supported/i,
    "The sandbox refuses sockets other than those of the internet: a server on a unix socket cannot be used inside.",
  ],
  [
    /gh auth login|not logged in|could not read Username|Permission denied \(publickey\)|no credentials|ExpiredToken|credentials? (?:could )?not (?:be )?found/i,
    "The person's logins and keys are not visible inside the sandbox.",
  ],
  [
    /(?:\/dev\/(?:tty(?:USB|ACM)|kvm|video|snd|dri|nvidia|bus|sd|fuse|net)\S*).*(?:No such file|not found|Permission denied)|No such device/i,
    "Devices of the machine are not visible inside the sandbox.",
  ],
  [
    /ptrace|PTRACE/,
    "The sandbox refuses tracing: debuggers and tracers that attach to processes do not work inside.",
  ],
  [
    /connect to server .*(?:5432|3306|6379|27017)|ECONNREFUSED (?:127\.0\.0\.1|::1)|could not connect to server/i,
    "The loopback inside is the run's own: servers of the machine (a database, a development server) cannot be reached.",
  ],
];

/** What package managers say when they cannot fetch. */
const packagesMissing =
  /ENOTCACHED|only-if-cached|npm error.*(?:EAI_AGAIN|ENOTFOUND)|ERR_PNPM_(?:NO_OFFLINE|META_FETCH_FAIL)|No matching distribution found|GOPROXY=off|\[net\] offline|CARGO_NET_OFFLINE|you're using offline mode|in the offline mode/i;
const howToInstall =
  'There is no network inside the sandbox, so packages cannot be fetched. Call install_package, which asks the person: {"manager":"npm","packages":[]} installs what package.json asks for, {"manager":"pip","packages":["name"]} Python packages.';

const noNetwork =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|Could not resolve host|Temporary failure in name resolution|Name or service not known|Network is unreachable|no such host/i;

/** Why a run inside may have failed where it would work outside; empty where nothing points to the sandbox. */
export function insideHints(
  { exitCode, stdout, stderr }: { exitCode: number; stdout: string; stderr: string },
  network: NetworkPolicy,
  path: string,
): string[] {
  if (exitCode === 0) return [];
  const said = `${stderr.slice(-20_000)}\n${stdout.slice(-20_000)}`;
  const isOffline = network.mode === "off";
  if (isOffline && packagesMissing.test(said)) return [howToInstall];
  const hints = [
    ...reasons.flatMap(([pattern, because]) => (pattern.test(said) ? [because] : [])),
    ...(isOffline && noNetwork.test(said) ? ["There is no network inside the sandbox."] : []),
    ...missingPrograms(said, path),
  ];
  return hints.length === 0 ? [] : [`${hints.join(" ")} ${remedy}`];
}

function missingPrograms(said: string, path: string): string[] {
  const names = [...said.matchAll(/(?:^|[\s:])([\w.+-]+): (?:command )?not found/gm)].map(
    ([, name = ""]) => name,
  );
  const outside = [...new Set(names)].filter((name) => {
    const file = realHostProgram(name, path);
    return file !== undefined && !file.startsWith("/usr/");
  });
  return outside.map((name) => `${name} is installed where the sandbox cannot see it.`);
}
