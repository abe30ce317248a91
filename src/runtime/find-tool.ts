import { Failure } from "../failure/failure.ts";
import { nearestNames } from "../text/nearest.ts";
import type { Tool } from "../tool/tool.ts";
import type { RuntimeParts } from "./stages.ts";

/** The tool of that name; `UNKNOWN_TOOL` names the nearest ones, `TOOL_DISABLED` says why it cannot be used. */
export function findTool({ registry, disabled, elsewhere }: RuntimeParts, name: string): Tool {
  const tool = registry.get(name);
  if (!tool) {
    const whyNot = elsewhere?.(name);
    if (whyNot !== undefined) throw new Failure("TOOL_DISABLED", whyNot);
    const nearest = nearestNames(
      name,
      registry.list().map((known) => known.name),
    );
    const tip =
      nearest.length > 0
        ? `Did you mean ${nearest.join(" or ")}?`
        : "Look at the list of tools for the right name.";
    throw new Failure("UNKNOWN_TOOL", `There is no tool named ${JSON.stringify(name)}. ${tip}`, { nearest });
  }
  const why = disabled(tool);
  if (why !== undefined) throw new Failure("TOOL_DISABLED", why);
  return tool;
}
