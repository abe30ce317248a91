import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { Scratch } from "../process/scratch.ts";
import { serverName } from "./client-hello.ts";
import { listenAt } from "./listen-at.ts";
import type { Connection } from "./sandbox.ts";

/** Resolves a name once, checks every address, and connects to a checked one; throws when any is not public. */
export type Dial = (host: string, port: number) => Promise<Socket>;

export interface RunningProxy extends AsyncDisposable {
  /** A unix socket that speaks HTTP proxy. */
  readonly path: string;
  readonly connections: readonly Connection[];
}

const maxHello = 16_384;

/** The only way out of a run with an allowlist: named hosts, ports 80 and 443, every request judged for itself. */
export async function startProxy(hosts: readonly string[], dial: Dial): Promise<RunningProxy> {
  const scratch = new Scratch();
  const path = join(scratch.path, "proxy");
  const connections: Connection[] = [];
  const sockets = new Set<Duplex>();

  const open = async (host: string, port: number): Promise<Socket> => {
    const note = (allowed: boolean, reason: string) => connections.push({ host, port, allowed, reason });
    const objection = reasonToRefuse(host, port, hosts);
    if (objection) {
      note(false, objection);
      throw new Error(objection);
    }
    try {
      const socket = await dial(host, port);
      note(true, "on the list");
      sockets.add(socket);
      return socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    } catch (error) {
      note(false, error instanceof Error ? error.message : String(error));
      throw error;
    }
  };

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, open).catch((error: unknown) => refuse(outgoing, error));
  });
  server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    sockets.add(client);
    client.on("close", () => sockets.delete(client)).on("error", () => client.destroy());
    tunnel(incoming.url ?? "", client, head, open, (host, port, reason) =>
      connections.push({ host, port, allowed: false, reason }),
    ).catch((error: unknown) => client.end(`HTTP/1.1 403 Forbidden\r\n\r\n${messageOf(error)}\n`));
  });
  await listenAt(server, path);

  return {
    path,
    connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      scratch[Symbol.dispose]();
    },
  };
}

/** Why this address may not be reached, or undefined. Names are plain ASCII, so they cannot be read in two ways. */
export function reasonToRefuse(host: string, port: number, hosts: readonly string[]): string | undefined {
  const name = host.toLowerCase();
  if (!/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(name) || /^[0-9.]+$/.test(name)) {
    return `${JSON.stringify(host)} is not a host name`;
  }
  if (port !== 80 && port !== 443) return `port ${port} is not 80 or 443`;
  const listed = hosts.some((entry) =>
    entry.startsWith("*.") && entry.length > 2
      ? name.endsWith(entry.slice(1).toLowerCase())
      : name === entry.toLowerCase(),
  );
  return listed ? undefined : `${name} is not on the list of allowed hosts (${hosts.join(", ")})`;
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, open: Dial): Promise<void> {
  const url = URL.parse(incoming.url ?? "");
  if (url?.protocol !== "http:" || url.username !== "" || url.password !== "") {
    throw new Error("only http:// addresses are forwarded; use CONNECT for https");
  }
  const socket = await open(url.hostname, url.port === "" ? 80 : Number(url.port));
  const { "proxy-connection": _, "proxy-authorization": __, ...headers } = incoming.headers;
  const onward = request({
    method: incoming.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, connection: "close" },
    createConnection: () => socket,
  });
  onward.on("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on("error", (error) => refuse(outgoing, error));
  incoming.pipe(onward);
}

/** Opens a tunnel for TLS, and only for TLS that asks for the very host that was judged. */
async function tunnel(
  target: string,
  client: Duplex,
  head: Buffer,
  open: Dial,
  deny: (host: string, port: number, reason: string) => void,
): Promise<void> {
  const [, host = "", digits = ""] = /^([^:]+):(\d{1,5})$/.exec(target) ?? [];
  const port = Number(digits);
  const upstream = await open(host, port);
  client.on("close", () => upstream.destroy());
  upstream.on("close", () => client.destroy());
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  let hello = head;
  const judge = () => {
    const name = hello.length > maxHello ? null : serverName(hello);
    if (name === undefined) return;
    client.off("data", collect);
    if (name !== host.toLowerCase()) {
      deny(host, port, name === null ? "not TLS with a server name" : `TLS asked for ${name} instead`);
      client.destroy();
      return;
    }
    upstream.write(hello);
    client.pipe(upstream).pipe(client);
  };
  const collect = (chunk: Buffer) => {
    hello = Buffer.concat([hello, chunk]);
    judge();
  };
  client.on("data", collect);
  judge();
}

function refuse(outgoing: ServerResponse, error: unknown): void {
  if (!outgoing.headersSent) outgoing.writeHead(403, { "content-type": "text/plain" });
  outgoing.end(`${messageOf(error)}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
