// The local server under load, in a process of its own, on one machine with its readers: 200 sessions that stream and call
// tools at once, then 1,000 readers that never read. Delays are from the model's word to the reader's line; both clocks are one.
import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { startServer } from "../src/server/server.ts";
import { quantile, verdict } from "./measure.ts";

const sessions = 200;
const wordsPerStep = 40;
const steps = 3;
const msPerWord = 50;
const slowReaders = 1000;
const floodWords = 300;
const megabyte = 1024 * 1024;

if (process.argv[2] === "serve") await serve(process.argv[3] ?? "");
else await measure();

interface Ready {
  origin: string;
  token: string;
}

async function measure(): Promise<void> {
  await withServer(streaming);
  const alone = await withServer((child, ready) => flooded(child, ready, 0));
  const read = await withServer((child, ready) => flooded(child, ready, slowReaders));
  console.log(
    `\nmemory when all are connected and after each of three floods of ${floodWords} words of 10 KB`,
  );
  console.log(`  nobody reads                 ${alone.map(mb).join(", ")}`);
  console.log(`  ${slowReaders} readers that never read ${read.map(mb).join(", ")}`);
  const growth = (memories: readonly number[]) => (memories.at(-1) ?? 0) - (memories[1] ?? 0);
  const more = growth(read) - growth(alone);
  verdict(`readers add ${mb(more)} from the first flood to the last`, "< 64 MB", more < 64 * megabyte);
  verdict(`memory ${mb(Math.max(...read))}`, "< 600 MB", Math.max(...read) < 600 * megabyte);
}

async function withServer<T>(work: (child: ChildProcess, ready: Ready) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "wield-bench-"));
  mkdirSync(join(home, "workspace"));
  writeFileSync(join(home, "workspace", "a.txt"), "a line\n".repeat(50));
  const child = fork(import.meta.filename, ["serve", home], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    return await work(child, await message<Ready>(child));
  } finally {
    child.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

async function streaming(child: ChildProcess, ready: Ready): Promise<void> {
  const before = await memory(child);
  const delays: number[] = [];
  const started = performance.now();
  const words = await Promise.all(
    Array.from({ length: sessions }, async () => {
      const { session } = (await post(ready, "/sessions", { text: "stream" })) as { session: string };
      return follow(ready, session, delays);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const expected = wordsPerStep * steps;
  const lost = words.filter((count) => count !== expected).length;
  const { peak } = await memory(child);
  delays.sort((a, b) => a - b);
  console.log(
    `\n${sessions} sessions, ${steps} steps of ${wordsPerStep} words and a tool call each, ${Math.round((sessions * expected) / seconds)} words a second`,
  );
  console.log(
    `  delay p50 ${quantile(delays, 0.5).toFixed(0)} ms  p95 ${quantile(delays, 0.95).toFixed(0)} ms`,
  );
  verdict(`p95 delay ${quantile(delays, 0.95).toFixed(0)} ms`, "< 250 ms", quantile(delays, 0.95) < 250);
  verdict(`peak memory ${mb(peak)} (idle ${mb(before.rss)})`, "< 600 MB", peak < 600 * megabyte);
  verdict(`${lost} sessions with a lost or doubled word`, "0", lost === 0);
}

/** Memory before and after each of three floods in a session that so many follow without ever reading. */
async function flooded(child: ChildProcess, ready: Ready, readers: number): Promise<number[]> {
  const { session } = (await post(ready, "/sessions", { text: "hello" })) as { session: string };
  const sockets: Socket[] = [];
  while (sockets.length < readers) {
    const more = Array.from({ length: Math.min(50, readers - sockets.length) }, () =>
      deafReader(ready, session),
    );
    sockets.push(...(await Promise.all(more)));
  }
  const after = [(await memory(child)).rss];
  for (let round = 0; round < 3; round++) {
    await ended(ready, session);
    await post(ready, `/sessions/${session}/messages`, { text: "flood" });
    await ended(ready, session);
    after.push((await memory(child)).rss);
  }
  for (const socket of sockets) socket.destroy();
  return after;
}

/** Words of the session as they come, each carrying the time it was said and its number. */
async function follow(ready: Ready, session: string, delays: number[]): Promise<number> {
  const view = (await get(ready, `/sessions/${session}`)) as {
    cursor: string;
    messages: { parts: { type: string; text?: string }[] }[];
    chunks?: { type: string; delta?: string }[];
  };
  const seen = new Set<string>();
  const take = (text: string) => {
    for (const [, number = "", at] of text.matchAll(/#(\d+\.\d+)@(\d+) /g)) {
      seen.add(number);
      if (at) delays.push(Date.now() - Number(at));
    }
  };
  const said = [
    ...view.messages.flatMap(({ parts }) => parts.map(({ text = "" }) => text)),
    ...(view.chunks ?? []).map(({ delta = "" }) => delta),
  ];
  for (const [, number = ""] of said.join("").matchAll(/#(\d+\.\d+)@/g)) seen.add(number);
  if (!view.chunks) return seen.size;
  const response = await open(ready, `/events?session=${session}`, { "last-event-id": view.cursor });
  let rest = "";
  for await (const chunk of response.setEncoding("utf8")) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.slice(part.indexOf("data: ") + 6);
      if (data.startsWith('{"type":"chunk"') && data.includes('"text-delta"'))
        take((JSON.parse(data) as { chunk: { delta: string } }).chunk.delta);
      if (data.includes('"type":"finish"')) {
        response.destroy();
        return seen.size;
      }
    }
  }
  return seen.size;
}

function deafReader({ origin, token }: Ready, session: string): Promise<Socket> {
  const { port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(Number(port), "127.0.0.1", () => {
    const lines = [
      `GET /api/events?session=${session} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    socket.once("readable", () => {
      socket.pause();
      resolve(socket);
    });
  });
  socket.on("error", reject);
  return promise;
}

/** Asked of the list: the session itself holds everything that was said. */
async function ended(ready: Ready, session: string): Promise<void> {
  for (;;) {
    const list = (await get(ready, "/sessions")) as { id: string; running: boolean }[];
    if (list.some(({ id, running }) => id === session && !running)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function open(
  { origin, token }: Ready,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}`, ...headers } };
    httpRequest(`${origin}/api${path}`, options, resolve).on("error", reject).end();
  });
}

async function get({ origin, token }: Ready, path: string): Promise<unknown> {
  return (await fetch(`${origin}/api${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
}

async function post({ origin, token }: Ready, path: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (
    await fetch(`${origin}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  ).json();
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`the server ended with ${code}`));
    child.once("exit", gone);
    child.once("message", (value) => {
      child.off("exit", gone);
      resolve(value as T);
    });
  });
}

function memory(child: ChildProcess): Promise<{ rss: number; peak: number }> {
  child.send("memory");
  return message(child);
}

function mb(bytes: number): string {
  return `${Math.round(bytes / megabyte)} MB`;
}

/** The other process: a server whose model speaks at a steady pace, or as fast as it is listened to. */
async function serve(home: string): Promise<void> {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", WIELD_MODEL: "offline" };
  const server = await startServer({ wield: { workspace: join(home, "workspace"), env } });
  const { agent } = server.wield;
  const model = speakingModel();
  server.wield.agent = (given) => agent({ ...given, model });
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  setInterval(look, 100);
  process.on("message", () => {
    look();
    process.send?.({ rss: process.memoryUsage.rss(), peak });
    peak = 0;
  });
  process.send?.({ origin: server.origin, token: server.token } satisfies Ready);
}

function speakingModel(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("only streams")),
    doStream: async ({ prompt }) => {
      const asked = prompt.findLast(({ role }) => role === "user")?.content;
      const question = Array.isArray(asked) && asked[0]?.type === "text" ? asked[0].text : "";
      const step = prompt.filter(({ role }) => role === "tool").length;
      return { stream: ReadableStream.from(speak(question, step)) };
    },
  };
}

async function* speak(question: string, step: number): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "text-start", id: "t" };
  const flood = question === "flood";
  const count = flood ? floodWords : question === "stream" ? wordsPerStep : 1;
  const filling = "x".repeat(10_000);
  for (let word = 0; word < count; word++) {
    if (!flood) await new Promise((resolve) => setTimeout(resolve, msPerWord));
    else if (word % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    yield { type: "text-delta", id: "t", delta: flood ? filling : `#${step}.${word}@${Date.now()} ` };
  }
  yield { type: "text-end", id: "t" };
  const more = question === "stream" && step < steps - 1;
  if (more)
    yield {
      type: "tool-call",
      toolCallId: `c${step}`,
      toolName: "read_file",
      input: JSON.stringify({ path: "a.txt", startLine: step + 1 }),
    };
  const reason = more ? ("tool-calls" as const) : ("stop" as const);
  yield {
    type: "finish",
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 10, text: 10, reasoning: 0 },
    },
  };
}
