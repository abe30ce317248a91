import { Hono } from "hono";
import { z } from "zod";
import type { CompactView } from "../api/rewind.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { bodyOf } from "./body.ts";
import type { Chats } from "./chats.ts";

const to = z.int().min(0);
const rewindSchema = z.strictObject({ to, what: z.enum(["conversation", "files", "both"]) });

/** Going back in a conversation, and making it shorter; under /sessions. */
export function rewindRoutes(wield: Wield, chats: Chats): Hono {
  const app = new Hono();
  app.get("/:id/messages", async (c) => c.json(await wield.sessions.messages(c.req.param("id"))));
  app.get("/:id/rewind", async (c) => {
    const place = to.safeParse(Number(c.req.query("to")));
    if (!place.success) throw new Failure("INVALID_INPUT", "`to` is the entry of a message.");
    return c.json(await wield.sessions.planRewind(c.req.param("id"), place.data));
  });
  app.post("/:id/rewind", async (c) => {
    const { to: place, what } = await bodyOf(c.req.raw, rewindSchema);
    return c.json(await chats.rewind(c.req.param("id"), place, what));
  });
  app.post("/:id/compact", async (c) => {
    const compacted = await chats.compact(c.req.param("id"));
    if (!compacted) throw new Failure("INVALID_INPUT", "There is nothing to summarise yet.");
    const { before, after, summary } = compacted;
    return c.json({ before, after, kept: summary } satisfies CompactView);
  });
  return app;
}
