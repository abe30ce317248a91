import { Hono } from "hono";
import { z } from "zod";
import type { RuleTestView } from "../api/settings.ts";
import type { Wield } from "../app/wield.ts";
import { decide } from "../approval/decide.ts";
import { withRule } from "../approval/remembered-rules.ts";
import { ruleSchema } from "../approval/rules.ts";
import type { Effect } from "../tool/effects.ts";
import { bodyOf } from "./body.ts";

const text = z.string().trim().max(10_000);
const exampleSchema = z.strictObject({
  tool: text.min(1),
  path: text.optional(),
  url: text.optional(),
  command: text.optional(),
  /** A rule that is not saved yet: what would it change? */
  draft: ruleSchema.optional(),
});

/** A rule that names nothing would match every call, which nobody intends when saving a form. */
export const savedRule = ruleSchema.refine(
  ({ tool, path, url, method, command, outside }) => tool ?? path ?? url ?? method ?? command ?? outside,
  "A rule names a tool, a path, an address or a command; without any of them it would match every call.",
);

/** Rules of the person: adding one, and trying an example against them. */
export function ruleRoutes(wield: Wield, changed: () => void): Hono {
  const app = new Hono();
  app.post("/", async (c) => {
    const { rule, here } = await bodyOf(c.req.raw, z.strictObject({ rule: savedRule, here: z.boolean() }));
    const added = here ? { ...rule, workspace: wield.workspace.root } : rule;
    wield.settings.change((settings) => ({ ...settings, rules: withRule(settings.rules ?? [], added) }));
    changed();
    return c.json({}, 201);
  });
  app.post("/test", async (c) => {
    const { tool, path, url, command, draft } = await bodyOf(c.req.raw, exampleSchema);
    const effects: Effect[] = [
      ...(path ? [{ kind: "write" as const, path, replaces: true }] : []),
      ...(url ? [{ kind: "fetch" as const, url, method: "GET" }] : []),
      ...(command ? [{ kind: "run" as const, command, network: "off" as const }] : []),
    ];
    const policy = wield.settings.policy();
    const later = draft ? { ...policy, user: withRule(policy.user, draft) } : policy;
    const { decision, because: reason } = decide({ tool, byDefault: "ask", effects }, later);
    return c.json({ decision, reason } satisfies RuleTestView);
  });
  return app;
}
