import { Hono } from "hono";
import { z } from "zod";
import { profiles } from "../agent/profiles.ts";
import type { SettingsView } from "../api/settings.ts";
import { withFavourite, withSwitch } from "../app/settings.ts";
import type { Wield } from "../app/wield.ts";
import { ruleSchema } from "../approval/rules.ts";
import { efforts } from "../model/effort.ts";
import { requireKnown } from "../model/known-models.ts";
import { bodyOf } from "./body.ts";
import { savedRule } from "./rule-routes.ts";

const patchSchema = z.strictObject({
  model: z.string().min(1).nullable().optional(),
  steps: z.int().min(1).max(1000).optional(),
  effort: z.enum(efforts).nullable().optional(),
  costUsdPerDay: z.number().positive().nullable().optional(),
});
const name = z.string().min(1);

/** The user's settings; every change is announced to all pages. */
export function settingsRoutes(wield: Wield, changed: () => void): Hono {
  const app = new Hono();
  app.get("/", (c) => c.json(settingsView(wield)));
  app.patch("/", async (c) => {
    const { model, ...agent } = await bodyOf(c.req.raw, patchSchema);
    // A name that leaves no model is refused before it is saved.
    if (model !== undefined && model !== null) {
      requireKnown(model, await wield.models());
      await wield.agent({ model });
    }
    wield.settings.change(({ model: known, ...settings }) => {
      const named = model === undefined ? known : (model ?? undefined);
      return {
        ...settings,
        ...(named !== undefined && { model: named }),
        ...(Object.keys(agent).length > 0 && { agent: withoutNulls({ ...settings.agent, ...agent }) }),
      };
    });
    changed();
    return c.json(settingsView(wield));
  });
  app.get("/providers", (c) => c.json(wield.providers.list()));
  app.post("/switch", async (c) => {
    const { name: tool, on } = await bodyOf(c.req.raw, z.strictObject({ name, on: z.boolean() }));
    wield.settings.change((settings) => withSwitch(settings, tool, on ? "on" : "off"));
    changed();
    return c.json(settingsView(wield));
  });
  app.post("/pin", async (c) => {
    const { name: tool, pinned } = await bodyOf(c.req.raw, z.strictObject({ name, pinned: z.boolean() }));
    wield.settings.change((settings) => withFavourite(settings, tool, pinned));
    changed();
    return c.json(settingsView(wield));
  });
  app.post("/forget", async (c) => {
    const schema = z.strictObject({ rule: ruleSchema, instead: savedRule.optional() });
    const { rule, instead } = await bodyOf(c.req.raw, schema);
    wield.settings.forget(rule, instead);
    changed();
    return c.json(settingsView(wield));
  });
  return app;
}

/** Null takes a setting away. */
function withoutNulls(values: Record<string, unknown>): Record<string, never> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as never;
}

function settingsView(wield: Wield): SettingsView {
  const { model, agent, tools } = wield.settings.user();
  const { user, workspace, session } = wield.settings.policy();
  return {
    model: model ?? null,
    startedWithModel: wield.settings.startedWithModel ?? null,
    steps: agent.steps ?? profiles.code.steps,
    effort: agent.effort ?? null,
    costUsdPerDay: agent.costUsdPerDay ?? null,
    off: tools.off,
    on: tools.on,
    rules: { user: [...user], workspace: [...workspace.rules], session: [...session] },
  };
}
