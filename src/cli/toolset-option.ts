import { type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
import { UsageError } from "./command.ts";

export function toolsetNamed(name: string): ToolsetName {
  if (Object.hasOwn(toolsets, name)) return name as ToolsetName;
  throw new UsageError(`Unknown toolset ${JSON.stringify(name)}: use ${Object.keys(toolsets).join(", ")}.`);
}
