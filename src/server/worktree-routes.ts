import { Hono } from "hono";
import { z } from "zod";
import type { WorktreeEnded, WorktreeView, WorktreeWork } from "../api/worktrees.ts";
import type { Wield } from "../app/wield.ts";
import { bodyOf } from "./body.ts";

const endSchema = z.strictObject({ how: z.enum(["merge", "keep", "discard"]), state: z.string().max(200) });

/** Worktrees of sessions: which there are, what is in one, and what becomes of it. */
export function worktreeRoutes({ worktrees }: Wield, changed: () => void): Hono {
  const app = new Hono();
  app.get("/", (c) => c.json(worktrees.list() satisfies WorktreeView[]));
  app.get("/:name", async (c) => c.json((await worktrees.look(c.req.param("name"))) satisfies WorktreeWork));
  app.post("/:name/end", async (c) => {
    const { how, state } = await bodyOf(c.req.raw, endSchema);
    const ended = await worktrees.end(c.req.param("name"), how, state);
    changed();
    return c.json(ended satisfies WorktreeEnded);
  });
  return app;
}
