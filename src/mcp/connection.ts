import {
  Client,
  type Tool as RemoteDefinition,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Failure } from "../failure/failure.ts";
import { fixedPath } from "../process/find-program.ts";
import { killFamily } from "../process/tree.ts";
import { fenceUntrusted } from "../text/untrusted.ts";
import { visibleLine } from "../text/visible.ts";
import type { ToolContext } from "../tool/tool.ts";
import type { ConnectionParts } from "./connection-parts.ts";
import { expanded, type ServerConfig } from "./server-config.ts";

export type Definition = Pick<
  RemoteDefinition,
  "name" | "title" | "description" | "inputSchema" | "annotations"
>;
export type RemoteResult = Awaited<ReturnType<Client["callTool"]>>;

const connectMs = 10_000;
const pingMs = 2_000;
const keptErrorBytes = 2_000;
/** The runtime has the only deadline; the client's own must not fire first. */
const never = 24 * 60 * 60 * 1000;

/** The connection to one server: opened on first use, reopened after the server died. */
export class Connection {
  readonly #name: string;
  readonly #config: ServerConfig;
  readonly #parts: ConnectionParts;
  readonly #changed: () => void;
  #open: Promise<Wire> | undefined;
  /** Closes the connection, even while it is being opened. */
  #end: (() => Promise<void>) | undefined;

  /** `changed` is called when the server says that its tools changed. */
  constructor(name: string, config: ServerConfig, parts: ConnectionParts, changed: () => void) {
    this.#name = name;
    this.#config = config;
    this.#parts = parts;
    this.#changed = changed;
  }

  /** The server's current tool definitions; requested once per connection, and again when it reports a change. */
  async definitions(): Promise<readonly Definition[]> {
    const wire = await this.#wire();
    wire.listed ??= wire.client.listTools(undefined, { timeout: connectMs }).then(({ tools }) => tools);
    try {
      return await wire.listed;
    } catch (error) {
      wire.listed = undefined;
      throw this.#failure(error, wire);
    }
  }

  async call(
    tool: string,
    args: Record<string, unknown>,
    context: Pick<ToolContext, "signal" | "progress">,
  ): Promise<RemoteResult> {
    const wire = await this.#wire();
    wire.calls++;
    try {
      return await wire.client.callTool(
        { name: tool, arguments: args },
        {
          signal: context.signal,
          timeout: never,
          onprogress: ({ message, progress, total }) => context.progress(message ?? tool, progress, total),
        },
      );
    } catch (error) {
      if (context.signal.aborted) void this.#endIfStuck(wire);
      throw this.#failure(error, wire);
    } finally {
      if (--wire.calls === 0) {
        wire.asking.abort();
        wire.asking = new AbortController();
      }
    }
  }

  async close(): Promise<void> {
    this.#open = undefined;
    await this.#end?.();
  }

  #wire(): Promise<Wire> {
    this.#open ??= this.#connect().catch((error: unknown) => {
      this.#open = undefined;
      throw error;
    });
    return this.#open;
  }

  async #connect(): Promise<Wire> {
    const elicit = this.#parts.elicit();
    const client = new Client(
      { name: "wield", version: process.env["WIELD_VERSION"] ?? "0" },
      {
        capabilities: elicit ? { elicitation: {} } : {},
        versionNegotiation: { mode: "auto", probe: { timeoutMs: 3_000 } },
      },
    );
    if (elicit) {
      client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
        const schema = "requestedSchema" in params ? (params.requestedSchema as Record<string, unknown>) : {};
        // A question belongs to a call, but the server may not say which, and may not withdraw it when the call is over.
        const signal = AbortSignal.any([mcpReq.signal, wire.asking.signal]);
        return elicit({ server: this.#name, message: params.message, schema }, signal);
      });
    }
    const { transport, said, end } = this.#transport(client);
    this.#end = end;
    const wire: Wire = {
      client,
      listed: undefined,
      said,
      end,
      over: false,
      calls: 0,
      asking: new AbortController(),
    };
    client.onclose = () => {
      wire.over = true;
      this.#open = undefined;
    };
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      wire.listed = undefined;
      this.#changed();
    });
    try {
      await client.connect(transport, { timeout: connectMs });
      return wire;
    } catch (error) {
      await end();
      const message = `MCP server ${this.#name} cannot be reached: ${visibleLine((error as Error).message)}.${hint(said())} Check its entry in the settings.`;
      throw new Failure("UNAVAILABLE", message);
    }
  }

  #transport(client: Client) {
    const config = this.#config;
    const { env, root } = this.#parts;
    if ("url" in config) {
      const headers = expanded(config.headers, env);
      const transport = new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers } });
      const end = async () => {
        await transport.close();
        await client.close();
      };
      return { transport, said: () => "", end };
    }
    const base = Object.fromEntries(
      Object.entries({ PATH: fixedPath(env["PATH"] ?? ""), HOME: env["HOME"], LANG: env["LANG"] }).filter(
        (entry): entry is [string, string] => Boolean(entry[1]),
      ),
    );
    const transport = new StdioClientTransport({
      command: config.command,
      args: config.args,
      env: { ...base, ...expanded(config.env, env) },
      cwd: root,
      stderr: "pipe",
    });
    let errors = "";
    transport.stderr?.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-keptErrorBytes);
    });
    const end = async () => {
      const { pid } = transport;
      // The server may have started other processes, and may hang: the whole process tree is killed.
      if (pid !== null) await killFamily(pid);
      // During protocol negotiation only the transport can be stopped.
      await transport.close();
      await client.close();
    };
    return { transport, said: () => errors.trim(), end };
  }

  /** After a call was aborted: a server that still responds keeps running; one that does not is killed and restarted when needed. */
  async #endIfStuck(wire: Wire): Promise<void> {
    await wire.client.ping({ timeout: pingMs }).catch(async () => {
      if (this.#open === undefined || (await this.#open) === wire) this.#open = undefined;
      await wire.end();
    });
  }

  #failure(error: unknown, wire: Wire): Failure {
    if (error instanceof Failure) return error;
    if (wire.over) {
      const message = `MCP server ${this.#name} exited during the call.${hint(wire.said())} The next call starts it again; do not repeat a call that crashes it.`;
      return new Failure("UNAVAILABLE", message);
    }
    return new Failure(
      "EXECUTION_ERROR",
      `MCP server ${this.#name} answered with an error:\n${fenceUntrusted((error as Error).message.slice(0, 4_000), `MCP server ${this.#name}`)}`,
    );
  }
}

interface Wire {
  client: Client;
  listed: Promise<readonly Definition[]> | undefined;
  /** The end of its error output. */
  said(): string;
  end(): Promise<void>;
  over: boolean;
  /** The number of running calls. */
  calls: number;
  /** Aborts its questions when the last call ends. */
  asking: AbortController;
}

function hint(said: string): string {
  return said === "" ? "" : ` Its error output: ${JSON.stringify(visibleLine(said.slice(-400)))}.`;
}
