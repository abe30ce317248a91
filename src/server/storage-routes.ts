import { Hono } from "hono";
import { z } from "zod";
import type { Wield } from "../app/wield.ts";
import { bodyOf } from "./body.ts";

const options = z.strictObject({ days: z.number().min(0).optional() });

/** What Wield keeps on this machine, and removing what is old. */
export function storageRoutes(wield: Wield, changed: () => void): Hono {
  const app = new Hono();
  app.get("/", async (c) => {
    const { days } = c.req.query();
    const given = options.parse(days === undefined ? {} : { days: Number(days) });
    return c.json(await wield.storage.look(withDays(given)));
  });
  app.post("/clean", async (c) => {
    const removed = await wield.storage.clean(withDays(await bodyOf(c.req.raw, options)));
    changed();
    return c.json(removed);
  });
  return app;
}

function withDays({ days }: z.infer<typeof options>): { days?: number } {
  return days === undefined ? {} : { days };
}
