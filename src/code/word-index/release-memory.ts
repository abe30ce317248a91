import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects garbage at once: the engine does so only while it needs memory, and a thread that has worked much and then waits
 * for others would keep what its work has left.
 */
export function releaseMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  collect({ type: "major", flavor: "last-resort" });
}
