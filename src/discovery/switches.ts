import { Failure } from "../failure/failure.ts";
import type { Tool } from "../tool/tool.ts";

/** One layer of settings: names of tools or of categories. */
export interface Switches {
  off: readonly string[];
  /** Exceptions from `off`. */
  on: readonly string[];
}

/** Nothing else could be found without these, so they cannot be switched off. */
export const discoveryTools: ReadonlySet<string> = new Set(["searchTools", "searchSkills", "readSkill"]);

export const discoveryCategory = "Discovery";

/** Refuses to switch off the discovery tools, by name or by category. */
export function requireSwitchable(name: string): void {
  if (!discoveryTools.has(name) && name !== discoveryCategory) return;
  throw new Failure(
    "INVALID_INPUT",
    `${name} cannot be switched off: without it a model could find no other tool and no skill.`,
  );
}

/**
 * Layers in ascending precedence. Within a layer, a tool's name takes precedence over its category; the last layer
 * that mentions either wins.
 */
export function isSwitchedOff(tool: Pick<Tool, "name" | "category">, layers: readonly Switches[]): boolean {
  if (discoveryTools.has(tool.name)) return false;
  let off = false;
  for (const layer of layers) {
    if (layer.off.includes(tool.name)) off = true;
    else if (layer.on.includes(tool.name)) off = false;
    else if (layer.off.includes(tool.category)) off = true;
    else if (layer.on.includes(tool.category)) off = false;
  }
  return off;
}
