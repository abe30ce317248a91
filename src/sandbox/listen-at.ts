import type { Server } from "node:net";

/** Resolves when the server takes connections at the unix socket. */
export async function listenAt(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}
