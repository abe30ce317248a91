import { Hono } from "hono";
import { z } from "zod";
import { chatPrefix } from "../agent/log.ts";
import type { ProcessOutputView, ProcessView } from "../api/api.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { bodyOf } from "./body.ts";

/** The most that one request reads; the page continues from `next`. */
const mostRead = 100_000;

/** Instead of a session: what the person started on the Tools page. */
const ofTools = "tools";

/** Background processes of a session; under /sessions. */
export function processRoutes(wield: Wield): Hono {
  const app = new Hono();
  const { processes } = wield;
  const listed = (session: string) =>
    session === ofTools
      ? processes.list().filter((process) => !process.session?.startsWith(chatPrefix))
      : processes.list(session);
  const own = (session: string, id: string) => {
    const found = listed(session).find((process) => process.id === id);
    if (found) return found.id;
    throw new Failure("FILE_NOT_FOUND", "This process is no longer there.");
  };
  app.get("/:id/processes", (c) =>
    c.json(
      listed(c.req.param("id")).map(
        ({ id, command, started, state, exitCode, ports, opened }): ProcessView => ({
          ...{ id, command, started, state, exitCode, ports, opened },
        }),
      ),
    ),
  );
  app.get("/:id/processes/:process", (c) => {
    const { id, process } = c.req.param();
    const offset = /^\d{1,12}$/.exec(c.req.query("offset") ?? "")?.[0];
    const read = processes.read(own(id, process), {
      most: mostRead,
      ...(offset !== undefined && { offset: Number(offset) }),
    });
    return c.json(read satisfies ProcessOutputView);
  });
  app.post("/:id/processes/:process/open", async (c) => {
    const { id, process } = c.req.param();
    const { port } = await bodyOf(c.req.raw, z.strictObject({ port: z.int().min(1).max(65_535) }));
    return c.json({ address: await processes.open(own(id, process), port) });
  });
  app.post("/:id/processes/:process/stop", async (c) => {
    const { id, process } = c.req.param();
    await processes.stop(own(id, process));
    return c.json({});
  });
  return app;
}
