import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";

/** A fetch handler on a real port of 127.0.0.1, behind Host and Origin checks like those of the real server. */
export async function listen(
  handler: (request: Request) => Promise<Response>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const request = requestOf(incoming, outgoing);
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    Promise.resolve(refused ?? handler(request)).then(
      (response) => send(response, outgoing),
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** For a program that must be told its port. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const { method = "GET" } = incoming;
  return new Request(`http://${incoming.headers.host ?? "missing"}${incoming.url}`, {
    method,
    headers,
    signal: gone.signal,
    ...(method !== "GET" &&
      method !== "HEAD" && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
  });
}

function send(response: Response, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (!response.body) {
    outgoing.end();
    return;
  }
  const body = Readable.fromWeb(response.body);
  body.on("error", () => outgoing.destroy());
  outgoing.on("close", () => body.destroy());
  body.pipe(outgoing);
}
