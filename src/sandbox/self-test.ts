import { Failure } from "../failure/failure.ts";
import { Scratch } from "../process/scratch.ts";
import { type Means, runConfined } from "./bubblewrap.ts";
import { policies } from "./policy.ts";
import type { Job } from "./sandbox.ts";

/**
 * Finds out by trying, with the very command of every run, what confines here. Throws `SANDBOX_UNAVAILABLE` when
 * something is missing or the confinement has a hole.
 */
export async function findStaging(tools: Omit<Means, "staging">): Promise<Means["staging"]> {
  using scratch = new Scratch({ "kept/file": "x" });
  const overlay = await probe(scratch.path, { ...tools, staging: "overlay" });
  if (overlay === null) return "overlay";
  const copy = await probe(scratch.path, { ...tools, staging: "copy" });
  if (copy === null) return "copy";
  throw new Failure("SANDBOX_UNAVAILABLE", `${remedy(copy)} (${copy})`);
}

/** Not every workspace can lie below a layer: it depends on its file system and on who owns it. */
export async function stagingFor(workspace: string, means: Means): Promise<Means["staging"]> {
  if (means.staging === "copy") return "copy";
  try {
    await runConfined(bash(workspace, ":"), policies.code, means);
    return "overlay";
  } catch {
    return "copy";
  }
}

/** What is wrong with the confinement, or null. */
async function probe(lower: string, means: Means): Promise<string | null> {
  try {
    const { stdout, stderr, exitCode, changes } = await runConfined(
      bash(lower, holes, lower),
      policies.code,
      means,
    );
    if (exitCode !== 0 || stdout.text !== "") return `self-test: ${(stdout.text + stderr.text).trim()}`;
    const gone = changes.entries.some(
      (entry) =>
        (entry.kind === "directory" && entry.path === "kept" && entry.replaced) ||
        (entry.kind === "deleted" && entry.path === "kept/file"),
    );
    return changes.incomplete ?? (gone ? null : "self-test: a replaced directory was not noticed");
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function bash(workspace: string, code: string, ...args: string[]): Job {
  return { workspace, command: ["/bin/bash", "-c", code, "bash", ...args] };
}

/** Prints every hole it finds. */
const holes = `
[ -e "$1" ] && echo 'files outside are visible'
{ [ -e /etc/shadow ] || [ "$(wc -l < /etc/passwd)" != 1 ]; } && echo 'settings of the machine are visible'
(echo > /usr/wield-probe) 2>/dev/null && echo 'the system can be written to'
while read -r key value; do
  case $key in
    CapEff:) [ "$value" = 0000000000000000 ] || echo "capabilities $value" ;;
    Seccomp:) [ "$value" = 2 ] || echo 'no system call filter' ;;
    NoNewPrivs:) [ "$value" = 1 ] || echo 'privileges can be gained' ;;
  esac
done < /proc/self/status
(exec 3<>/dev/tcp/127.0.0.1/9) 2>/dev/null && echo 'the network of the machine is reachable'
if [ -x /usr/bin/python3 ]; then
  /usr/bin/python3 -I -S -c '
import socket
for family in (1, 40):
    try:
        socket.socket(family)
        print("sockets of family", family)
    except OSError:
        pass
'
fi
rm -r kept && mkdir kept
`;

function remedy(problem: string): string {
  if (/bwrap/.test(problem) && /not found|No such file/.test(problem)) {
    return "Code is run only in a sandbox, and bubblewrap is not installed. Install it, for example with: sudo apt-get install bubblewrap";
  }
  if (/Unknown option/i.test(problem)) {
    return "Code is run only in a sandbox, and this bubblewrap is too old: version 0.8.0 or newer is needed.";
  }
  if (/namespace|unshare|uid_map|Operation not permitted|No space left|setgroups/i.test(problem)) {
    return "Code is run only in a sandbox, and this machine does not let users make namespaces. Allow it (sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces, or an AppArmor profile for /usr/bin/bwrap), or run Wield on another machine.";
  }
  return "Code is run only in a sandbox, and none could be made here, so nothing is run.";
}
