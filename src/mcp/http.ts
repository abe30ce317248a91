import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { announceTools, type Mcp } from "./server.ts";

/** Does not check token, Host or Origin: the caller does. */
export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** A change to a large file is one request. */
const maxRequestBodySize = 16 * 1024 * 1024;
const maxSessions = 64;

/** Both protocols at one address: current clients are stateless, 2025 clients have sessions, in which they can be asked. */
export function serveMcpHttp(mcp: Mcp): McpHttp {
  const modern = createMcpHandler(({ era }) => mcp.build(era), { legacy: "reject", maxRequestBodySize });
  const stop = mcp.onToolsChange(() => modern.notify.toolsChanged());
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function fetchLegacy(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return open(request);
    const session = sessions.get(id);
    if (!session) return sessionNotFound();
    // The map is ordered by last use.
    sessions.delete(id);
    sessions.set(id, session);
    return session.handleRequest(request);
  }

  async function open(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
    });
    transport.onclose = () => sessions.delete(transport.sessionId ?? "");
    const server = mcp.build("legacy");
    announceTools(mcp, server);
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await transport.close();
    await closeLeastUsed();
    return response;
  }

  /** Removes the least recently used session: its client is probably gone; otherwise it starts a new one. */
  async function closeLeastUsed(): Promise<void> {
    for (const session of [...sessions.values()].slice(0, -maxSessions)) await session.close();
  }

  return {
    fetch: async (request) =>
      (await isLegacyRequest(request, undefined, { maxRequestBodySize }))
        ? fetchLegacy(request)
        : modern.fetch(request),
    close: async () => {
      stop();
      await modern.close();
      for (const session of [...sessions.values()]) await session.close();
      await mcp.close();
    },
  };
}

function sessionNotFound(): Response {
  const error = { code: -32001, message: "Session not found" };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
}
