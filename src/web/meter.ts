import type { Socket } from "node:net";
import type { Guard } from "./guard.ts";

/** Makes guards that count the bytes that come in over the connections they open. */
export function createMeter(): { metered(guard: Guard): Guard; received(): number } {
  let closed = 0;
  const open = new Set<Socket>();
  return {
    metered: (guard) => ({
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
    }),
    received: () => [...open].reduce((sum, { bytesRead }) => sum + bytesRead, closed),
  };
}
