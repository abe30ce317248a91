import type { Effect } from "../../tool/effects.ts";

/** The default of tools that may create freely but never overwrite unasked. */
export function asksWhenReplacing(effects: readonly Effect[]): "auto" | "ask" {
  return effects.some((effect) => effect.kind === "write" && effect.replaces) ? "ask" : "auto";
}
