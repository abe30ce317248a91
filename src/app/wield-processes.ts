import { Failure } from "../failure/failure.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { WieldProcesses } from "./wield-members.ts";

/** The background processes of one Wield; there are none before its first run. */
export function wieldProcesses(execution: () => Execution | undefined): WieldProcesses {
  const background = () => {
    const opened = execution();
    if (opened) return opened.background;
    throw new Failure("INVALID_INPUT", "There are no background processes.");
  };
  return {
    list: (session) => execution()?.background.list(session) ?? [],
    read: (id, options) => background().read(id, options),
    stop: (id) => background().stop(id),
    open: async (id, port) => background().open(id, port),
    stopSession: async (session) => execution()?.background.stopSession(session),
  };
}
