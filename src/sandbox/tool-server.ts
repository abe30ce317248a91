import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { Scratch } from "../process/scratch.ts";
import { listenAt } from "./listen-at.ts";

/** Calls one of Wield's tools for code that runs inside, through the runtime like every call, approvals included. */
export type CallTool = (
  tool: string,
  input: unknown,
  signal: AbortSignal,
  session?: string,
) => Promise<{ ok: boolean; text: string }>;

export interface ToolServer extends AsyncDisposable {
  /** A unix socket; see `wieldTool` for what is spoken on it. */
  readonly path: string;
}

export const toolPort = 3129;

/**
 * The command that code calls: `wield-tool read_file path=src/a.ts` or `wield-tool read_file '{"path":"src/a.ts"}'`.
 * It sends the number of its arguments and the arguments, each closed by NUL; back come an exit code and the text.
 */
export const wieldTool = `#!/bin/bash
if [ $# -eq 0 ]; then
  echo 'usage: wield-tool NAME [JSON | key=value ...]' >&2
  exit 2
fi
exec 3<>/dev/tcp/127.0.0.1/${toolPort} || exit 2
printf '%s\\0' "$#" "$@" >&3
read -r code <&3
if [ "$code" = 0 ]; then cat <&3; else cat <&3 >&2; fi
exit "\${code:-2}"
`;

const maxRequest = 4_000_000;

export async function startToolServer(call: CallTool): Promise<ToolServer> {
  const scratch = new Scratch();
  const path = join(scratch.path, "tools");
  const over = new AbortController();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    serve(socket, call, over.signal).catch((error: unknown) => answer(socket, 2, String(error)));
  });
  await listenAt(server, path);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      over.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      scratch[Symbol.dispose]();
    },
  };
}

async function serve(socket: Socket, call: CallTool, signal: AbortSignal): Promise<void> {
  const [tool = "", ...args] = await readArguments(socket);
  const input = inputFrom(args);
  if (input === undefined) return answer(socket, 2, "The input is neither JSON nor a list of key=value.");
  const { ok, text } = await call(tool, input, signal);
  answer(socket, ok ? 0 : 1, text);
}

function answer(socket: Socket, code: number, text: string): void {
  socket.end(`${code}\n${text}\n`);
}

async function readArguments(socket: Socket): Promise<string[]> {
  let text = "";
  for await (const chunk of socket.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.length > maxRequest) throw new Error("the request is too long");
    const [count = "", ...words] = text.split("\0");
    if (words.length > Number(count)) return words.slice(0, Number(count));
  }
  throw new Error("the request was cut off");
}

/** Values that read as JSON are taken as such: numbers, flags, lists; everything else is text. */
function inputFrom(args: readonly string[]): unknown {
  const [first = ""] = args;
  if (args.length === 1 && first.trimStart().startsWith("{")) return parsed(first);
  const pairs = args.map((arg) => /^([^=]+)=(.*)$/s.exec(arg));
  if (pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(
    pairs.flatMap((pair) => (pair ? [[pair[1] ?? "", parsed(pair[2] ?? "") ?? pair[2]]] : [])),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
