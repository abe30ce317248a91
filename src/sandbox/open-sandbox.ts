import { Failure } from "../failure/failure.ts";
import { rememberSuccess } from "../failure/remember-success.ts";
import { findControlGroups, needsControlGroups } from "../process/control-group.ts";
import { realHostProgram } from "../process/host-programs.ts";
import { type Means, runConfined } from "./bubblewrap.ts";
import type { Dial } from "./proxy.ts";
import type { Sandbox } from "./sandbox.ts";
import { findStaging, stagingFor } from "./self-test.ts";
import { unavailableSandbox } from "./unavailable.ts";

/** The sandbox of this machine. It tests itself before the first run. */
export function openSandbox(dial: Dial, platform: NodeJS.Platform = process.platform): Sandbox {
  if (platform === "linux") return bubblewrapSandbox(dial);
  const instead =
    platform === "darwin" ? "in a Linux container or virtual machine" : "in WSL2 or in a Linux container";
  const name = platform === "darwin" ? "macOS" : platform;
  return unavailableSandbox(
    `Code runs only in a sandbox, and Wield has none for ${name} yet. All other tools work here; to run code, use Wield ${instead}.`,
  );
}

function bubblewrapSandbox(dial: Dial): Sandbox {
  const means = rememberSuccess(async (): Promise<Means> => {
    for (const [program, from] of needed) {
      if (realHostProgram(program, "") !== undefined) continue;
      throw new Failure(
        "SANDBOX_UNAVAILABLE",
        `Code is run only in a sandbox, and ${program} is missing. Install it, for example with: sudo apt-get install ${from}`,
      );
    }
    const tools = { groups: findControlGroups(), dial };
    if (!tools.groups && needsControlGroups()) {
      throw new Failure(
        "SANDBOX_UNAVAILABLE",
        "Wield runs as root here, and what root starts can only be limited by a control group, which cannot be made (memory and pids below /sys/fs/cgroup). Run Wield as an ordinary user, or make the control groups writable.",
      );
    }
    return { ...tools, staging: await findStaging(tools) };
  });
  const meansFor = rememberSuccess(async (workspace: string): Promise<Means> => {
    const base = await means();
    return { ...base, staging: await stagingFor(workspace, base) };
  });

  return {
    describe: async () => {
      const { staging, groups } = await means();
      const limits = groups
        ? `control groups v${groups.version}`
        : "resource limits and a watchdog (shared memory of System V does not count)";
      return `bubblewrap, changes in ${staging === "overlay" ? "an overlay" : "a copy"}, limits by ${limits}`;
    },
    run: async (job, policy) => runConfined(job, policy, await meansFor(job.workspace)),
  };
}

const needed = [
  ["/usr/bin/bwrap", "bubblewrap"],
  ["/bin/bash", "bash"],
  ["/usr/bin/setpriv", "util-linux"],
  ["/usr/bin/unshare", "util-linux"],
  ["/usr/bin/tar", "tar"],
] as const;
