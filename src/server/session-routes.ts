import { Hono } from "hono";
import { z } from "zod";
import { forkSession } from "../agent/fork.ts";
import { type LogData, removeSession } from "../agent/log.ts";
import { exportFormats, exportSession } from "../app/export-session.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import type { SessionRecord } from "../store/store.ts";
import { attachment } from "./attachment.ts";
import { bodyOf } from "./body.ts";
import type { Chats } from "./chats.ts";

const markSchema = z.strictObject({
  title: z.string().trim().min(1).max(200).optional(),
  pinned: z.boolean().optional(),
});
const forkSchema = z.strictObject({ before: z.int().min(0).optional() });
const againSchema = z.strictObject({
  entry: z.int().min(0),
  text: z.string().trim().min(1).max(200_000).optional(),
});

/** What a person does with whole sessions: rename, pin, delete, fork, save as a file. */
export function sessionRoutes(wield: Wield, chats: Chats, changed: () => void): Hono {
  const app = new Hono();
  const { store } = wield;

  /** Sessions of other folders can be read and put in order, not continued. */
  const known = async (id: string): Promise<SessionRecord> => {
    const record = await store.session(id);
    if (record) return record;
    throw new Failure("FILE_NOT_FOUND", "This session does not exist.");
  };

  const fork = async (record: SessionRecord, before?: number): Promise<string> => {
    const { id } = await forkSession(store, record, before, () => new Date());
    chats.takeOver(record.id, id);
    return id;
  };

  app.patch("/:id", async (c) => {
    const { title, pinned } = await bodyOf(c.req.raw, markSchema);
    const { id } = await known(c.req.param("id"));
    await store.markSession(id, {
      ...(title !== undefined && { title }),
      ...(pinned !== undefined && { pinned }),
    });
    changed();
    return c.json({});
  });
  app.delete("/:id", async (c) => {
    const { id } = await known(c.req.param("id"));
    chats.refuseIfRunning(id);
    await wield.processes.stopSession(id);
    await removeSession(store, id);
    changed();
    return c.json({});
  });
  app.post("/:id/fork", async (c) => {
    const { before } = await bodyOf(c.req.raw, forkSchema);
    const record = await chats.record(c.req.param("id"));
    const session = await fork(record, before);
    changed();
    return c.json({ session }, 201);
  });
  // Asks again from a message on: the conversation goes back to before it; files stay as they are.
  app.post("/:id/again", async (c) => {
    const { entry, text } = await bodyOf(c.req.raw, againSchema);
    const { id } = await chats.record(c.req.param("id"));
    const said = (await store.entries(id))[entry]?.data as LogData | undefined;
    if (said?.kind !== "user") throw new Failure("INVALID_INPUT", "Name a message of the person.");
    await chats.rewind(id, entry, "conversation");
    const { attachments } = said;
    await chats.say(id, { text: text ?? said.text, ...(attachments && { attachments }) });
    return c.json({}, 202);
  });
  app.get("/:id/export", async (c) => {
    const format = z.enum(exportFormats).safeParse(c.req.query("format") ?? "md");
    if (!format.success) throw new Failure("INVALID_INPUT", `The formats: ${exportFormats.join(", ")}.`);
    const record = await known(c.req.param("id"));
    return attachment(await exportSession(record, await wield.sessions.log(record.id), format.data));
  });
  app.get("/:id/attachments/:entry/:index", async (c) => {
    const { id, entry, index } = c.req.param();
    const at = /^\d{1,9}$/.test(entry) ? Number(entry) : -1;
    const data = (await store.entries((await known(id)).id))[at]?.data as LogData | undefined;
    const attached =
      data?.kind === "user" && /^\d{1,3}$/.test(index) ? data.attachments?.[Number(index)] : undefined;
    if (!attached) throw new Failure("FILE_NOT_FOUND", "This message has no such attachment.");
    const bytes = "text" in attached ? Buffer.from(attached.text) : Buffer.from(attached.base64, "base64");
    return attachment({ name: attached.name, bytes });
  });
  return app;
}
