import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { withSwitch } from "../app/settings.ts";
import type { Wield } from "../app/wield.ts";
import { ruleSchema } from "../approval/rules.ts";
import { discoveryTools } from "../discovery/switches.ts";
import type {
  CallView,
  ChangeView,
  DocumentView,
  SettingsView,
  StatsView,
  StatusView,
  ToolView,
} from "../events/api.ts";
import { type ErrorCode, Failure } from "../events/failure.ts";
import { inputSchemaOf } from "../registry/registry.ts";
import { failureOf } from "../tool/result.ts";
import { type ApprovalDesk, answerSchema } from "./approval-desk.ts";
import type { Chats } from "./chats.ts";
import type { CodeIndex } from "./code-index.ts";
import type { Feed } from "./feed.ts";

export interface RouteParts {
  wield: Wield;
  chats: Chats;
  desk: ApprovalDesk;
  feed: Feed;
  index: CodeIndex;
}

const maxBody = 16 * 1024 * 1024;
const text = z.string().trim().min(1).max(200_000);
const chatSchema = z.strictObject({
  text,
  kind: z.enum(["coding", "explore"]).optional(),
  mode: z.enum(["quick", "medium", "thorough"]).optional(),
});
const settingsPatch = z.strictObject({
  model: z.string().min(1).nullable().optional(),
  steps: z.int().min(1).max(1000).optional(),
});

/** Everything a page can do, under /api. The guard has judged the request before it gets here. */
export function apiRoutes({ wield, chats, desk, feed, index }: RouteParts): Hono {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: maxBody, onError: () => tooLarge() }));
  app.onError((error, c) => {
    const { error: told } = failureOf(error);
    return c.json({ error: told }, statusOf[told.code as ErrorCode] ?? 500);
  });
  app.notFound((c) =>
    c.json({ error: { code: "FILE_NOT_FOUND", message: "There is no such address." } }, 404),
  );

  app.get("/status", async (c) => c.json(await statusOfHouse(wield)));
  app.get("/events", (c) =>
    c.body(feed.read(c.req.query("session"), c.req.header("last-event-id")), 200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
    }),
  );

  app.get("/sessions", (c) => c.json(chats.list(c.req.query("query") ?? "", 100)));
  app.post("/sessions", async (c) => {
    const { text: said, kind, mode } = await bodyOf(c.req.raw, chatSchema);
    const options = { ...(kind !== undefined && { kind }), ...(mode !== undefined && { mode }) };
    return c.json({ session: await chats.start(said, options) }, 201);
  });
  app.get("/sessions/:id", (c) => c.json(chats.view(c.req.param("id"))));
  app.post("/sessions/:id/messages", async (c) => {
    await chats.say(c.req.param("id"), (await bodyOf(c.req.raw, z.strictObject({ text }))).text);
    return c.json({}, 202);
  });
  app.post("/sessions/:id/resume", async (c) => {
    await chats.resume(c.req.param("id"));
    return c.json({}, 202);
  });
  app.post("/sessions/:id/stop", (c) => {
    chats.stop(c.req.param("id"));
    return c.json({}, 202);
  });

  app.get("/approvals", (c) => c.json(desk.list()));
  app.post("/approvals/:id", async (c) => {
    desk.answer(c.req.param("id"), await bodyOf(c.req.raw, answerSchema));
    return c.json({});
  });

  app.get("/tools", (c) => c.json(toolViews(wield)));
  app.get("/tools/ranking", async (c) => c.json(rankingOf(wield, c.req.query("query") ?? "")));
  app.post("/call", async (c) => {
    const { tool, input } = await bodyOf(c.req.raw, z.strictObject({ tool: z.string(), input: z.unknown() }));
    // Whoever leaves the page before the end does not want the call any more.
    const { details, ...outcome } = await wield.call(tool, input, { signal: c.req.raw.signal });
    return c.json({ ...outcome, record: details.record } satisfies CallView);
  });

  app.get("/changes", async (c) => {
    const before = c.req.query("before");
    return c.json((await wield.changes({ limit: 50, ...(before && { before }) })) satisfies ChangeView[]);
  });
  app.get("/stats", (c) => c.json(statistics(wield)));

  app.get("/index", async (c) => c.json(await index.view()));
  app.post("/index", async (c) => {
    await index.build();
    return c.json(await index.view());
  });
  app.get("/documents/:id", (c) => {
    const document = wield.store.documents(wield.workspace.root).read(c.req.param("id"));
    return c.json(document satisfies DocumentView);
  });

  app.get("/settings", (c) => c.json(settingsView(wield)));
  app.patch("/settings", async (c) => {
    const { model, steps } = await bodyOf(c.req.raw, settingsPatch);
    wield.changeSettings(({ model: known, ...settings }) => {
      const named = model === undefined ? known : (model ?? undefined);
      return {
        ...settings,
        ...(named !== undefined && { model: named }),
        ...(steps !== undefined && { agent: { ...settings.agent, steps } }),
      };
    });
    feed.announce("settings-change");
    return c.json(settingsView(wield));
  });
  app.post("/settings/switch", async (c) => {
    const { name, on } = await bodyOf(
      c.req.raw,
      z.strictObject({ name: z.string().min(1), on: z.boolean() }),
    );
    wield.changeSettings((settings) => withSwitch(settings, name, on ? "on" : "off"));
    feed.announce("settings-change");
    return c.json(settingsView(wield));
  });
  app.post("/settings/forget", async (c) => {
    wield.forget((await bodyOf(c.req.raw, z.strictObject({ rule: ruleSchema }))).rule);
    feed.announce("settings-change");
    return c.json(settingsView(wield));
  });
  return app;
}

const statusOf: Partial<Record<ErrorCode, 400 | 404 | 409 | 413 | 503>> = {
  INVALID_INPUT: 400,
  FILE_NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNAVAILABLE: 503,
};

function tooLarge(): never {
  throw new Failure("TOO_LARGE", `The request has more than ${maxBody} bytes.`);
}

async function bodyOf<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const json: unknown = await request.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) throw new Failure("INVALID_INPUT", "The body is not valid JSON.");
    throw error;
  });
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Failure("INVALID_INPUT", z.prettifyError(parsed.error));
}

async function statusOfHouse(wield: Wield): Promise<StatusView> {
  const { workspace, trusted } = wield;
  const version = process.env["WIELD_VERSION"] ?? "development";
  const common = { workspace: workspace.root, trusted, version };
  try {
    // An agent without a word said leaves no trace; it knows which model it would ask.
    return { ...common, model: (await wield.agent()).model, modelError: false };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...common, model: error.message, modelError: true };
  }
}

function toolViews(wield: Wield): ToolView[] {
  const on = new Set(wield.tools.map(({ name }) => name));
  return wield.registry.list().map((tool) => {
    const { name, title, description, category, loading, can, examples } = tool;
    const input = inputSchemaOf(tool);
    const locked = discoveryTools.has(name);
    return { name, title, description, category, loading, can, examples, on: on.has(name), locked, input };
  });
}

/** Names of tools for a wish in words, best first, as a model would find them. */
function rankingOf({ discovery }: Wield, query: string): string[] {
  return discovery.search(query, { limit: 20 }).map(({ name }) => name);
}

function statistics({ store }: Wield): StatsView {
  return { tools: store.statistics(), calls: store.calls({ limit: 1000 }) };
}

function settingsView(wield: Wield): SettingsView {
  const { model, agent, tools } = wield.settings();
  const { user, workspace, session } = wield.policy();
  return {
    model: model ?? null,
    steps: agent.steps,
    off: tools.off,
    on: tools.on,
    rules: { user: [...user], workspace: [...workspace.rules], session: [...session] },
  };
}
