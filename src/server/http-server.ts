import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Failure } from "../failure/failure.ts";
import type { Refusal } from "./guard.ts";

/** Closes the connection: further data on it is not read. */
export function refuse(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ error: { code: "PERMISSION_DENIED", message } }));
}

/** The port that it got. */
export function listen(http: Server, port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  http.once("error", (error: NodeJS.ErrnoException) =>
    reject(
      error.code === "EADDRINUSE"
        ? new Failure("CONFLICT", `Port ${port} is already in use. Choose another with --port.`)
        : error,
    ),
  );
  http.listen(port, host, () => resolve((http.address() as AddressInfo).port));
  return promise;
}
