import type { ToolContext } from "../tool/tool.ts";
import type { Fingerprint } from "../workspace/workspace.ts";
import type { ScopedWorkspace } from "./scoped-workspace.ts";
import type { Call, RuntimeParts } from "./stages.ts";

/** What a tool works with during one stage of one call. */
export function contextFor(
  parts: RuntimeParts,
  call: Call,
  { workspace, mayRead, hiddenPaths }: ScopedWorkspace,
  signal: AbortSignal,
  approved: ReadonlyMap<string, Fingerprint>,
): ToolContext {
  return {
    callId: call.id,
    session: call.session,
    ...(call.topic !== undefined && { topic: call.topic }),
    workspace,
    mayRead,
    hiddenPaths,
    signal,
    approved,
    // Computed on demand: for a short command, looking for a terminal takes as long as reading a file.
    get attended() {
      return call.asker() !== undefined;
    },
    run: (command) =>
      parts.run({
        ...command,
        signal: command.signal ? AbortSignal.any([signal, command.signal]) : signal,
      }),
    progress: (message, done, total, output) => {
      const count = {
        ...(done !== undefined && { done }),
        ...(total !== undefined && { total }),
        ...(output !== undefined && { output }),
      };
      parts.emit({ type: "call-progress", callId: call.id, message, ...count });
      tell(() => call.progress?.(message, done, total));
    },
  };
}

/** A caller's callback that throws is the caller's problem, not the call's. */
function tell(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    console.error("The callback for the progress of a call failed.", error);
  }
}
