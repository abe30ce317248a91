import { boundToBudget } from "../text/bound.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { ToolResult } from "../tool/result.ts";
import type { Tool } from "../tool/tool.ts";
import type { Change } from "../workspace/workspace.ts";

/** What the model reads of a result, within the budget, and the full text where that is longer. */
export function modelText(
  call: {
    id: string;
    input: unknown;
    notice: string | undefined;
    changes: readonly Change[];
    budget: number;
  },
  tool: Tool | undefined,
  result: ToolResult<unknown>,
): { text: string; full: string } {
  const rendering =
    result.ok && tool ? tool.render(result.value, call.input) : errorText(result, call.changes);
  const head = call.notice === undefined ? "" : `${call.notice}\n\n`;
  const budget = Math.min(tool?.budget ?? call.budget, call.budget) - estimateTokens(head);
  const bounded = boundToBudget(
    rendering,
    budget,
    (shown, total) =>
      `… ${shown} of ${total} lines shown. The rest: read_result({"id":"${call.id}","startLine":${shown + 1}})`,
  );
  return { text: head + bounded.text, full: bounded.full ?? bounded.text };
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
