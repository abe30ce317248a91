import {
  type CallToolResult,
  Client,
  type Tool as RemoteDefinition,
  SdkError,
  SdkErrorCode,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { Failure } from "../failure/failure.ts";
import { fenceUntrusted } from "../text/untrusted.ts";
import { visibleLine } from "../text/visible.ts";
import type { ToolContext } from "../tool/tool.ts";
import type { ConnectionParts } from "./connection-parts.ts";
import type { ServerConfig } from "./server-config.ts";
import { promptOf, promptText, resourceOf, resourceText } from "./server-content.ts";
import type { Offers, RemotePrompt, RemoteResource } from "./server-offers.ts";
import { type Answers, answerRequests, answersFor, capabilitiesFor } from "./server-requests.ts";
import { type TaskWire, taskWire } from "./task-wire.ts";
import { showProgress, taskParams, untilResult } from "./tasks.ts";
import { openTransport } from "./transports.ts";

export type Definition = Pick<
  RemoteDefinition,
  "name" | "title" | "description" | "inputSchema" | "annotations" | "execution"
>;

/** `npx` may have to download the server first, on a slow line. */
const connectMs = 60_000;
const pingMs = 2_000;
/** How long a server may take to answer a call, with its result or with a task. */
const answerMs = 120_000;
/** The caller has the only deadline; the client's own must not fire first. */
const never = 24 * 60 * 60 * 1000;

/** The connection to one server: opened on first use, reopened after the server died. */
export class Connection implements Offers {
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
  ): Promise<CallToolResult> {
    const wire = await this.#wire();
    const { client, answers, tasks } = wire;
    const conversation = this.#parts.conversation();
    wire.calls.push(conversation);
    try {
      const asTask = await taskParams(client, tool, () => this.definitions());
      const result = await client.callTool(
        { name: tool, arguments: args, ...asTask },
        {
          signal: context.signal,
          timeout: answerMs,
          maxTotalTimeout: answerMs,
          onprogress: showProgress(context, tool),
        },
      );
      return await untilResult({ server: this.#name, client, wire: tasks, answers, context }, result);
    } catch (error) {
      const failure = this.#failure(error, wire);
      if (context.signal.aborted || failure.code === "TIMEOUT") void this.#endIfStuck(wire);
      throw failure;
    } finally {
      this.#endCall(wire, conversation);
    }
  }

  /** What the server offers a person to start from; nothing where it has no prompts. */
  async prompts(): Promise<RemotePrompt[]> {
    return this.#ask(async ({ client }) => {
      if (!client.getServerCapabilities()?.prompts) return [];
      return (await client.listPrompts(undefined, { timeout: connectMs })).prompts.map(promptOf);
    });
  }

  /** The text of a prompt, with its arguments filled in by the server. */
  async prompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
    return this.#ask(async ({ client }) =>
      promptText(await client.getPrompt({ name, arguments: { ...args } }, { signal, timeout: never })),
    );
  }

  async resources(): Promise<RemoteResource[]> {
    return this.#ask(async ({ client }) => {
      if (!client.getServerCapabilities()?.resources) return [];
      return (await client.listResources(undefined, { timeout: connectMs })).resources.map(resourceOf);
    });
  }

  async resource(uri: string, signal: AbortSignal): Promise<string> {
    return this.#ask(async ({ client }) =>
      resourceText(await client.readResource({ uri }, { signal, timeout: never })),
    );
  }

  async #ask<T>(request: (wire: Wire) => Promise<T>): Promise<T> {
    const wire = await this.#wire();
    const conversation = this.#parts.conversation();
    wire.calls.push(conversation);
    try {
      return await request(wire);
    } catch (error) {
      throw this.#failure(error, wire);
    } finally {
      this.#endCall(wire, conversation);
    }
  }

  /** What a server asked during its calls is withdrawn with the last of them. */
  #endCall(wire: Wire, conversation: string | undefined): void {
    wire.calls.splice(wire.calls.indexOf(conversation), 1);
    if (wire.calls.length > 0) return;
    wire.asking.abort();
    wire.asking = new AbortController();
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
    const answers = answersFor(this.#name, this.#config, this.#parts, elicit, () => wire.calls);
    const relisted = () => {
      wire.listed = undefined;
      this.#changed();
    };
    const client = new Client(
      { name: "wield", version: process.env["WIELD_VERSION"] ?? "0" },
      {
        capabilities: capabilitiesFor(this.#config, elicit),
        versionNegotiation: { mode: "auto", probe: { timeoutMs: 3_000 } },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: relisted } },
      },
    );
    const { transport, said, end } = openTransport(this.#name, this.#config, this.#parts, client);
    const wire: Wire = {
      ...{ client, answers, said, end },
      tasks: taskWire(transport),
      listed: undefined,
      over: false,
      calls: [],
      asking: new AbortController(),
    };
    answerRequests(client, answers, () => wire.asking.signal);
    this.#end = async () => {
      await Promise.all(wire.tasks.cancelling);
      await end();
    };
    client.onclose = () => {
      wire.over = true;
      this.#open = undefined;
    };
    try {
      await client.connect(transport, { timeout: connectMs });
      return wire;
    } catch (error) {
      await end();
      if (wantsSignIn(error)) throw this.#notSignedIn();
      const message = `MCP server ${this.#name} cannot be reached: ${visibleLine((error as Error).message)}.${hint(said())} Check its entry in the settings.`;
      throw new Failure("UNAVAILABLE", message);
    }
  }

  #notSignedIn(): Failure {
    return new Failure(
      "UNAVAILABLE",
      `MCP server ${this.#name} wants you to sign in. A person can do that with: wield tools login ${this.#name}`,
    );
  }

  /** After a call was aborted: a server that still responds keeps running; one that does not is killed and restarted when needed. */
  async #endIfStuck(wire: Wire): Promise<void> {
    const { client } = wire;
    const options = { timeout: pingMs };
    // The current protocol has no ping.
    const answer = client.getProtocolEra() === "modern" ? client.discover(options) : client.ping(options);
    await answer.catch(async () => {
      if (this.#open === undefined || (await this.#open) === wire) this.#open = undefined;
      await wire.end();
    });
  }

  #failure(error: unknown, wire: Wire): Failure {
    if (wantsSignIn(error)) return this.#notSignedIn();
    if (error instanceof Failure) return error;
    if (wire.over) {
      const message = `MCP server ${this.#name} exited during the call.${hint(wire.said())} The next call starts it again; do not repeat a call that crashes it.`;
      return new Failure("UNAVAILABLE", message);
    }
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      const message = `MCP server ${this.#name} did not answer in time and was not waited for any longer. Narrow the call and try again.`;
      return new Failure("TIMEOUT", message);
    }
    return new Failure(
      "EXECUTION_ERROR",
      `MCP server ${this.#name} answered with an error:\n${fenceUntrusted((error as Error).message.slice(0, 4_000), `MCP server ${this.#name}`)}`,
    );
  }
}

interface Wire {
  client: Client;
  answers: Answers;
  tasks: TaskWire;
  listed: Promise<readonly Definition[]> | undefined;
  /** The end of its error output. */
  said(): string;
  end(): Promise<void>;
  over: boolean;
  /** The conversation of each running call. */
  calls: (string | undefined)[];
  /** Aborts its questions when the last call ends. */
  asking: AbortController;
}

function hint(said: string): string {
  return said === "" ? "" : ` Its error output: ${JSON.stringify(visibleLine(said.slice(-400)))}.`;
}

/** The server refused for want of a valid sign-in: there was none, or it could not be renewed. */
function wantsSignIn(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UnauthorizedError || cause.message.includes("its sign-in has expired")) return true;
    if ("data" in cause && (cause.data as { status?: number } | undefined)?.status === 401) return true;
    if ("status" in cause && cause.status === 401) return true;
  }
  return false;
}
