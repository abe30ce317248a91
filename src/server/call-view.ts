import type { CallView } from "../api/tools.ts";
import type { CallOutcome } from "../runtime/runtime.ts";

export function callView({ details, ...outcome }: CallOutcome): CallView {
  return { ...outcome, record: details.record, files: details.files };
}
