import { Hono } from "hono";
import { z } from "zod";
import { profileNames, profiles } from "../agent/profiles.ts";
import type { StatusView } from "../api/api.ts";
import type { ChangeView } from "../api/changes.ts";
import type { ModelsView } from "../api/sessions.ts";
import type { SkillsView, SkillTextView, StatsView, ToolView } from "../api/tools.ts";
import type { Wield } from "../app/wield.ts";
import { modeTexts, permissionModes } from "../approval/modes.ts";
import { discoveryTools } from "../discovery/switches.ts";
import { Failure } from "../failure/failure.ts";
import { requireKnown } from "../model/known-models.ts";
import { inputSchemaOf } from "../registry/registry.ts";
import { visibleLine } from "../text/visible.ts";
import type { ApprovalQueue } from "./approval-queue.ts";
import { approvalRoutes } from "./approval-routes.ts";
import { attachment } from "./attachment.ts";
import { answerErrors, bodyOf } from "./body.ts";
import { callView } from "./call-view.ts";
import { chatRoutes, modelName, type OpenFolder } from "./chat-routes.ts";
import type { Chats } from "./chats.ts";
import type { CodeIndex } from "./code-index.ts";
import { costRoutes } from "./cost-routes.ts";
import { documentRoutes } from "./document-routes.ts";
import type { Feed } from "./feed.ts";
import { keyRoutes } from "./key-routes.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { processRoutes } from "./process-routes.ts";
import type { QuestionQueue } from "./question-queue.ts";
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
  openFolder: OpenFolder;
  /** A folder that no longer exists: what runs there is stopped, and its pages learn of it. */
  leaveFolder(folder: string): Promise<void>;
  /** The addresses on the local network; undefined: reachable from this machine only. */
  lan(): string[] | undefined;
}

const modelSchema = z.strictObject({ model: modelName });
const reverseAnySchema = z.strictObject({
  tool: z.enum(["undo", "redo"]),
  input: z.union([
    z.strictObject({ changeId: z.union([z.string(), z.array(z.string()).min(1).max(1000)]) }),
    z.strictObject({ steps: z.int().min(1).max(100) }),
  ]),
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
  const settingsChanged = () => feed.announce("settings-change");
  app.route("/", chatRoutes(wield, chats, parts.openFolder));
  app.route(
    "/",
    approvalRoutes(wield, approvals, questions, () => feed.announce("approvals-change")),
  );
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

const problemsOf = (wield: Wield) => wield.tools.problems().map(visibleLine);

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
