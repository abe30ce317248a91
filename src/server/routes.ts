import { Hono } from "hono";
import { z } from "zod";
import { profileNames, profiles } from "../agent/profiles.ts";
import type { StatusView } from "../api/api.ts";
import type { AskView, LeftPreviewView, OpenView } from "../api/approvals.ts";
import type { ChangeView } from "../api/changes.ts";
import type { ModelsView, ReportView, SessionModelView, SessionModeView } from "../api/sessions.ts";
import type { CallView, SkillsView, SkillTextView, StatsView, ToolView } from "../api/tools.ts";
import type { Wield } from "../app/wield.ts";
import { modeTexts, permissionModes } from "../approval/modes.ts";
import { discoveryTools } from "../discovery/switches.ts";
import { Failure } from "../failure/failure.ts";
import { efforts } from "../model/effort.ts";
import { requireKnown } from "../model/known-models.ts";
import { inputSchemaOf } from "../registry/registry.ts";
import type { CallOutcome } from "../runtime/runtime.ts";
import type { PendingApproval } from "../store/store.ts";
import { visibleLine } from "../text/visible.ts";
import { type ApprovalQueue, answerSchema, versionOf } from "./approval-queue.ts";
import { attachment } from "./attachment.ts";
import { answerErrors, bodyOf } from "./body.ts";
import type { Chats, MessageOptions } from "./chats.ts";
import type { CodeIndex } from "./code-index.ts";
import { costRoutes } from "./cost-routes.ts";
import { documentRoutes } from "./document-routes.ts";
import type { Feed } from "./feed.ts";
import { keyRoutes } from "./key-routes.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { messageFields, messageIn, requireContent } from "./message-body.ts";
import { processRoutes } from "./process-routes.ts";
import { type QuestionQueue, questionAnswerSchema } from "./question-queue.ts";
import { reverseByPerson } from "./reverse.ts";
import { rewindRoutes } from "./rewind-routes.ts";
import { ruleRoutes } from "./rule-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { storageRoutes } from "./storage-routes.ts";
import { worktreeRoutes } from "./worktree-routes.ts";

export interface RouteParts {
  wield: Wield;
  chats: Chats;
  approvals: ApprovalQueue;
  questions: QuestionQueue;
  feed: Feed;
  index: CodeIndex;
  /** Serves another folder from this process, too; the address that opens it in a browser. `begin`: starts a chat there. */
  openFolder(folder: string, host: string, begin?: (chats: Chats) => Promise<string>): Promise<OpenedFolder>;
  /** A folder that no longer exists: what runs there is stopped, and its pages learn of it. */
  leaveFolder(folder: string): Promise<void>;
  /** The addresses on the local network; undefined: reachable from this machine only. */
  lan(): string[] | undefined;
}

export interface OpenedFolder {
  address: string;
  /** The chat that was started there. */
  session?: string;
}

const mode = z.enum(["quick", "medium", "thorough"]).optional();
const profile = z.enum(profileNames).optional();
const effort = z.enum(efforts).optional();
const model = z.string().trim().min(1).max(500);
const modelSchema = z.strictObject({ model });
const modeSchema = z.strictObject({ mode: z.enum(permissionModes) });
const chatSchema = z
  .strictObject({
    ...{ ...messageFields, profile, mode, effort, model: model.optional() },
    /** In a worktree of its own: of this name, or of any. */
    worktree: z.strictObject({ name: z.string().max(100).optional() }).optional(),
  })
  .refine(...requireContent);
const messageSchema = z.strictObject({ ...messageFields, profile, mode, effort }).refine(...requireContent);
const reverseSchema = z.strictObject({
  tool: z.enum(["undo", "redo"]),
  changeId: z.array(z.string()).min(1).max(1000),
});
const reverseAnySchema = z.strictObject({
  tool: z.enum(["undo", "redo"]),
  input: z.union([
    z.strictObject({ changeId: z.union([z.string(), z.array(z.string()).min(1).max(1000)]) }),
    z.strictObject({ steps: z.int().min(1).max(100) }),
  ]),
});
const leftSchema = z.strictObject({
  approved: z.boolean(),
  reason: z.string().max(2000).optional(),
  /** For an answer that was given to an earlier process: the version that was shown. */
  version: z.string().max(100).optional(),
});

/** What the page of a worktree that has ended can still ask for: what happened, and the way to its repository. */
const afterTheEnd: ReadonlySet<string> = new Set(["GET /status", "GET /events", "POST /folders"]);

/** The API of the page, under /api. The guard has already checked the request. */
export function apiRoutes(parts: RouteParts): Hono {
  const { wield, chats, approvals, questions, feed, index } = parts;
  const app = answerErrors(new Hono());
  app.notFound((c) => c.json({ error: { code: "FILE_NOT_FOUND", message: "Not found." } }, 404));

  app.use(async (c, next) => {
    const end = wield.worktree && wield.worktrees.endOf(wield.worktree);
    if (end && !afterTheEnd.has(`${c.req.method} ${c.req.path.replace(/^\/api/, "")}`))
      throw new Failure("CONFLICT", `${end} Open the repository instead: ${wield.project}`);
    await next();
  });
  app.get("/status", async (c) => c.json(await statusOf(wield, parts.lan())));
  app.get("/events", (c) =>
    c.body(feed.read(c.req.query("session"), c.req.header("last-event-id")), 200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
    }),
  );

  app.get("/sessions", async (c) =>
    c.json(await chats.list(c.req.query("query") ?? "", 200, c.req.query("folders") === "all")),
  );
  app.post("/sessions", async (c) => {
    const body = await bodyOf(c.req.raw, chatSchema);
    const options = { ...given(body), ...(body.model && { model: body.model }) };
    const begin = (where: Chats) => where.start(messageIn(body), options);
    if (!body.worktree) return c.json({ session: await begin(chats) }, 201);
    const { worktree } = await wield.worktrees.open(body.worktree.name || undefined);
    return c.json(await parts.openFolder(worktree.folder, c.req.header("host") ?? "", begin), 201);
  });
  app.get("/sessions/:id", async (c) => c.json(await chats.view(c.req.param("id"))));
  app.post("/sessions/:id/messages", async (c) => {
    const body = await bodyOf(c.req.raw, messageSchema);
    await chats.say(c.req.param("id"), messageIn(body), given(body));
    return c.json({}, 202);
  });
  app.get("/sessions/:id/queue", async (c) => c.json(await chats.queued(c.req.param("id"))));
  app.post("/sessions/:id/queue", async (c) => {
    const body = await bodyOf(c.req.raw, messageSchema);
    await chats.queue(c.req.param("id"), messageIn(body), given(body));
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

  app.post("/folders", async (c) => {
    const { folder } = await bodyOf(c.req.raw, z.strictObject({ folder: z.string().min(1).max(4096) }));
    // Only where the person has worked before.
    const [known] = await wield.store.sessions({ workspace: folder, limit: 1 });
    if (!known && folder !== wield.project)
      throw new Failure("FILE_NOT_FOUND", "There is no chat in this folder.");
    return c.json(await parts.openFolder(folder, c.req.header("host") ?? ""));
  });

  app.get("/models", async (c) => c.json({ names: (await wield.models()).names } satisfies ModelsView));
  app.post("/models", async (c) => {
    const { model: wanted } = await bodyOf(c.req.raw, modelSchema);
    requireKnown(wanted, await wield.models());
    await wield.agent({ model: wanted });
    return c.json({});
  });

  app.get("/files", async (c) => {
    const { signal } = c.req.raw;
    return c.json(await wield.findPaths((c.req.query("query") ?? "").slice(0, 200), { signal }));
  });

  app.get("/approvals", async (c) => c.json(await openView(wield, approvals, questions)));
  app.post("/approvals/:id", async (c) => {
    approvals.answer(c.req.param("id"), await bodyOf(c.req.raw, answerSchema));
    return c.json({});
  });
  app.get("/approvals/left/:id", async (c) => {
    const { files = [], notes = [] } = (await wield.approvals.preview(c.req.param("id"))) ?? {};
    return c.json({ files, notes: notes.map(visibleLine) } satisfies LeftPreviewView);
  });
  app.post("/approvals/left/:id", async (c) => {
    const { approved, reason, version } = await bodyOf(c.req.raw, leftSchema);
    const id = c.req.param("id");
    const left = (await leftOpen(wield, await approvals.list())).find((pending) => pending.id === id);
    if (!left) throw new Failure("CONFLICT", "This request is no longer pending: it was answered elsewhere.");
    if (version !== undefined && version !== versionOf(left))
      throw new Failure("CONFLICT", "This request has changed since: it was asked again. Look at it again.");
    const outcome = await wield.approvals.answer(id, { approved, ...(reason !== undefined && { reason }) });
    feed.announce("approvals-change");
    return c.json(callView(outcome));
  });
  app.post("/questions/:id", async (c) => {
    questions.answer(c.req.param("id"), await bodyOf(c.req.raw, questionAnswerSchema));
    return c.json({});
  });

  app.get("/tools", async (c) => c.json(await toolViews(wield)));
  app.get("/tools/ranking", async (c) => c.json(rankingOf(wield, c.req.query("query") ?? "")));
  app.get("/skills", async (c) => {
    const { skills } = wield.tools;
    const problems = (await skills.problems()).map(visibleLine);
    return c.json({ skills: await skills.list(), problems } satisfies SkillsView);
  });
  app.get("/skills/:name", async (c) => {
    const { skill, content } = await wield.tools.skills.read(c.req.param("name"), c.req.query("file"));
    return c.json({ ...skill, content } satisfies SkillTextView);
  });
  app.post("/call", async (c) => {
    const { tool, input } = await bodyOf(c.req.raw, z.strictObject({ tool: z.string(), input: z.unknown() }));
    // Leaving the page cancels the call.
    return c.json(callView(await wield.callAny(tool, input, { signal: c.req.raw.signal, byPerson: true })));
  });

  app.get("/calls/:id/files/:index", async (c) => {
    const index = /^\d{1,6}$/.test(c.req.param("index")) ? Number(c.req.param("index")) : -1;
    const call = await wield.store.call(c.req.param("id"));
    const session = call && (await wield.store.session(call.session));
    // The store holds calls of all folders; calls that a person made themselves belong to no session.
    const isHere = call && (session === undefined || session.workspace === wield.workspace.root);
    const file = isHere ? await wield.store.files().read(call.id, index) : undefined;
    if (!file) throw new Failure("FILE_NOT_FOUND", "This file is no longer kept.");
    return attachment(file);
  });

  app.get("/changes", async (c) => {
    const before = c.req.query("before");
    return c.json(
      (await wield.changes.list({ limit: 50, ...(before && { before }) })) satisfies ChangeView[],
    );
  });
  app.post("/changes/reverse", async (c) => {
    const { tool, input } = await bodyOf(c.req.raw, reverseAnySchema);
    return c.json(callView(await reverseByPerson(wield, tool, input, c.req.raw.signal)));
  });
  app.get("/stats", async (c) => c.json(await statistics(wield)));

  app.get("/index", async (c) => c.json(await index.view()));
  app.post("/index", async (c) => {
    await index.build();
    return c.json(await index.view());
  });
  app.get("/sessions/:id/context", (c) => c.json(chats.contextOf(c.req.param("id"))));
  const settingsChanged = () => feed.announce("settings-change");
  app.route("/rules", ruleRoutes(wield, settingsChanged));
  app.route("/mcp-servers", mcpRoutes(wield, settingsChanged));
  app.route("/sessions", rewindRoutes(wield, chats));
  app.route("/sessions", processRoutes(wield));
  app.route(
    "/worktrees",
    worktreeRoutes(wield, async (folder) => {
      feed.announce("sessions-change");
      await parts.leaveFolder(folder);
    }),
  );
  app.route("/", costRoutes(wield));
  app.route(
    "/keys",
    keyRoutes(wield, () => feed.announce("settings-change")),
  );
  app.route(
    "/sessions",
    sessionRoutes(wield, chats, () => feed.announce("sessions-change")),
  );
  app.route(
    "/documents",
    documentRoutes(wield, chats, () => feed.announce("documents-change")),
  );
  app.route(
    "/storage",
    storageRoutes(wield, () => feed.announce("sessions-change")),
  );
  app.route(
    "/settings",
    settingsRoutes(wield, () => feed.announce("settings-change")),
  );
  return app;
}

const profileViews = profileNames.map((known) => {
  const { name, label, hint } = profiles[known];
  return { name, label, hint };
});

const modeViews = permissionModes.map((name) => ({ name, ...modeTexts[name] }));

async function statusOf(wield: Wield, lan: string[] | undefined): Promise<StatusView> {
  const { workspace } = wield;
  const { trusted } = wield.settings;
  const version = process.env["WIELD_VERSION"] ?? "development";
  const common = {
    ...{ workspace: workspace.root, trusted, version, profiles: profileViews },
    ...{ permissionModes: modeViews, permissionMode: wield.settings.mode() },
    ...(lan && { lan }),
    ...(wield.worktree && { worktree: wield.worktree }),
  };
  const worktreeEnd = wield.worktree && wield.worktrees.endOf(wield.worktree);
  if (worktreeEnd !== undefined)
    return { ...common, worktreeEnd, model: worktreeEnd, modelError: true, problems: [] };
  try {
    // Opening an agent stores nothing; it knows its model.
    const { model } = await wield.agent();
    return { ...common, model, modelError: false, problems: problemsOf(wield) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...common, model: error.message, modelError: true, problems: problemsOf(wield) };
  }
}

/** How the page wants the agent to work, without what it left out. */
function given({ profile, mode, effort }: z.output<typeof messageSchema>): MessageOptions {
  return { ...(profile && { profile }), ...(mode && { mode }), ...(effort && { effort }) };
}

const problemsOf = (wield: Wield) => wield.tools.problems().map(visibleLine);

/** Everything that waits for a person: requests and questions of this process, and requests that an earlier process left pending. */
async function openView(wield: Wield, approvals: ApprovalQueue, questions: QuestionQueue): Promise<OpenView> {
  const asks = await approvals.list();
  return {
    asks,
    questions: questions.list(),
    left: (await leftOpen(wield, asks)).map(({ id, tool, args, reason, at }) => ({
      id,
      tool,
      args,
      reason,
      at,
    })),
  };
}

/** Requests that are not asked by this process. */
async function leftOpen(wield: Wield, asks: readonly AskView[]): Promise<PendingApproval[]> {
  const here = new Set(asks.map(({ callId }) => callId));
  return (await wield.approvals.pending()).filter(({ id }) => !here.has(id));
}

function callView({ details, ...outcome }: CallOutcome): CallView {
  return { ...outcome, record: details.record, files: details.files };
}

async function toolViews(wield: Wield): Promise<ToolView[]> {
  const on = new Set(wield.tools.list().map(({ name }) => name));
  const { favourites } = wield.settings.user().tools;
  const often = new Map((await wield.tools.favouritesToPropose()).map(({ tool, calls }) => [tool, calls]));
  return wield.tools.registry.list().map((tool) => {
    const { name, title, description, category, loading, can, examples } = tool;
    const input = inputSchemaOf(tool);
    const locked = discoveryTools.has(name);
    const uses = often.get(name);
    return {
      ...{ name, title, description, category, loading, can, examples, input, locked },
      on: on.has(name),
      pinned: favourites.includes(name),
      ...(uses !== undefined && { proposed: uses }),
    };
  });
}

/** Tool names for a query, best first, as a model would find them. */
function rankingOf({ tools }: Wield, query: string): string[] {
  return tools.discovery.search(query, { limit: 20 }).map(({ name }) => name);
}

async function statistics({ store }: Wield): Promise<StatsView> {
  return { tools: await store.statistics(), calls: await store.calls({ limit: 1000 }) };
}
