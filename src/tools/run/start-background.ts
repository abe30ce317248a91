import { machineNow } from "../../sandbox/machine-limits.ts";
import { type Limits, policies } from "../../sandbox/policy.ts";
import type { Job } from "../../sandbox/sandbox.ts";
import { visibleLine } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { limitsFor } from "./asked-limits.ts";
import type { ProcessView } from "./background.ts";
import type { Execution } from "./execution.ts";
import { firstLine } from "./live-output.ts";

/** Changes from outside the sandbox cause no file events inside; these variables make programs poll. */
const polling = {
  CHOKIDAR_USEPOLLING: "1",
  WATCHPACK_POLLING: "1000",
  WATCHFILES_FORCE_POLLING: "1",
  TSC_WATCHFILE: "FixedPollingInterval",
  TSC_WATCHDIRECTORY: "FixedPollingInterval",
};

const day = 24 * 60 * 60;
const leastMemory = 512 * 1024 * 1024;

/** Starts a command that runs on after this call; its state and what it printed within the first moments. */
export async function startInBackground(
  { code, memory }: { code: string; memory?: number | undefined },
  { signal: _, ...job }: Job,
  execution: Execution,
  { callId, session, signal }: ToolContext,
): Promise<{ process: ProcessView; output: string }> {
  const { background, network } = execution;
  const limits = backgroundLimits(memory, execution);
  const by = { callId, session, command: visibleLine(firstLine(code)) };
  // What rules hide is found out at the start: a file that comes later must not be seen.
  const isCopied = execution.hidesFiles(session);
  const watching = { ...job, isCopied, env: { ...polling, ...job.env } };
  const id = await background.start(by, watching, { ...policies.code, network, limits }, execution.sandbox());
  await background.firstOutput(id, signal);
  return { process: background.view(id), output: background.read(id).text };
}

/** Several run side by side, and for long: a quarter of the memory that is free for each, and no limit on what it prints. */
function backgroundLimits(memory: number | undefined, { limits }: Execution): Limits {
  const all = limitsFor({ timeout: day, memory }, limits);
  const quarter = Math.max(leastMemory, Math.floor(machineNow().freeMemory / 4));
  const isChosen = memory !== undefined || limits.memory !== undefined;
  return { ...all, memory: isChosen ? all.memory : quarter, output: Number.POSITIVE_INFINITY };
}
