import type { Socket } from "node:net";
import type { Guard } from "./guard.ts";

/** A guard that counts the bytes that come in over the connections it opens. */
export function metered(guard: Guard): { guard: Guard; received(): number } {
  let closed = 0;
  const open = new Set<Socket>();
  return {
    guard: {
      ...guard,
      async connect(url, signal) {
        const socket = await guard.connect(url, signal);
        open.add(socket);
        socket.once("close", () => {
          open.delete(socket);
          closed += socket.bytesRead;
        });
        return socket;
      },
    },
    received: () => [...open].reduce((sum, { bytesRead }) => sum + bytesRead, closed),
  };
}
