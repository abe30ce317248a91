import { type Grant, redeemGrant } from "../approval/grant.ts";
import { readingRules } from "../approval/reading.ts";
import type { ToolError } from "../failure/failure.ts";
import { failureOf, ok } from "../tool/result.ts";
import { callEnded, untilAborted, withDeadline } from "./abort.ts";
import { contextFor } from "./context.ts";
import { asCall } from "./current-call.ts";
import { scopeWorkspace } from "./scoped-workspace.ts";
import type { Call, Executed, Prepared, RuntimeParts } from "./stages.ts";

/**
 * Runs the tool on exactly what the grant is for, with its time limit and the caller's abort signal. Never throws:
 * changes made before a failure are part of the outcome.
 */
export async function execute(
  parts: RuntimeParts,
  call: Call,
  { tool, input, policy }: Prepared,
  grant: Grant,
): Promise<Executed> {
  const { seen, approval } = redeemGrant(grant, { tool: tool.name, input });
  const rules = readingRules(tool.name, policy);
  const ended = new AbortController();
  const scope = scopeWorkspace(
    parts.workspace,
    ended.signal,
    rules && { rules, wasAsked: approval !== "auto" },
    seen,
  );
  const result = await withDeadline(tool, call.signal, async (signal) => {
    await scope.look();
    // A call that has ended loses access to the workspace immediately.
    signal.addEventListener("abort", () => ended.abort(callEnded), { once: true });
    if (signal.aborted) ended.abort(callEnded);
    const context = contextFor(parts, call, scope, signal, seen);
    const value = await untilAborted(
      asCall(call, () => tool.execute(input, context)),
      signal,
    );
    const checked = tool.output.safeParse(value);
    if (checked.success) return ok(checked.data);
    throw new Error(`the value of ${tool.name} does not fit its own schema (${checked.error.message})`);
  }).catch(failureOf);
  await scope.finished();
  const { changes } = scope;
  for (const { id, files } of changes) {
    const paths = files.map((file) => file.path);
    parts.emit({ type: "files-change", callId: call.id, changeId: id, paths });
  }
  if (!result.ok && isStale(result.error) && changes.length === 0)
    return { kind: "stale", error: result.error, places: scope.places };
  return { kind: "done", result, changes, places: scope.places };
}

/** A file was not as it was approved, so the change was not made. */
function isStale({ code, details }: ToolError): boolean {
  return code === "CONFLICT" && details?.["stale"] !== undefined;
}
