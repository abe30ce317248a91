import { Failure } from "../failure/failure.ts";
import type { Sandbox } from "./sandbox.ts";

/** Used if no sandbox is available: every run is refused with advice on what to do. */
export function unavailableSandbox(reason: string): Sandbox {
  return {
    describe: async () => `none: ${reason}`,
    run: async () => {
      throw new Failure("SANDBOX_UNAVAILABLE", reason);
    },
  };
}
