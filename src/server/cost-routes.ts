import { Hono } from "hono";
import type { Wield } from "../app/wield.ts";

/** What models cost. Prices are fetched only when a person asks for it. */
export function costRoutes({ cost }: Wield): Hono {
  const app = new Hono();
  app.get("/cost", async (c) => c.json(await cost.view(c.req.query("session"))));
  app.post("/prices/refresh", async (c) => c.json({ prices: await cost.refreshPrices(c.req.raw.signal) }));
  return app;
}
