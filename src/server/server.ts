import { randomBytes } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { createWield, type Wield, type WieldOptions } from "../app/wield.ts";
import { Failure } from "../events/failure.ts";
import { ApprovalDesk } from "./approval-desk.ts";
import { Chats } from "./chats.ts";
import { Feed, type FeedLimits } from "./feed.ts";
import { judgeRequest, type Refusal } from "./guard.ts";
import { builtPage, isPublic, pageRoutes } from "./page.ts";
import { apiRoutes } from "./routes.ts";

export interface ServerOptions {
  /** Everything but who is asked: that is the page. */
  wield: Omit<WieldOptions, "asker" | "approve">;
  /** 0, the default: any free port. */
  port?: number;
  /** Answers /mcp, with the same guard before it as everything else. */
  mcp?: (wield: Wield) => (request: Request) => Response | Promise<Response>;
  feed?: Partial<FeedLimits>;
}

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  token: string;
  /** The page with its token. In the fragment it is never sent anywhere, nor written to a log. */
  address: string;
  wield: Wield;
  close(): Promise<void>;
}

const loopback = "127.0.0.1";

/** One process, one folder, any number of pages and sessions; on this machine only. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const feed = new Feed(options.feed);
  const desk = new ApprovalDesk({
    toolOf: (name) => wield.registry.get(name),
    sessionOf: (callId) => chats.sessionOf(callId),
    changed: () => feed.announce("approvals-change"),
  });
  const wield = await createWield({ ...options.wield, asker: desk.asker });
  const chats = new Chats(wield, feed);

  const app = new Hono();
  app.route("/api", apiRoutes({ wield, chats, desk, feed }));
  const mcp = options.mcp?.(wield);
  if (mcp) app.all("/mcp", (c) => mcp(c.req.raw));
  app.route("/", pageRoutes(builtPage()));

  const token = randomBytes(32).toString("base64url");
  const hosts = new Set<string>();
  const listener = getRequestListener(app.fetch);
  const http = createServer((request, response) => {
    const refusal = judgeRequest(request, { hosts, token, isPublic });
    setCommonHeaders(response);
    if (refusal) refuse(response, refusal);
    else void listener(request, response);
  });
  const port = await listen(http, options.port ?? 0).catch((error: unknown) => {
    wield.close();
    throw error;
  });
  for (const name of [loopback, "localhost"]) hosts.add(`${name}:${port}`);
  const origin = `http://${loopback}:${port}`;
  return {
    origin,
    token,
    address: `${origin}/#token=${token}`,
    wield,
    close: async () => {
      await chats.close();
      feed.close();
      http.close();
      http.closeAllConnections();
      wield.close();
    },
  };
}

function setCommonHeaders(response: ServerResponse): void {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
}

/** The connection ends with it: what follows on it is not worth reading. */
function refuse(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ error: { code: "PERMISSION_DENIED", message } }));
}

function listen(http: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  http.once("error", (error: NodeJS.ErrnoException) =>
    reject(
      error.code === "EADDRINUSE"
        ? new Failure("CONFLICT", `Port ${port} is in use. Choose another with --port.`)
        : error,
    ),
  );
  http.listen(port, loopback, () => resolve((http.address() as AddressInfo).port));
  return promise;
}
