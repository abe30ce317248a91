import type { Asker } from "../approval/approval.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** The runtime with another asker for its calls. */
export function answeredBy(asker: Asker | undefined, runtime: Runtime): Runtime {
  if (!asker) return runtime;
  return {
    ...runtime,
    call: (request, given) => runtime.call(request, { asker, ...given }),
    step: (requests, given) => runtime.step(requests, { asker, ...given }),
  };
}
