import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { addAbortSignal, type Duplex, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Failure } from "../../failure/failure.ts";
import { localOrigin } from "../../text/local-origin.ts";
import type { Guard } from "../guard.ts";
import { asFailure } from "../transport.ts";

/**
 * The browser's only network access: it resolves no names and opens no connections itself, so requests of pages,
 * frames, workers, sockets and prefetches are all checked by the guard.
 */
export interface GuardedProxy {
  /** For `--proxy-server`. */
  readonly server: string;
  close(): Promise<void>;
}

/** Hosts that Chromium contacts regardless of its switches and that no page needs: updates, hints, form data. */
const services: ReadonlySet<string> = new Set([
  "update.googleapis.com",
  "content-autofill.googleapis.com",
  "optimizationguide-pa.googleapis.com",
  "clientservices.googleapis.com",
  "safebrowsing.googleapis.com",
  "safebrowsingohttpgateway.googleapis.com",
  "edgedl.me.gvt1.com",
  "redirector.gvt1.com",
  "android.clients.google.com",
  // The host for sign-in requests, set when Chromium starts.
  "accounts.invalid",
]);

/** The most bytes that one connection carries to the browser, so an endless page ends. */
const maxBytes = 64_000_000;

/** `onFailure` is called for every failed request with the reason. */
export async function startProxy(
  guard: Guard,
  onFailure: (url: string, failure: Failure) => void,
): Promise<GuardedProxy> {
  const stop = new AbortController();
  const server = createServer();
  const sockets = new Set<Socket>();

  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("request", (incoming, response) => {
    const url = incoming.url ?? "";
    if (services.has(URL.parse(url)?.hostname ?? "")) {
      response.writeHead(403).end();
      return;
    }
    forward(guard, url, incoming, response, stop.signal).catch((thrown) => {
      const failure = asFailure(thrown, url);
      onFailure(url, failure);
      if (!response.headersSent) response.writeHead(failure.code === "URL_NOT_ALLOWED" ? 403 : 502);
      response.end(failure.message);
    });
  });
  server.on("connect", (incoming, client, head) => {
    if (services.has((incoming.url ?? "").replace(/:\d+$/, ""))) {
      client.on("error", () => client.destroy());
      client.end("HTTP/1.1 403 Refused\r\n\r\n");
      return;
    }
    const url = tunnelUrl(guard, incoming.url ?? "");
    tunnel(guard, url, client, head, stop.signal).catch((thrown) => {
      const failure = asFailure(thrown, url);
      onFailure(url, failure);
      client.end(`HTTP/1.1 ${failure.code === "URL_NOT_ALLOWED" ? 403 : 502} Refused\r\n\r\n`);
    });
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      stop.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A web socket of a local server on http comes as a tunnel too: its origin is the one that was opened. */
function tunnelUrl(guard: Guard, place: string): string {
  const plain = URL.parse(`http://${place}/`)?.href ?? "";
  const secure = URL.parse(`https://${place}/`)?.href ?? "";
  if (place.endsWith(":80")) return plain;
  if (localOrigin(plain) === undefined) return secure;
  try {
    return guard.judge(plain).href;
  } catch {
    return secure;
  }
}

/** Plain http: the browser asks for the absolute URL, and each request on a kept connection is judged anew. */
async function forward(
  guard: Guard,
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const url = guard.judge(target);
  const socket = await guard.connect(url, signal);
  const answered = Promise.withResolvers<IncomingMessage>();
  const { "proxy-connection": _, ...kept } = incoming.headers;
  const outgoing = httpRequest({
    createConnection: () => socket,
    method: incoming.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...kept, host: url.host, connection: "close" },
    setHost: false,
    signal,
  });
  outgoing.on("response", answered.resolve);
  outgoing.on("error", answered.reject);
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
  const answer = await answered.promise;
  response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
  await pipeline(answer, capped(), response);
}

/** https and web sockets: a tunnel to the checked host; its contents are not inspected. */
async function tunnel(
  guard: Guard,
  target: string,
  client: Duplex,
  head: Buffer,
  signal: AbortSignal,
): Promise<void> {
  client.on("error", () => client.destroy());
  const socket = addAbortSignal(signal, await guard.connect(guard.judge(target), signal));
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  socket.write(head);
  const away = pipeline(client, socket, { signal });
  const back = pipeline(socket, capped(), client, { signal });
  // Either side may close the connection at any time; this ends the tunnel.
  await Promise.allSettled([away, back]);
}

function capped(): Transform {
  let left = maxBytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new Error("The connection carried too much."));
      else done(null, chunk);
    },
  });
}
