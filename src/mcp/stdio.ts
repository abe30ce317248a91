import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { announceTools, type Mcp } from "./server.ts";

export interface McpStdio {
  /** Resolves when the client has disconnected or `close` was called, and no call runs any more. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client of either protocol on two streams. Nothing else may write to `output`. */
export function serveMcpStdio(
  mcp: Mcp,
  input: Readable,
  output: Writable,
  report: (problem: string) => void,
): McpStdio {
  const closed = Promise.withResolvers<void>();
  class Wire extends StdioServerTransport {
    override async close() {
      await super.close();
      await mcp.close();
      closed.resolve();
    }
  }
  const handle = serveStdio(
    ({ era }) => {
      const server = mcp.build(era);
      announceTools(mcp, server);
      return server;
    },
    { transport: new Wire(input, output), onerror: (error) => report(error.message) },
  );
  return { closed: closed.promise, close: () => handle.close() };
}
