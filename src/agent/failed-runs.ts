import type { Tool } from "../tool/tool.ts";
import type { FinishedCall } from "./run-calls.ts";

interface Made {
  tool: string;
  outcome: FinishedCall | undefined;
}

/**
 * A run that failed is an answer, not a failed call, so it stops nothing that was written after it in the same reply. What
 * the model is told then; undefined where nothing that may have changed something came after it.
 */
export function failedRunNotice(
  calls: readonly Made[],
  toolOf: (name: string) => Tool | undefined,
): string | undefined {
  const at = calls.findIndex(({ outcome }) => howItFailed(outcome) !== undefined);
  const failed = calls[at];
  if (!failed) return undefined;
  const after = calls
    .slice(at + 1)
    .filter(({ tool, outcome }) => outcome && acts(toolOf(tool)) && !leftAlone(outcome));
  if (after.length === 0) return undefined;
  const names = after.map(({ tool }) => tool).join(", ");
  return `Call ${at + 1} of your last reply (${failed.tool}) failed: ${howItFailed(failed.outcome)}. A failed run does not stop what is written after it in the same reply: ${names} came after it. Check whether that still holds.`;
}

function howItFailed(outcome: FinishedCall | undefined): string | undefined {
  if (!outcome?.result.ok) return undefined;
  const { value } = outcome.result;
  if (value === null || typeof value !== "object") return undefined;
  const { exitCode, failed } = value as { exitCode?: unknown; failed?: unknown };
  if (typeof exitCode === "number" && exitCode !== 0) return `exit code ${exitCode}`;
  if (typeof failed === "number" && failed > 0) return `${failed} tests failed`;
  return undefined;
}

/** Whether a call of it does more than look. */
function acts(tool: Tool | undefined): boolean {
  return tool?.can.some((kind) => kind === "run" || kind === "write" || kind === "delete") ?? false;
}

/** A run that reports what became of files, and changed none. */
function leftAlone({ result, changes }: FinishedCall): boolean {
  if (!result.ok || changes.length > 0 || result.value === null || typeof result.value !== "object")
    return false;
  const { changes: applied, held, ignored } = result.value as Record<string, unknown>;
  return applied === null && held === null && ignored === null;
}
