import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { readUIMessageStream } from "ai";
import { onTestFinished } from "vitest";
import type { PageEvent } from "../api/api.ts";
import type { AskView, OpenView } from "../api/approvals.ts";
import type { ChatChunk, ChatMessage } from "../api/chat.ts";
import type { SessionView } from "../api/sessions.ts";
import type { ToolError } from "../failure/failure.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { type RunningServer, type ServerOptions, startServer } from "./server.ts";

export interface TestServer extends RunningServer {
  root: string;
  /** What another process on the same folder would have. */
  env: Record<string, string>;
  port: number;
  read(path: string): string;
  write(path: string, content: string): void;
  /** A request as the page makes it; a failure is an error with the server's words. */
  api<T = unknown>(path: string, body?: unknown, method?: string): Promise<T>;
  status(path: string, init?: RequestInit): Promise<number>;
  /** The only open ask, once there is one. */
  asked(): Promise<AskView>;
  ended(session: string): Promise<SessionView>;
}

interface TestServerOptions extends Omit<Partial<ServerOptions>, "wield"> {
  wield?: Partial<ServerOptions["wield"]>;
  model?: LanguageModelV4;
  /** Keys and addresses of providers, in the place of the offline model. */
  env?: Record<string, string>;
}

/** A real server on a folder of its own; nothing of the machine is read or changed. */
export async function testServer(
  files: Record<string, string> = {},
  options: TestServerOptions = {},
): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), "wield-server-"));
  const root = join(home, "workspace");
  mkdirSync(root);
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const { model, env: keys = { WIELD_MODEL: "offline" }, ...others } = options;
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", ...keys };
  const server = await startServer({ ...others, wield: { workspace: root, env, ...options.wield } });
  if (model) {
    const { agent } = server.wield;
    server.wield.agent = (given) => agent({ ...given, model });
  }
  onTestFinished(async () => {
    await server.close();
    removeFolder(home);
  });
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const api = async <T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST") => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${server.origin}/api${path}`, init);
    const json: unknown = await response.json();
    if (response.ok) return json as T;
    const { error } = json as { error: ToolError };
    throw new Error(`${response.status} ${error.code}: ${error.message}`);
  };
  return {
    ...server,
    root,
    env,
    port: Number(new URL(server.origin).port),
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    api,
    status: async (path, init) => (await fetch(`${server.origin}${path}`, init)).status,
    asked: async () => {
      const stream = await openStream(server);
      try {
        for (;;) {
          const { asks } = await api<OpenView>("/approvals");
          if (asks[0]) return asks[0];
          await stream.next((event) => event.type === "approvals-change");
        }
      } finally {
        await stream.close();
      }
    },
    ended: async (session) => {
      const stream = await openStream(server);
      try {
        for (;;) {
          const view = await api<SessionView>(`/sessions/${session}`);
          if (!view.session.running) return view;
          await stream.next((event) => event.type === "sessions-change");
        }
      } finally {
        await stream.close();
      }
    },
  };
}

export interface EventStream {
  /** Ids of events so far, newest last. */
  ids: string[];
  events: PageEvent[];
  /** The next event that fits. */
  next(fits: (event: PageEvent) => boolean): Promise<PageEvent>;
  close(): Promise<void>;
}

export async function openStream(
  { origin, token }: Pick<RunningServer, "origin" | "token">,
  session?: string,
  after?: string,
): Promise<EventStream> {
  const response = await fetch(`${origin}/api/events${session === undefined ? "" : `?session=${session}`}`, {
    headers: { authorization: `Bearer ${token}`, ...(after !== undefined && { "last-event-id": after }) },
  });
  if (!response.body) throw new Error(`no stream: ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const ids: string[] = [];
  const events: PageEvent[] = [];
  let rest = "";
  let looked = 0;
  const more = async () => {
    const { value, done } = await reader.read();
    if (done) throw new Error("the stream ended");
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const [, id = "", data] = /^id: (\S+)\ndata: (.*)$/s.exec(part) ?? [];
      if (data === undefined) continue;
      ids.push(id);
      events.push(JSON.parse(data));
    }
  };
  // The first bytes say that the reader is in its place.
  await more();
  return {
    ids,
    events,
    next: async (fits) => {
      for (;;) {
        for (; looked < events.length; looked++) {
          const event = events[looked];
          if (event && fits(event)) {
            looked++;
            return event;
          }
        }
        await more();
      }
    },
    close: () => reader.cancel(),
  };
}

/** What the AI SDK makes of a stream. */
export async function messageOf(chunks: readonly ChatChunk[]): Promise<ChatMessage> {
  let message: ChatMessage | undefined;
  // Its parts are taken from the chunks, and changed.
  const stream = ReadableStream.from(structuredClone(chunks));
  for await (const next of readUIMessageStream<ChatMessage>({ stream, terminateOnError: true }))
    message = next;
  if (!message) throw new Error("no message in the stream");
  return message;
}

export interface EventConnection {
  /** For a browser context: all that it asks of the server goes through this cable. */
  proxy: { server: string; bypass: string };
  /** All connections at once, in the middle of whatever they carry. */
  cut(): void;
  /** Cuts all connections, and accepts no other until it is plugged in again. */
  unplug(): void;
  /** Into the server, or into another one, which takes its place under the same address. */
  plugInto(server: Pick<RunningServer, "origin" | "token">): void;
}

/** A connection to the server that can be cut, as no browser offers it. */
export async function connectEvents({ origin }: Pick<RunningServer, "origin">): Promise<EventConnection> {
  const own = new URL(origin).host;
  let to: string | undefined = own;
  let tokenThere: string | undefined;
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    if (to === undefined) return near.destroy();
    const there = to;
    const token = tokenThere;
    const far = connect(Number(there.split(":")[1]), "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (chunk) => {
      // A proxy is asked with the whole address; a server must hear its own name (both have five digits) and its own token.
      const asked = chunk
        .toString("latin1")
        .replace(/^([A-Z]+) http:\/\/[\d.:]+/, "$1 ")
        .replaceAll(own, there);
      const signed = token === undefined ? asked : asked.replace(/(?<=Bearer )[\w-]+/i, token);
      far.write(signed, "latin1");
    });
    far.on("data", (chunk) => near.write(chunk));
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    proxy: { server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, bypass: "<-loopback>" },
    cut,
    unplug: () => {
      to = undefined;
      cut();
    },
    plugInto: (other) => {
      to = new URL(other.origin).host;
      tokenThere = to === own ? undefined : other.token;
    },
  };
}

/** Bytes as they are, for requests that no well-behaved client makes; the status of the answer. */
export function rawRequest(port: number, lines: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setTimeout(60_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk) => {
      answer += chunk;
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      if (status === undefined) return;
      socket.destroy();
      resolve(Number(status));
    });
    socket.on("error", reject);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  });
}
