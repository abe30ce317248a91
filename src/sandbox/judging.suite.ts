import { openSqliteStore } from "../store/sqlite-store.ts";
import { changeDefault } from "../tool/effects.ts";
import { manifestPart, protectedPart } from "../workspace/protected-names.ts";
import type { Judge } from "./apply-changes.ts";
import { HeldChanges } from "./held-changes.ts";

/** All but protected names goes through: for tests of what a sandbox does, not of what is asked. */
export const guarded: Judge = (_tool, effect) => ({
  decision: "path" in effect && (protectedPart(effect.path) ?? manifestPart(effect.path)) ? "ask" : "allow",
  because: "it is protected",
});

/** As the application judges where there is no rule. */
export const usual: Judge = (tool, effect) =>
  changeDefault(effect) === "ask"
    ? { decision: "ask", because: "existing files change" }
    : guarded(tool, effect);

/** Changes held in memory, with the store that has their approvals. */
export function heldInMemory() {
  const store = openSqliteStore(":memory:");
  return { store, held: new HeldChanges(store.held("here"), store, "here") };
}
