import { Hono } from "hono";
import { z } from "zod";
import type { McpReviewView, McpServerView } from "../api/api.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { serverName, serverSchema } from "../mcp/server-config.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { bodyOf } from "./body.ts";

const addSchema = z.strictObject({ name: serverName, server: serverSchema });

/** MCP servers of the person's settings: which there are, what is wrong with them, and the approval of their tools. */
export function mcpServerRoutes(wield: Wield, changed: () => void): Hono {
  const app = new Hono();
  app.get("/", (c) => c.json(serverViews(wield)));
  app.post("/", async (c) => {
    const { name, server } = await bodyOf(c.req.raw, addSchema);
    if (Object.hasOwn(wield.settings.user().mcp, name))
      throw new Failure(
        "CONFLICT",
        `There is a server ${name} already. Remove it first, or take another name.`,
      );
    wield.settings.change((settings) => ({ ...settings, mcp: { ...settings.mcp, [name]: server } }));
    changed();
    return c.json(serverViews(wield), 201);
  });
  app.delete("/:name", async (c) => {
    const removed = c.req.param("name");
    wield.settings.change((settings) => ({
      ...settings,
      mcp: Object.fromEntries(Object.entries(settings.mcp ?? {}).filter(([name]) => name !== removed)),
    }));
    changed();
    return c.json(serverViews(wield));
  });
  app.get("/:name/review", async (c) => {
    const { drift, readers } = await reviewOf(wield, c.req.param("name"));
    const view = drift.map(({ tool, change, diff }) => ({
      tool: visibleLine(tool),
      change,
      diff: visibleText(diff),
    }));
    return c.json({ drift: view, readers: readers.map(visibleLine) } satisfies McpReviewView);
  });
  app.post("/:name/approve", async (c) => {
    (await reviewOf(wield, c.req.param("name"))).approve();
    await wield.tools.refresh();
    changed();
    return c.json(serverViews(wield));
  });
  return app;
}

async function reviewOf({ tools, mcp }: Wield, name: string) {
  await tools.ready();
  return mcp.review(name);
}

function serverViews({ settings, tools }: Wield): McpServerView[] {
  const problems = tools.problems().map(visibleLine);
  return Object.entries(settings.user().mcp).map(([name, config]) => ({
    name,
    // Values of variables and headers may be secret: only the command or the address is shown.
    how: visibleLine("command" in config ? [config.command, ...config.args].join(" ") : config.url),
    tools: tools.registry.list().filter(({ category }) => category === name).length,
    problems: problems.filter((problem) => problem.includes(name)),
  }));
}
