import { Hono } from "hono";
import { z } from "zod";
import type { ServersView } from "../api/api.ts";
import type { Wield } from "../app/wield.ts";
import { describeEntry } from "../mcp/server-config.ts";
import { bodyOf } from "./body.ts";

/** How long a person has for a sign-in. */
const signInMs = 10 * 60 * 1000;

/** MCP servers in the settings, servers that were found, and the sign-in to remote ones. */
export function mcpRoutes(wield: Wield, changed: () => void): Hono {
  const app = new Hono();
  app.get("/", async (c) => c.json(await serversView(wield)));
  app.post("/add", async (c) => {
    const { ids } = await bodyOf(c.req.raw, z.strictObject({ ids: z.array(z.string()).min(1) }));
    await wield.mcp.addFound(ids);
    await wield.tools.ready();
    changed();
    return c.json(await serversView(wield));
  });
  // The answer is the address to open; the sign-in ends at a listener of its own, and the page hears of it.
  app.post("/login", async (c) => {
    const { name } = await bodyOf(c.req.raw, z.strictObject({ name: z.string().min(1) }));
    const shown = Promise.withResolvers<string>();
    wield.mcp
      .signIn(name, shown.resolve, AbortSignal.timeout(signInMs))
      .then(() => wield.tools.refresh())
      .catch(shown.reject)
      .finally(changed);
    return c.json({ url: await shown.promise });
  });
  return app;
}

async function serversView(wield: Wield): Promise<ServersView> {
  const [names, { servers, problems }] = await Promise.all([wield.mcp.list(), wield.mcp.found()]);
  const told = wield.tools.problems();
  return {
    used: names.map((name) => {
      const problem = told.find((line) => line.includes(`MCP server ${name} `)) ?? null;
      return { name, problem, signIn: problem?.includes("wants you to sign in") ?? false };
    }),
    found: servers.map(({ id, name, from, entry }) => ({ id, name, from, what: describeEntry(entry) })),
    problems,
  };
}
