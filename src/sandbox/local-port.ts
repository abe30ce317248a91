import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Scratch } from "../process/scratch.ts";
import { listenAt } from "./listen-at.ts";

export interface OpenPort extends AsyncDisposable {
  /** A unix socket whose connections lead to the port. */
  readonly path: string;
}

/** A server on this machine: `localhost` or one loopback address, and its port. */
export interface LocalAddress {
  host: string;
  port: number;
  /** How it is reached, where it is no port of the machine: a server in another run. */
  connect?: () => Socket;
  /** Asked for every connection: the rule that opened it may be gone. */
  isOpen?: () => boolean;
}

/** A way from inside a run to one address on the loopback of this machine, and to nothing else. */
export async function openLocalPort({ host, port, connect: reach, isOpen }: LocalAddress): Promise<OpenPort> {
  const scratch = new Scratch();
  const path = join(scratch.path, "port");
  // An address is taken as it is; only the name stands for both addresses of this machine.
  const { server, close } = leading(() =>
    isOpen?.() === false
      ? undefined
      : (reach?.() ?? connect({ host, port, autoSelectFamily: true, lookup: onlyLoopback })),
  );
  await listenAt(server, path);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await close();
      scratch[Symbol.dispose]();
    },
  };
}

/**
 * The other direction: a server inside a run, made available on the loopback of this machine, at its own port or a
 * free one.
 */
export async function openOnMachine(
  port: number,
  reach: () => Socket,
): Promise<{ port: number; close(): Promise<void> }> {
  const { server, close } = leading(reach);
  const listen = (wanted: number) =>
    new Promise<number>((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  return { port: await listen(port).catch(() => listen(0)), close };
}

/** A server that forwards its connections, or closes them if there is no target. */
function leading(reach: () => Socket | undefined): { server: Server; close(): Promise<void> } {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = reach();
    if (!far) {
      near.destroy();
      return;
    }
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one
        .on("error", () => other.destroy())
        .on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, close };
}

/** No name service is asked: this is this machine. */
function onlyLoopback(
  _host: string,
  options: { all?: boolean | undefined },
  done: (error: null, address: string | { address: string; family: number }[], family?: number) => void,
): void {
  if (options.all)
    done(null, [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]);
  else done(null, "127.0.0.1", 4);
}
