import { Failure } from "../events/failure.ts";
import { findControlGroups } from "../process/control-group.ts";
import { findProgram } from "../process/find-program.ts";
import { type Means, runConfined } from "./bubblewrap.ts";
import type { Dial } from "./proxy.ts";
import type { Sandbox } from "./sandbox.ts";
import { seatbeltSandbox } from "./seatbelt.ts";
import { findStaging, stagingFor } from "./self-test.ts";
import { unavailableSandbox } from "./unavailable.ts";

/** The sandbox of this machine. It tests itself before the first run; what it finds holds until the process ends. */
export function openSandbox(dial: Dial, platform: NodeJS.Platform = process.platform): Sandbox {
  if (platform === "linux") return bubblewrapSandbox(dial);
  if (platform === "darwin") return seatbeltSandbox();
  return unavailableSandbox(
    `Code is run only in a sandbox, and there is none for ${platform}. Use Wield in WSL2 or in a Linux container.`,
  );
}

function bubblewrapSandbox(dial: Dial): Sandbox {
  let tested: Promise<Means> | undefined;
  const perWorkspace = new Map<string, Promise<Means>>();

  const test = async (): Promise<Means> => {
    for (const [program, from] of needed) {
      if (findProgram(program, "") !== undefined) continue;
      throw new Failure(
        "SANDBOX_UNAVAILABLE",
        `Code is run only in a sandbox, and ${program} is missing. Install it, for example with: sudo apt-get install ${from}`,
      );
    }
    const tools = { groups: findControlGroups(), dial };
    return { ...tools, staging: await findStaging(tools) };
  };
  const means = (): Promise<Means> => {
    tested ??= test();
    return tested;
  };
  const meansFor = (workspace: string): Promise<Means> => {
    const known = perWorkspace.get(workspace);
    if (known !== undefined) return known;
    const found = means().then(async (base) => ({ ...base, staging: await stagingFor(workspace, base) }));
    perWorkspace.set(workspace, found);
    return found;
  };

  return {
    describe: async () => {
      const { staging, groups } = await means();
      const limits = groups ? `control groups v${groups.version}` : "resource limits and a watchdog";
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
