import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { testWield } from "../testing/testing.ts";

const program = join(import.meta.dirname, "wield.ts");
export const answerWithinMs = 60_000;

interface Message {
  id?: unknown;
  method?: unknown;
  result?: { sessionId?: string; isError?: boolean };
  error?: unknown;
}

/** A command as a process: an error that nothing catches, or a promise that nobody awaits, ends it and is seen. */
export async function startCommand(args: string[], files: Record<string, string> = {}) {
  const place = await testWield({ "a.txt": "one\n", ...files });
  const child = spawn(process.execPath, [program, ...args], { cwd: place.root, env: place.env });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  // A process that ended takes no more input: that is seen by its end.
  child.stdin.on("error", () => undefined);
  return {
    child,
    root: place.root,
    ended: () =>
      child.exitCode === null && child.signalCode === null
        ? undefined
        : `the process ended with ${child.exitCode ?? child.signalCode}: ${said}`,
    close: async () => {
      await kill(child);
      await place.close();
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** A command that speaks JSON-RPC, one message a line. */
export async function startPeer(args: string[], files?: Record<string, string>) {
  const command = await startCommand(args, files);
  const waiting = new Map<unknown, (answer: Message) => void>();
  const faults: string[] = [];
  let rest = "";
  const send = (line: string | Uint8Array) => void command.child.stdin.write(line);
  command.child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) see(line);
  });
  const see = (line: string) => {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      faults.push(`no message on its standard output: ${line.slice(0, 500)}`);
      return;
    }
    if (message.method === undefined) waiting.get(message.id)?.(message);
    else if (message.id !== undefined)
      send(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "no" } })}\n`);
  };
  const answerTo = (id: unknown): Promise<Message | undefined> => {
    const { promise, resolve } = Promise.withResolvers<Message | undefined>();
    if (command.ended()) resolve(undefined);
    const timer = setTimeout(() => resolve(undefined), answerWithinMs);
    const end = () => resolve(undefined);
    command.child.once("exit", end);
    waiting.set(id, resolve);
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(id);
      command.child.off("exit", end);
    });
  };
  const request = (id: string, method: string, params: unknown) => {
    send(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answerTo(id);
  };
  const faultsNow = () => faults.splice(0);
  return { ...command, send, request, answerTo, faultsNow };
}

export type Peer = Awaited<ReturnType<typeof startPeer>>;
