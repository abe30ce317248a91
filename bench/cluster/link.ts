import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "../../scripts/local-postgres.ts";

/** Between a worker and Postgres: can stop carrying anything without closing a connection. */
export class Link {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async open(target: number, at?: number): Promise<Link> {
    const port = at ?? (await freePort());
    const server = createServer({ allowHalfOpen: true }, (client) => {
      const upstream = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        proxy.#sockets.add(from);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          proxy.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
        if (proxy.#cut) from.pause();
      }
    });
    const proxy = new Link(server, port);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return proxy;
  }

  cut(cut: boolean): void {
    this.#cut = cut;
    for (const socket of this.#sockets) {
      if (cut) {
        socket.unpipe();
        socket.pause();
      } else socket.destroy();
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
