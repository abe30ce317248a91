import { Hono } from "hono";
import { z } from "zod";
import type { PersonMessage } from "../agent/attachments.ts";
import { profileNames } from "../agent/profiles.ts";
import type { CommandView, ReportView, SessionModelView, SessionModeView } from "../api/sessions.ts";
import { messageFor } from "../app/own-commands.ts";
import type { Wield } from "../app/wield.ts";
import { permissionModes } from "../approval/modes.ts";
import { efforts } from "../model/effort.ts";
import { attachment } from "./attachment.ts";
import { bodyOf } from "./body.ts";
import { callView } from "./call-view.ts";
import type { Chats, MessageOptions } from "./chats.ts";
import { messageFields, messageIn, requireContent } from "./message-body.ts";

export const modelName = z.string().trim().min(1).max(500);

const thoroughness = z.enum(["quick", "medium", "thorough"]).optional();
const profile = z.enum(profileNames).optional();
const effort = z.enum(efforts).optional();
const modelSchema = z.strictObject({ model: modelName });
const modeSchema = z.strictObject({ mode: z.enum(permissionModes) });
const chatSchema = z
  .strictObject({
    ...{ ...messageFields, profile, thoroughness, effort, model: modelName.optional() },
    /** In a worktree of its own: of this name, or of any. */
    worktree: z.strictObject({ name: z.string().max(100).optional() }).optional(),
  })
  .refine(...requireContent);
const messageSchema = z
  .strictObject({ ...messageFields, profile, thoroughness, effort })
  .refine(...requireContent);
const reverseSchema = z.strictObject({
  tool: z.enum(["undo", "redo"]),
  changeId: z.array(z.string()).min(1).max(1000),
});

export interface OpenedFolder {
  address: string;
  /** The chat that was started there. */
  session?: string;
}

/** Serves another folder from this process, too; the address that opens it in a browser. `begin`: starts a chat there. */
export type OpenFolder = (
  folder: string,
  host: string,
  begin?: (chats: Chats) => Promise<string>,
) => Promise<OpenedFolder>;

/** Chats: what is said in them, how the agent works, what it changed. */
export function chatRoutes(wield: Wield, chats: Chats, openFolder: OpenFolder): Hono {
  const app = new Hono();
  app.get("/sessions", async (c) =>
    c.json(await chats.list(c.req.query("query") ?? "", 200, c.req.query("folders") === "all")),
  );
  app.post("/sessions", async (c) => {
    const body = await bodyOf(c.req.raw, chatSchema);
    const options = { ...given(body), ...(body.model && { model: body.model }) };
    const said = await saidIn(wield, body);
    const begin = (where: Chats) => where.start(said, options);
    if (!body.worktree) return c.json({ session: await begin(chats) }, 201);
    const { worktree } = await wield.worktrees.open(body.worktree.name || undefined);
    return c.json(await openFolder(worktree.folder, c.req.header("host") ?? "", begin), 201);
  });
  app.get("/sessions/:id", async (c) => c.json(await chats.view(c.req.param("id"))));
  app.post("/sessions/:id/messages", async (c) => {
    const body = await bodyOf(c.req.raw, messageSchema);
    await chats.say(c.req.param("id"), await saidIn(wield, body), given(body));
    return c.json({}, 202);
  });
  app.get("/sessions/:id/queue", async (c) => c.json(await chats.queued(c.req.param("id"))));
  app.post("/sessions/:id/queue", async (c) => {
    const body = await bodyOf(c.req.raw, messageSchema);
    await chats.queue(c.req.param("id"), await saidIn(wield, body), given(body));
    return c.json({}, 202);
  });
  app.post("/sessions/:id/queue/:message/take", async (c) => {
    const { id, message } = c.req.param();
    return c.json(await chats.withdraw(id, message));
  });
  app.get("/sessions/:id/model", async (c) =>
    c.json({ model: await chats.modelOf(c.req.param("id")) } satisfies SessionModelView),
  );
  app.post("/sessions/:id/model", async (c) => {
    await chats.chooseModel(c.req.param("id"), (await bodyOf(c.req.raw, modelSchema)).model);
    return c.json({});
  });
  app.get("/sessions/:id/mode", async (c) =>
    c.json({ mode: await chats.modeOf(c.req.param("id")) } satisfies SessionModeView),
  );
  app.post("/sessions/:id/mode", async (c) => {
    await chats.setMode((await bodyOf(c.req.raw, modeSchema)).mode, c.req.param("id"));
    return c.json({});
  });
  app.post("/mode", async (c) => {
    await chats.setMode((await bodyOf(c.req.raw, modeSchema)).mode);
    return c.json({});
  });
  app.get("/sessions/:id/report", async (c) => {
    const { sessionReport } = await import("../app/session-report.ts");
    return attachment(await sessionReport(wield, c.req.param("id"), c.req.query("format") ?? "md"));
  });
  app.post("/sessions/:id/report", async (c) => {
    const { saveSessionReport } = await import("../app/session-report.ts");
    return c.json((await saveSessionReport(wield, c.req.param("id"))) satisfies ReportView, 201);
  });
  app.get("/sessions/:id/changes", async (c) => c.json(await chats.changes(c.req.param("id"))));
  app.get("/sessions/:id/changes/:call", async (c) => {
    const { id, call } = c.req.param();
    return c.json(await chats.changesOf(id, call));
  });
  app.post("/sessions/:id/reverse", async (c) => {
    const { tool, changeId } = await bodyOf(c.req.raw, reverseSchema);
    return c.json(callView(await chats.reverse(c.req.param("id"), tool, changeId, c.req.raw.signal)));
  });
  app.post("/sessions/:id/resume", async (c) => {
    await chats.resume(c.req.param("id"));
    return c.json({}, 202);
  });
  app.post("/sessions/:id/stop", (c) => {
    chats.stop(c.req.param("id"));
    return c.json({}, 202);
  });

  app.get("/sessions/:id/context", (c) => c.json(chats.contextOf(c.req.param("id"))));
  app.get("/commands", async (c) => {
    const commands = await wield.commands();
    return c.json(
      commands.map(({ name, description, from }) => ({
        name,
        description,
        ...(from !== undefined && { from }),
      })) satisfies CommandView[],
    );
  });
  return app;
}

/** How the page wants the agent to work, without what it left out. */
function given({ profile, thoroughness: mode, effort }: z.output<typeof messageSchema>): MessageOptions {
  return { ...(profile && { profile }), ...(mode && { mode }), ...(effort && { effort }) };
}

/** What the person says: `/name words` is the message that they keep under this name. */
async function saidIn(wield: Wield, body: Parameters<typeof messageIn>[0]): Promise<PersonMessage> {
  const said = messageIn(body);
  if (!said.text.startsWith("/")) return said;
  return { ...said, text: messageFor(said.text, await wield.commands()) ?? said.text };
}
