import { localOrigin } from "../../text/local-origin.ts";
import type { Effect } from "../../tool/effects.ts";

/** What a request through the web guard does; one to this machine says so. */
export function fetchEffect(url: string, method: string): Effect {
  const local = localOrigin(url);
  return { kind: "fetch", url, method, ...(local !== undefined && { local }) };
}
