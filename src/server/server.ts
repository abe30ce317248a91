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
import { Feed, type FeedLimits } from "./feed.ts";
import { judgeRequest } from "./guard.ts";
import { listen, refuse } from "./http-server.ts";
import { keptTokens, mcpTokenAt, newTokens, PairedDevices } from "./kept-tokens.ts";
import { type LanListener, listenOnLan } from "./lan.ts";
import { builtPage, isPublic, pageRoutes } from "./page.ts";
import { Pairing, type PairingEvent, pairingPaths, pairingRoutes } from "./pairing.ts";
import { QuestionQueue } from "./question-queue.ts";
import { apiRoutes, type RouteParts } from "./routes.ts";
import { TokenExchange, tokenExchangePaths, tokenExchangeRoutes } from "./token-exchange.ts";

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
  /** Serves the page on these addresses of the local network, too, with TLS; a device gets in with a code of `lan.code()`. */
  lan?: { addresses: readonly string[]; port?: number; onPairing(event: PairingEvent): void };
}

/** The folders that one process serves. */
type Served = Map<string, Promise<RunningServer>>;

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** The token of the page: anyone who has it can act as the person. */
  token: string;
  /** The token of MCP clients, valid at /mcp only: they cannot answer the page's requests. */
  mcpToken: string;
  /** The page with its token. In the fragment it is never sent anywhere, nor written to a log. */
  address: string;
  /** An address for the browser: with a code instead of the token, valid once and for seconds. */
  signInAddress(): string;
  /** On the local network, where that was asked for. */
  lan?: Pick<LanListener, "origins" | "fingerprint"> & {
    /** A new pairing code: for one device and five minutes. */
    code(): string;
    /** The address for a browser that came to this `host:port`. */
    signInAddress(host: string): string;
  };
  /** False in a checkout whose page was not built yet. */
  hasPage: boolean;
  wield: Wield;
  chats: Chats;
  /** Open pages ask for the status again, which says that the folder is gone. */
  announceEnd(): void;
  close(): Promise<void>;
}

const loopback = "127.0.0.1";
const mcpPath = "/mcp";

/** One process, one folder, any number of tabs and sessions; reachable from this machine only, unless `lan` says otherwise. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const served: Served = new Map();
  const server = await serveFolder(options, served);
  served.set(server.wield.workspace.root, Promise.resolve(server));
  return {
    ...server,
    close: async () => {
      for (const each of served.values())
        await each.then(
          ({ close }) => close(),
          () => undefined,
        );
    },
  };
}

async function serveFolder(options: ServerOptions, served: Served): Promise<RunningServer> {
  const feed = new Feed(options.feed);
  const approvals = new ApprovalQueue({
    toolOf: (name) => wield.tools.registry.get(name),
    chatOf: (callId) => chats.chatOf(callId),
    changed: () => feed.announce("approvals-change"),
  });
  const questions = new QuestionQueue(() => feed.announce("approvals-change"));
  const wield = await createWield({ ...options.wield, asker: approvals.asker, elicit: questions.elicit });
  const chats = new Chats(wield, feed, approvals.asker);

  const openFolder: RouteParts["openFolder"] = async (folder, host, begin) => {
    // A device of the network that opens a folder gets no key of it that would outlast this process.
    const { port: _, lan: given, tokens, ...same } = options;
    const lanOfOther = given && { lan: { addresses: given.addresses, onPairing: given.onPairing } };
    await setAsideEnded(folder, served);
    const other =
      served.get(folder) ??
      serveFolder(
        {
          ...same,
          ...(given ? lanOfOther : tokens && { tokens }),
          wield: { ...options.wield, workspace: folder },
        },
        served,
      );
    served.set(folder, other);
    other.catch(() => served.delete(folder));
    const { lan: there, signInAddress: enter, chats: chatsThere } = await other;
    const session = await begin?.(chatsThere);
    const address = there && !hosts.has(host) ? there.signInAddress(host) : enter();
    return { address, ...(session !== undefined && { session }) };
  };
  const leaveFolder: RouteParts["leaveFolder"] = async (folder) => {
    const there = await served.get(folder)?.catch(() => undefined);
    await there?.chats.close();
    // The page that ended the worktree knows.
    if (folder !== wield.workspace.root) there?.announceEnd();
  };
  const app = new Hono();
  const index = new CodeIndex(wield);
  app.route(
    "/api",
    apiRoutes({
      ...{ wield, chats, approvals, questions, feed, index, openFolder, leaveFolder },
      lan: () => lan?.origins,
    }),
  );
  // If a client cannot show forms, its requests appear on the page.
  const mcp = serveMcpHttp(createMcp(offered(wield, options.toolset ?? "workspace")));
  const { stateDir } = placesFrom(options.wield.env ?? process.env);
  const { page: token, mcp: mcpKey } =
    options.tokens === undefined
      ? newTokens()
      : keptTokens(stateDir, wield.workspace.root, { renew: options.tokens === "renewed" });
  const devices = new PairedDevices(options.tokens && { stateDir, root: wield.workspace.root });
  const exchange = new TokenExchange(token, devices);
  app.route("/", tokenExchangeRoutes(exchange));
  const page = builtPage();
  app.route("/", pageRoutes(page));

  const tokensFor = (path: string) => {
    if (tokenExchangePaths.has(path) || isPublic(path)) return undefined;
    return path === mcpPath
      ? [mcpTokenAt(mcpKey, port)]
      : [...exchange.tokens(), token, ...devices.list().map(({ key }) => key)];
  };
  const openLan = async ({ addresses, port: wanted = 0, onPairing }: NonNullable<ServerOptions["lan"]>) => {
    const pairing = new Pairing(onPairing, (from) => devices.add(from));
    const routes = new Hono().route("/", pairingRoutes(pairing)).route("/", app);
    const handle = getRequestListener(routes.fetch);
    const listening = await listenOnLan(
      { addresses, port: wanted, stateDir },
      (names) => (request, response) => {
        const needs = (path: string) =>
          pairingPaths.has(path) ? undefined : path === mcpPath ? [] : tokensFor(path);
        const refusal = judgeRequest(request, { scheme: "https", hosts: names, tokensFor: needs });
        setCommonHeaders(response);
        if (refusal) refuse(response, refusal);
        else void handle(request, response);
      },
    );
    return {
      ...listening,
      code: () => pairing.code(),
      signInAddress: (host: string) => {
        const [address = ""] = host.split(":");
        const at = listening.origins.find((each) => new URL(each).hostname === address);
        return `${at ?? listening.origins[0]}/#code=${exchange.code("a device that came from another folder")}`;
      },
    };
  };
  const hosts = new Set<string>();
  // MCP clients work on this machine: on the network there is no such path, however it is written.
  const local = new Hono().all(mcpPath, (c) => mcp.fetch(c.req.raw)).route("/", app);
  const listener = getRequestListener(local.fetch);
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
  const lan =
    options.lan &&
    (await openLan(options.lan).catch(async (error: unknown) => {
      http.close();
      await wield.close();
      throw error;
    }));
  return {
    origin,
    token,
    mcpToken: mcpTokenAt(mcpKey, port),
    hasPage: page !== undefined,
    address: `${origin}/#token=${token}`,
    ...(lan && { lan }),
    signInAddress: () => `${origin}/#code=${exchange.code()}`,
    wield,
    chats,
    announceEnd: () => feed.announce("settings-change"),
    close: async () => {
      index.close();
      await mcp.close();
      await chats.close();
      feed.close();
      lan?.close();
      http.close();
      http.closeAllConnections();
      await wield.close();
    },
  };
}

/** A later worktree in the same folder gets a server of its own; pages of the earlier one still learn what became of it. */
async function setAsideEnded(folder: string, served: Served): Promise<void> {
  const known = await served.get(folder)?.catch(() => undefined);
  const worktree = known?.wield.worktree;
  if (!known || !worktree || !known.wield.worktrees.endOf(worktree)) return;
  served.delete(folder);
  served.set(`${folder} of ${worktree.at}`, Promise.resolve(known));
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
    endClient: wield.endClient,
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
