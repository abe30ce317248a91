import { boundToBudget } from "../text/bound.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { ToolResult } from "../tool/result.ts";
import type { Rendering, Tool } from "../tool/tool.ts";
import type { Change } from "../workspace/workspace.ts";
import type { Call, Ended } from "./stages.ts";

/** The text of a result for the model, within the budget, and the full text if that is longer. */
export function modelText(
  call: Pick<Call, "id" | "budget">,
  { tool, input, result, notices, changes }: Ended,
): { text: string; full: string } {
  const rendering = result.ok && tool ? renderingOf(tool, result.value, input) : errorText(result, changes);
  const head = notices.map((notice) => `${notice}\n\n`).join("");
  const budget = Math.min(tool?.budget ?? call.budget, call.budget) - estimateTokens(head);
  const bounded = boundToBudget(
    rendering,
    budget,
    (shown, total) =>
      `… ${shown} of ${total} lines shown. The rest: read_result({"id":"${call.id}","startLine":${shown + 1}})`,
  );
  return { text: head + bounded.text, full: bounded.full ?? bounded.text };
}

/** The call happened, so a failed rendering does not make it a failure: the raw value is shown. */
function renderingOf(tool: Tool, value: unknown, input: unknown): Rendering {
  try {
    return tool.render(value, input);
  } catch {
    return JSON.stringify(value, null, 2) ?? "null";
  }
}

function errorText(result: ToolResult<unknown>, changes: readonly Change[]): string {
  if (result.ok) return "";
  const changed = changes.flatMap((change) => change.files.map((file) => file.path));
  const note =
    changed.length > 0
      ? `\nBefore that, this call had changed: ${changed.join(", ")} (undo takes it back).`
      : "";
  return `${result.error.code}: ${result.error.message}${note}`;
}
