import { Hono } from "hono";
import { z } from "zod";
import type { WorktreeEnded, WorktreeView, WorktreeWork } from "../api/worktrees.ts";
import type { Wield } from "../app/wield.ts";
import { bodyOf } from "./body.ts";

const endSchema = z.strictObject({ how: z.enum(["merge", "keep", "discard"]), state: z.string().max(200) });

/** Worktrees of sessions: which there are, what is in one, and what becomes of it. */
export function worktreeRoutes({ worktrees }: Wield, ended: (folder: string) => Promise<void>): Hono {
  const app = new Hono();
  app.get("/", (c) => c.json(worktrees.list() satisfies WorktreeView[]));
  app.get("/:name", async (c) => c.json((await worktrees.look(c.req.param("name"))) satisfies WorktreeWork));
  app.post("/:name/end", async (c) => {
    const { how, state } = await bodyOf(c.req.raw, endSchema);
    const name = c.req.param("name");
    const folder = worktrees.list().find((each) => each.name === name && !each.ended)?.folder;
    const done = await worktrees.end(name, how, state);
    if (folder !== undefined) await ended(folder);
    return c.json(done satisfies WorktreeEnded);
  });
  return app;
}
