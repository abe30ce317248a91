import { Failure } from "../failure/failure.ts";
import type { Sandbox } from "./sandbox.ts";

/** Where nothing can confine a command: every run is refused, with what to do about it. */
export function unavailableSandbox(reason: string): Sandbox {
  return {
    describe: async () => `none: ${reason}`,
    run: async () => {
      throw new Failure("SANDBOX_UNAVAILABLE", reason);
    },
  };
}
