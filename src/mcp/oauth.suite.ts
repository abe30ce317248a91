import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
// @ts-expect-error: the package has no types.
import Provider from "oidc-provider";

/** A real authorization server and an MCP server behind it, both on this machine. */
export interface GuardedServer {
  /** Of the MCP server. */
  url: string;
  issuer: string;
  /** What came to the token endpoint: the grant types, in order. */
  grants: string[];
  /** How many clients registered themselves. */
  registered(): number;
  /** No token that was given so far is accepted any more. */
  expireTokens(): void;
  /** Neither are refresh tokens. */
  revokeAll(): void;
  close(): Promise<void>;
}

export async function guardedServer(): Promise<GuardedServer> {
  const accepted = new Set<string>();
  const grants: string[] = [];
  let registrations = 0;
  let revoked = false;
  const resource = createServer();
  const authority = createServer();
  const url = `${await listen(resource)}/mcp`;
  const issuer = await listen(authority);

  const provider = new Provider(issuer, {
    clients: [],
    features: {
      registration: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => url,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: "tools", accessTokenFormat: "opaque", accessTokenTTL: 3600 }),
      },
    },
    scopes: ["openid", "offline_access", "tools"],
    clientDefaults: { token_endpoint_auth_method: "none" },
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: { AccessToken: 3600, RefreshToken: 3600, Grant: 3600, Session: 3600, Interaction: 3600 },
    cookies: { keys: [randomUUID()] },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  provider.on("access_token.saved", (token: { jti: string }) => accepted.add(token.jti));
  provider.on("registration_create.success", () => registrations++);
  provider.use(
    async (
      ctx: { path: string; oidc?: { params?: { grant_type?: string } }; status: number; body: unknown },
      next: () => Promise<void>,
    ) => {
      if (revoked && ctx.path === "/token") {
        ctx.status = 400;
        ctx.body = { error: "invalid_grant" };
        return;
      }
      await next();
      if (ctx.path === "/token") grants.push(ctx.oidc?.params?.grant_type ?? "");
    },
  );
  authority.on("request", provider.callback());

  const mcp = createMcpHandler(() => {
    const server = new McpServer({ name: "guarded", version: "1" });
    server.registerTool("whoami", { description: "Says who asks." }, () => ({
      content: [{ type: "text", text: "a guest with a token" }],
    }));
    return server;
  });
  resource.on("request", async (request, response) => {
    const send = (status: number, body: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    if (request.url?.startsWith("/.well-known/oauth-protected-resource"))
      return send(200, { resource: url, authorization_servers: [issuer], scopes_supported: ["tools"] });
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!accepted.has(token)) {
      const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`;
      return send(
        401,
        { error: "invalid_token" },
        { "www-authenticate": `Bearer resource_metadata="${metadata}", scope="tools"` },
      );
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answered = await mcp.fetch(
      new Request(url, {
        method: request.method ?? "GET",
        headers: request.headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }),
    );
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (!answered.body) return response.end();
    // A stream of news stays open as long as the client wants it.
    Readable.fromWeb(answered.body as ReadableStream).pipe(response);
  });
  return {
    ...{ url, issuer, grants },
    registered: () => registrations,
    expireTokens: () => accepted.clear(),
    revokeAll: () => {
      accepted.clear();
      revoked = true;
    },
    close: async () => {
      for (const server of [resource, authority]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
