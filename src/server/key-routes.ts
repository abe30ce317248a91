import { Hono } from "hono";
import { z } from "zod";
import type { Wield } from "../app/wield.ts";
import { bodyOf } from "./body.ts";

const keySchema = z.strictObject({
  provider: z.string().min(1).max(100),
  key: z.string().min(1).max(5000),
  /** False: store it without asking the provider. */
  check: z.boolean().optional(),
});

/** Keys of providers. They come in and are never given out again. */
export function keyRoutes({ keys }: Wield, changed: () => void): Hono {
  const app = new Hono();
  app.get("/", (c) => c.json(keys.list()));
  app.post("/", async (c) => {
    const { provider, key, check = true } = await bodyOf(c.req.raw, keySchema);
    const view = await keys.set(provider, key, { check, signal: c.req.raw.signal });
    changed();
    return c.json(view, 201);
  });
  app.delete("/:provider", async (c) => {
    const view = await keys.remove(c.req.param("provider"));
    changed();
    return c.json(view);
  });
  return app;
}
