// The whole index as a person builds it, with `wield index`: its time and the memory of its process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { verdict } from "../measure.ts";
import { ms } from "./measuring.ts";

export async function wholeIndexRow(home: string, tree: string, state: string): Promise<void> {
  const started = performance.now();
  const child = spawn(join(home, "bin/wield"), ["index", "build", "-w", tree], {
    env: { ...process.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(state, "config") },
    stdio: "ignore",
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 50);
  await once(child, "exit");
  clearInterval(timer);
  const took = ms(performance.now() - started);
  verdict(`wield index: ${took}, memory at most ${peak.toFixed(0)} MB`, "≤ 500 MB", peak <= 500);
}

/** The most memory that a process had so far, in megabytes; 0 when it is gone. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}
