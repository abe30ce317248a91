import { createServer, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { placesFrom } from "../app/places.ts";
import { createWield, type Wield, type WieldOptions } from "../app/wield.ts";
import type { McpHost } from "../mcp/host.ts";
import { serveMcpHttp } from "../mcp/http.ts";
import { createMcp } from "../mcp/server.ts";
import { builtinNames, type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
import { ApprovalQueue } from "./approval-queue.ts";
import { Chats } from "./chats.ts";
import { CodeIndex } from "./code-index.ts";
import { Entrance, entrancePaths, entranceRoutes } from "./entrance.ts";
import { Feed, type FeedLimits } from "./feed.ts";
import { judgeRequest } from "./guard.ts";
import { listen, refuse } from "./http-server.ts";
import { keptTokens, newTokens } from "./kept-tokens.ts";
import { builtPage, isPublic, pageRoutes } from "./page.ts";
import { QuestionQueue } from "./question-queue.ts";
import { apiRoutes } from "./routes.ts";

export interface ServerOptions {
  /** Options of Wield, except for approval: that is the page's job. */
  wield: Omit<WieldOptions, "asker" | "approve" | "elicit">;
  /** Default: 0, any free port. */
  port?: number;
  /** The toolset for MCP clients at /mcp, in addition to added tools; default: workspace. */
  toolset?: ToolsetName;
  /** `kept`: those of an earlier process on this folder still hold. `renewed`: from now on these do. Default: of this process alone. */
  tokens?: "kept" | "renewed";
  feed?: Partial<FeedLimits>;
}

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** The token of the page: whoever has it acts as the person. */
  token: string;
  /** The token of MCP clients, valid at /mcp only: they cannot answer the page's requests. */
  mcpToken: string;
  /** The page with its token. In the fragment it is never sent anywhere, nor written to a log. */
  address: string;
  /** An address for the browser: with a code instead of the token, valid once and for seconds. */
  entrance(): string;
  /** False in a checkout whose page was not built yet. */
  hasPage: boolean;
  wield: Wield;
  close(): Promise<void>;
}

const loopback = "127.0.0.1";
const mcpPath = "/mcp";

/** One process, one folder, any number of tabs and sessions; reachable from this machine only. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const feed = new Feed(options.feed);
  const approvals = new ApprovalQueue({
    toolOf: (name) => wield.tools.registry.get(name),
    chatOf: (callId) => chats.chatOf(callId),
    changed: () => feed.announce("approvals-change"),
  });
  const questions = new QuestionQueue(() => feed.announce("approvals-change"));
  const wield = await createWield({ ...options.wield, asker: approvals.asker, elicit: questions.elicit });
  const chats = new Chats(wield, feed, approvals.asker);

  const others = new Map<string, Promise<RunningServer>>();
  const openFolder = async (folder: string) => {
    const { port: _, ...same } = options;
    const other =
      others.get(folder) ?? startServer({ ...same, wield: { ...options.wield, workspace: folder } });
    others.set(folder, other);
    other.catch(() => others.delete(folder));
    return (await other).entrance();
  };
  const app = new Hono();
  const index = new CodeIndex(wield);
  app.route("/api", apiRoutes({ wield, chats, approvals, questions, feed, index, openFolder }));
  // If a client cannot show forms, its requests appear on the page.
  const mcp = serveMcpHttp(createMcp(offered(wield, options.toolset ?? "workspace")));
  app.all(mcpPath, (c) => mcp.fetch(c.req.raw));
  const { stateDir } = placesFrom(options.wield.env ?? process.env);
  const { page: token, mcp: mcpToken } =
    options.tokens === undefined
      ? newTokens()
      : keptTokens(stateDir, wield.workspace.root, { renew: options.tokens === "renewed" });
  const entrance = new Entrance(token, newTokens().page);
  app.route("/", entranceRoutes(entrance));
  const page = builtPage();
  app.route("/", pageRoutes(page));

  const tokensFor = (path: string) => {
    if (entrancePaths.has(path) || isPublic(path)) return undefined;
    return path === mcpPath ? [mcpToken] : [entrance.token, token];
  };
  const hosts = new Set<string>();
  const listener = getRequestListener(app.fetch);
  const http = createServer((request, response) => {
    const refusal = judgeRequest(request, { hosts, tokensFor });
    setCommonHeaders(response);
    if (refusal) refuse(response, refusal);
    else void listener(request, response);
  });
  const port = await listen(http, options.port ?? 0, loopback).catch(async (error: unknown) => {
    await wield.close();
    throw error;
  });
  for (const name of [loopback, "localhost"]) hosts.add(`${name}:${port}`);
  const origin = `http://${loopback}:${port}`;
  return {
    origin,
    token,
    mcpToken,
    hasPage: page !== undefined,
    address: `${origin}/#token=${token}`,
    entrance: () => `${origin}/#code=${entrance.code()}`,
    wield,
    close: async () => {
      for (const other of others.values())
        await other.then(
          ({ close }) => close(),
          () => undefined,
        );
      index.close();
      await mcp.close();
      await chats.close();
      feed.close();
      http.close();
      http.closeAllConnections();
      await wield.close();
    },
  };
}

/** The tools of a toolset, and added tools: not two tools for one purpose. */
function offered(wield: Wield, toolset: ToolsetName): McpHost {
  const chosen: ReadonlySet<string> = new Set(toolsets[toolset]);
  const builtin: ReadonlySet<string> = new Set(builtinNames);
  return {
    tools: {
      list: () => wield.tools.list().filter(({ name }) => chosen.has(name) || !builtin.has(name)),
      refresh: wield.tools.refresh,
      registry: wield.tools.registry,
    },
    workspace: wield.workspace,
    settings: wield.settings,
    callAny: wield.callAny,
    callsInOrder: wield.callsInOrder,
    person: wield.person,
  };
}

function setCommonHeaders(response: ServerResponse): void {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
}
