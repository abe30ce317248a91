// 10,000 messages through one server, each with a call of a tool: listeners, open files and memory must stay flat. The
// server is a process of its own; messages come over HTTP, twenty to a session, eight sessions at once.
import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../src/server/server.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { verdict } from "./measure.ts";

const messages = Number(process.env["MESSAGES"] ?? 10_000);
const samples = 10;
const perSession = 20;
const atOnce = 8;
const megabyte = 1024 * 1024;

interface Sample {
  listeners: number;
  files: number;
  heap: number;
  rss: number;
}

if (process.argv[2] === "serve") await serve(process.argv[3] ?? "");
else await measure();

async function measure(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "wield-bench-"));
  mkdirSync(join(home, "workspace"));
  writeFileSync(join(home, "workspace", "a.txt"), "a line\n".repeat(50));
  const child = fork(import.meta.filename, ["serve", home], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv: ["--expose-gc"],
  });
  try {
    const { origin, token } = await answerOf<{ origin: string; token: string }>(child, "ready");
    const ended = endings(child);
    const post = async (path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const response = await fetch(`${origin}/api${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { session?: string };
    };
    const runChat = async (count: number) => {
      const { session = "" } = await post("/sessions", { text: "message 0" });
      await ended(session);
      for (let index = 1; index < count; index++) {
        await post(`/sessions/${session}/messages`, { text: `message ${index}` });
        await ended(session);
      }
    };
    const taken: Sample[] = [];
    console.log("messages  listeners  open files      heap       rss");
    for (let sample = 1; sample <= samples; sample++) {
      let sessions = messages / samples / perSession;
      const work = async () => {
        while (sessions-- > 0) await runChat(perSession);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      child.send("sample");
      const now = await answerOf<Sample>(child, "sample");
      taken.push(now);
      const columns = [(sample * messages) / samples, now.listeners, now.files, mb(now.heap), mb(now.rss)];
      console.log(columns.map((value, at) => String(value).padStart([8, 11, 12, 10, 10][at] ?? 0)).join(""));
    }
    const [, first = taken[0]] = taken;
    const last = taken.at(-1);
    if (!first || !last) throw new Error("nothing was measured");
    const more = (key: keyof Sample) => last[key] - first[key];
    verdict(`listeners grew by ${more("listeners")}`, "0", more("listeners") === 0);
    verdict(`open files grew by ${more("files")}`, "≤ 8 (connections)", more("files") <= atOnce);
    verdict(`heap grew by ${mb(more("heap"))}`, "< 16 MB", more("heap") < 16 * megabyte);
  } finally {
    child.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Waits for the end of a session's next run, or takes one that came already. */
function endings(child: ChildProcess): (session: string) => Promise<void> {
  const came = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  child.on("message", ({ ended }: { ended?: string }) => {
    if (ended === undefined) return;
    const resolve = waiting.get(ended);
    waiting.delete(ended);
    if (resolve) resolve();
    else came.set(ended, (came.get(ended) ?? 0) + 1);
  });
  return (session) => {
    const count = came.get(session) ?? 0;
    came.delete(session);
    if (count > 0) return Promise.resolve();
    return new Promise((resolve) => waiting.set(session, resolve));
  };
}

function answerOf<T>(child: ChildProcess, key: string): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const listener = (message: Record<string, T>) => {
    if (message[key] === undefined) return;
    child.off("message", listener);
    resolve(message[key]);
  };
  child.on("message", listener);
  return promise;
}

function mb(bytes: number): string {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}

async function serve(home: string): Promise<void> {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", WIELD_MODEL: "offline" };
  const server = await startServer({ wield: { workspace: join(home, "workspace"), env } });
  const { wield } = server;
  const { agent } = wield;
  wield.agent = (given) => {
    const calls = [{ tool: "read_file", input: { path: "a.txt" } }];
    return agent({ ...given, model: scriptedModel([{ calls }, { say: "Read." }]) });
  };
  wield.on((event) => {
    // The run is over for the server one turn later.
    if (event.type === "run-end") setImmediate(() => process.send?.({ ended: event.session }));
  });
  process.on("message", () => {
    (globalThis as { gc?: () => void }).gc?.();
    const { heapUsed: heap, rss } = process.memoryUsage();
    const files = readdirSync("/proc/self/fd").length;
    process.send?.({ sample: { listeners: wield.listenerCount(), files, heap, rss } satisfies Sample });
  });
  process.send?.({ ready: { origin: server.origin, token: server.token } });
}
