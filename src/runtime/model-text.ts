import { boundToBudget } from "../text/bound.ts";
import { estimateTokens } from "../text/tokens.ts";
import { visibleLine } from "../text/visible.ts";
import type { ToolResult } from "../tool/result.ts";
import type { Rendering, Tool } from "../tool/tool.ts";
import type { Change } from "../workspace/workspace.ts";
import { namedPaths } from "./footprint.ts";
import type { Call, Ended } from "./stages.ts";

/** The text of a result for the model, within the budget, and the full text if that is longer. */
export function modelText(
  call: Pick<Call, "id" | "budget">,
  { tool, input, result, notices, changes }: Ended,
): { text: string; full: string } {
  const changed = changes.flatMap(({ files }) => files.map(({ path }) => path));
  const named = [...namedPaths(input), ...(result.ok ? [...namedPaths(result.value), ...changed] : changed)];
  const shown = withVisibleNames(named);
  const rendering = result.ok && tool ? renderingOf(tool, result.value, input) : errorText(result, changes);
  const head = notices.map((notice) => `${notice}\n\n`).join("");
  const budget = Math.min(tool?.budget ?? call.budget, call.budget) - estimateTokens(head);
  const bounded = boundToBudget(
    rendering,
    budget,
    (shown, total) =>
      `… ${shown} of ${total} lines shown. The rest: read_result({"id":"${call.id}","startLine":${shown + 1}})`,
  );
  return { text: shown(head + bounded.text), full: shown(bounded.full ?? bounded.text) };
}

/**
 * Names of files as a reader should see them, in texts about them: what hides or reorders characters is escaped. The content of files
 * stays as it is, since it has to be edited exactly.
 */
function withVisibleNames(paths: readonly string[]): (text: string) => string {
  const parts = new Set(paths.flatMap((path) => path.split("/")));
  const hiding = [...parts]
    .filter((part) => part !== visibleLine(part))
    .toSorted((a, b) => b.length - a.length);
  return (text) => hiding.reduce((shown, part) => shown.replaceAll(part, visibleLine(part)), text);
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
