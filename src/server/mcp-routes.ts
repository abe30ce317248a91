import { Hono } from "hono";
import { z } from "zod";
import type { McpReviewView, McpServersView } from "../api/settings.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { describeEntry, serverName, serverSchema } from "../mcp/server-config.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { bodyOf } from "./body.ts";

/** How long a person has for a sign-in. */
const signInMs = 10 * 60 * 1000;

const addSchema = z.strictObject({ name: serverName, server: serverSchema });
const foundSchema = z.strictObject({ ids: z.array(z.string()).min(1) });

/** MCP servers: those in use, what is wrong with them, the approval of their tools, sign-ins, and servers of other programs. */
export function mcpRoutes(wield: Wield, changed: () => void): Hono {
  const app = new Hono();
  app.get("/", async (c) => c.json(await serversView(wield)));
  app.post("/", async (c) => {
    const { name, server } = await bodyOf(c.req.raw, addSchema);
    if (Object.hasOwn(wield.settings.user().mcp, name))
      throw new Failure(
        "CONFLICT",
        `There is already a server named ${name}. Remove it first, or choose another name.`,
      );
    wield.settings.change((settings) => ({ ...settings, mcp: { ...settings.mcp, [name]: server } }));
    changed();
    // Whether it works is shown later: a server may take a minute to start.
    wield.tools.ready().then(changed, changed);
    return c.json(await serversView(wield), 201);
  });
  app.post("/found", async (c) => {
    const { ids } = await bodyOf(c.req.raw, foundSchema);
    await wield.mcp.addFound(ids);
    await wield.tools.ready();
    changed();
    return c.json(await serversView(wield));
  });
  app.delete("/:name", async (c) => {
    const removed = c.req.param("name");
    wield.settings.change((settings) => ({
      ...settings,
      mcp: Object.fromEntries(Object.entries(settings.mcp ?? {}).filter(([name]) => name !== removed)),
    }));
    changed();
    return c.json(await serversView(wield));
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
    return c.json(await serversView(wield));
  });
  // The answer is the address to open; the sign-in ends at a separate listener, which notifies the page.
  app.post("/:name/login", async (c) => {
    const shown = Promise.withResolvers<string>();
    wield.mcp
      .signIn(c.req.param("name"), shown.resolve, AbortSignal.timeout(signInMs))
      .then(() => wield.tools.refresh())
      .catch(shown.reject)
      .finally(changed);
    return c.json({ url: await shown.promise });
  });
  return app;
}

/** The page has a button for what a person can do in the terminal, and space for what a server printed, line by line. */
function onPage(problem: string): string {
  return problem.replace(/ A person can .*$/, "").replace(/\\+n\s*/g, "\n");
}

async function reviewOf({ tools, mcp }: Wield, name: string) {
  await tools.ready();
  return mcp.review(name);
}

async function serversView({ settings, tools, mcp }: Wield): Promise<McpServersView> {
  const { servers, problems } = await mcp.found();
  const own = settings.user().mcp;
  const told = tools.problems().map(visibleLine);
  const all = tools.registry.list();
  return {
    used: mcp.names().map((name) => {
      const config = Object.hasOwn(own, name) ? own[name] : undefined;
      const problem = told.find((line) => line.includes(`MCP server ${name} `)) ?? null;
      return {
        name,
        // Values of variables and headers may be secret: only the command or the address is shown.
        how:
          config === undefined
            ? null
            : visibleLine("command" in config ? [config.command, ...config.args].join(" ") : config.url),
        tools: all.filter(({ category }) => category === name).length,
        problem: problem === null ? null : onPage(problem),
        signIn: problem?.includes("wants you to sign in") ?? false,
      };
    }),
    found: servers.map(({ id, name, from, entry }) => ({ id, name, from, what: describeEntry(entry) })),
    problems: problems.map(visibleLine),
  };
}
