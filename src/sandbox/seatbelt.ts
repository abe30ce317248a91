import { Failure } from "../failure/failure.ts";
import { Scratch } from "../process/scratch.ts";
import { supervise } from "../process/supervise.ts";
import { Harvester } from "./harvest.ts";
import type { SandboxPolicy } from "./policy.ts";
import type { Job, JobResult, Sandbox } from "./sandbox.ts";

/** macOS: the command works on a clone of the workspace, under a profile that denies everything not named. */
export function seatbeltSandbox(): Sandbox {
  return {
    describe: async () => "sandbox-exec on a clone of the workspace, limits by ulimit",
    run: runUnderProfile,
  };
}

async function runUnderProfile(job: Job, policy: SandboxPolicy): Promise<JobResult> {
  if (policy.network.mode !== "off") {
    throw new Failure(
      "SANDBOX_UNAVAILABLE",
      "On macOS code runs without network only. Switch it off, or use Linux.",
    );
  }
  using scratch = new Scratch({ ...job.files });
  const { limits } = policy;
  const harvester = new Harvester(limits.disk + limits.disk / 4 + limits.files * 4096, () => {});
  const { stdout, stderr, exitCode, durationMs, ended } = await supervise({
    file: "/bin/bash",
    args: [
      "-c",
      stage,
      "stage",
      job.workspace,
      scratch.path,
      ...seatbeltArguments(job, policy, scratch.path),
    ],
    cwd: "/",
    env: {
      PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
      HOME: scratch.path,
      TMPDIR: scratch.path,
      LANG: "en_US.UTF-8",
    },
    channels: [(chunk) => harvester.write(chunk)],
    timeoutMs: limits.wallMs,
    maxBytes: limits.output,
    ...(job.input !== undefined && { input: job.input }),
    ...(job.signal && { signal: job.signal }),
    ...(job.onStdout && { onStdout: job.onStdout }),
  });
  if (ended === "abort") throw new Failure("ABORTED", "The run was aborted; nothing was changed.");
  if (exitCode === notConfined) {
    throw new Failure("SANDBOX_UNAVAILABLE", `The sandbox could not be set up: ${stderr.text.trim()}`);
  }
  const limit = ended === "timeout" ? "time" : ended === "output-limit" ? "output" : null;
  const harvest = harvester.result(ended === "exit");
  return { stdout, stderr, exitCode: exitCode ?? 137, durationMs, limit, ...harvest, connections: [] };
}

/** What follows the stage's own two arguments: limits, profile, place, command. */
export function seatbeltArguments(job: Job, { limits }: SandboxPolicy, scratch: string): string[] {
  const given = [limits.processes, Math.floor(limits.fileSize / 512), limits.openFiles, limits.cpu];
  const variables = Object.entries(job.env ?? {}).map(([name, value]) => `${name}=${value}`);
  const hidden = (job.hidden ?? []).map(({ path }) => `${scratch}/ws/${path}`);
  const profile = seatbeltProfile([scratch, ...(job.mounts ?? []).map(({ from }) => from)], scratch, hidden);
  return [...given.map(String), profile, job.cwd ?? ".", "/usr/bin/env", ...variables, ...job.command];
}

/** Nothing is allowed but reading the system, reading what is given, and writing to the scratch folder. The last rule wins. */
export function seatbeltProfile(
  readable: readonly string[],
  writable: string,
  hidden: readonly string[],
): string {
  const system = [
    "/usr",
    "/bin",
    "/sbin",
    "/System",
    "/Library",
    "/private/var/db/timezone",
    "/dev",
    "/opt/homebrew",
  ];
  const subpaths = (paths: readonly string[]) =>
    paths.map((path) => `(subpath ${JSON.stringify(path)})`).join(" ");
  return `(version 1)
(deny default)
(allow process-exec process-fork signal (target same-sandbox))
(allow sysctl-read mach-lookup ipc-posix-shm)
(allow file-read-metadata)
(allow file-read* (literal "/") ${subpaths([...system, ...readable])})
(allow file-write* ${subpaths([writable])} (literal "/dev/null") (literal "/dev/tty"))
${hidden.length > 0 ? `(deny file-read* file-write* ${subpaths(hidden)})\n` : ""}(deny network*)`;
}

const notConfined = 125;
const stage = `
set -e
workspace=$1; scratch=$2; shift 2
cp -c -R "$workspace" "$scratch/ws" || cp -R "$workspace" "$scratch/ws" || exit ${notConfined}
list() { (cd "$scratch/ws" && find . -mindepth 1 | LC_ALL=C sort) > "$scratch/$1"; }
list before; touch "$scratch/started"; sleep 0.02
set +e
(
  ulimit -c 0; ulimit -u "$1"; ulimit -f "$2"; ulimit -n "$3"; ulimit -t "$4"
  profile=$5; place=$6; shift 6
  cd "$scratch/ws/$place" || exit ${notConfined}
  exec 3>&-
  exec /usr/bin/sandbox-exec -p "$profile" "$@"
)
code=$?
list after
cd "$scratch"
LC_ALL=C comm -23 before after | tr '\\n' '\\0' > deleted
(cd ws && find . -mindepth 1 -newercm ../started -print0) > changed
if [ -s deleted ] || [ -s changed ]; then
  tar --format=pax --no-recursion -cf - deleted -C ws --null -T ../changed >&3 2>/dev/null
fi
exit $code
`;
