import { Failure } from "../failure/failure.ts";
import { diffTexts } from "../text/diff.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import { type ApprovedServer, approvedText, readApproved, saveApproved } from "./approved.ts";
import { Connection, type Definition } from "./connection.ts";
import type { ConnectionParts } from "./connection-parts.ts";
import { declaresReadOnly, fingerprintOf, localName, remoteTool } from "./remote-tool.ts";
import type { ServerConfig } from "./server-config.ts";
import type { Offers } from "./server-offers.ts";

export interface ConfiguredServer {
  name: string;
  config: ServerConfig;
  /** Where it was configured: "user", or the root of a trusted workspace. */
  scope: string;
}

export interface ServersParts extends ConnectionParts {
  /** As the settings are now. */
  servers(): readonly ConfiguredServer[];
  approvedFile: string;
}

/** A difference between a server's definition and the approved one. */
export interface DefinitionChange {
  tool: string;
  change: "changed" | "new" | "gone";
  /** A diff of the two definitions. */
  diff: string;
}

/** What a person reviews before they approve a server. */
export interface Review {
  drift: DefinitionChange[];
  /** Tools that are declared read-only: they run without asking. */
  readers: string[];
  /** Approves exactly what this review shows, even if the server has changed since. */
  approve(): void;
}

export interface McpServers extends ToolSource {
  /** Connects and compares with the approved definitions. */
  review(server: string): Promise<Review>;
  /** Approves the server's current definitions without review: for programs that know the server. */
  approve(server: string): Promise<void>;
  /** The connections by name, for prompts and resources; nothing is started by asking for them. */
  connection(server: string): Offers;
  names(): string[];
  /** Asks a server again that could not be reached before, such as after a sign-in. */
  reopen(server: string): Promise<void>;
}

/**
 * The tools of MCP servers. Approved definitions are stored, so the tools are available without starting anything; the first
 * call of a tool starts its server. A new server is asked once, in the background, for its definitions, which are approved
 * by its entry in the settings. After that, a tool whose definition changes is withheld until it is approved again.
 */
export function mcpServers(parts: ServersParts): McpServers {
  let servers: Server[] = [];
  let seen: string | undefined;
  /** Servers that were added to the settings come, changed ones are taken anew, removed ones are closed. */
  const follow = () => {
    const wanted = parts.servers();
    for (const server of servers) if (!wanted.some((one) => server.is(one))) void server.connection.close();
    servers = wanted.map((one) => servers.find((server) => server.is(one)) ?? new Server(one, parts));
  };
  follow();
  const named = (name: string) => {
    const server = servers.find((one) => one.name === name);
    if (server) return server;
    throw new Failure("INVALID_INPUT", `There is no MCP server ${JSON.stringify(name)} in the settings.`);
  };
  return {
    refresh: async () => {
      follow();
      const state = `${approvedText(parts.approvedFile)}\n${servers.map(({ key }) => key).join("\n")}`;
      if (state === seen) return;
      seen = state;
      for (const server of servers) server.open();
    },
    pending: (tool) =>
      servers
        .filter(({ name }) => tool === undefined || tool.startsWith(localName(name, "")))
        .flatMap((server) => server.opening ?? []),
    tools: () => servers.flatMap((server) => server.tools),
    problems: () => servers.flatMap((server) => server.problems()),
    withheld: (tool) =>
      servers.map((server) => server.withheld.get(tool)).find((reason) => reason !== undefined),
    check: async () => [],
    review: (name) => named(name).review(),
    approve: async (name) => (await named(name).review()).approve(),
    connection: (name) => named(name).connection,
    names: () => servers.map(({ name }) => name),
    reopen: async (name) => {
      follow();
      await named(name).reopen();
    },
    close: () => {
      for (const server of servers) void server.connection.close();
    },
  };
}

class Server {
  readonly name: string;
  /** Its entry in the settings. */
  readonly key: string;
  readonly connection: Connection;
  readonly withheld = new Map<string, string>();
  tools: Tool[] = [];
  /** Set while a new server is asked for its definitions. */
  opening: Promise<void> | undefined;
  readonly #configured: ConfiguredServer;
  readonly #approvedFile: string;
  #approved = new Map<string, { definition: Definition; fingerprint: string }>();
  #compared: readonly Definition[] | undefined;
  #opened = false;
  /** The file's content when it was last read; another process may have approved something since. */
  #taken: string | undefined;
  /** Tools of the server that are not approved yet. */
  #unapproved: string[] = [];
  #failed: string | undefined;

  constructor(configured: ConfiguredServer, parts: ServersParts) {
    this.name = configured.name;
    this.key = keyOf(configured);
    this.#configured = configured;
    this.#approvedFile = parts.approvedFile;
    this.connection = new Connection(configured.name, configured.config, parts, () => void this.#relist());
  }

  is(configured: ConfiguredServer): boolean {
    return this.key === keyOf(configured);
  }

  open(): void {
    const known = readApproved(this.#approvedFile, this.#configured.scope, this.name);
    if (known) {
      this.#opened = true;
      if (this.#taken === JSON.stringify(known.tools)) return;
      this.#take(known.tools);
      for (const { definition, fingerprint } of known.tools)
        if (fingerprintOf(this.#configured.config, definition) !== fingerprint)
          this.#withhold(definition.name, "the server's entry in the settings changed");
      return;
    }
    if (this.#opened) return;
    this.#opened = true;
    this.opening = this.connection
      .definitions()
      .then((definitions) => this.#adopt(definitions))
      .catch((error: Error) => {
        this.#failed = error.message;
      })
      .finally(() => {
        this.opening = undefined;
      });
  }

  async reopen(): Promise<void> {
    await this.connection.close();
    this.#failed = undefined;
    this.#opened = false;
    this.open();
    await this.opening;
  }

  #adopt(definitions: readonly Definition[]): void {
    const tools = definitions.map(({ name, title, description, inputSchema, annotations }) => {
      const definition = {
        ...{ name, inputSchema },
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(annotations !== undefined && { annotations }),
      };
      return { definition, fingerprint: fingerprintOf(this.#configured.config, definition) };
    });
    saveApproved(this.#approvedFile, this.#configured.scope, this.name, { tools });
    this.#take(tools);
    this.#compare(definitions);
  }

  async review(): Promise<Review> {
    const definitions = await this.connection.definitions();
    this.#compare(definitions);
    const present = new Map(definitions.map((definition) => [definition.name, definition]));
    const found: DefinitionChange[] = [];
    for (const [tool, definition] of present) {
      const approved = this.#approved.get(tool);
      if (approved?.fingerprint === fingerprintOf(this.#configured.config, definition)) continue;
      const diff = diffTexts(
        tool,
        approved ? described(approved.definition) : null,
        described(definition),
      ).diff;
      found.push({ tool, change: approved ? "changed" : "new", diff });
    }
    for (const [tool, { definition }] of this.#approved) {
      if (!present.has(tool))
        found.push({ tool, change: "gone", diff: diffTexts(tool, described(definition), null).diff });
    }
    const readers = definitions.filter(declaresReadOnly).map(({ name }) => name);
    return { drift: found, readers, approve: () => this.#adopt(definitions) };
  }

  problems(): string[] {
    const slow = `MCP server ${this.name} is new and has not answered yet; its tools are added when it does.`;
    return [
      ...(this.opening === undefined ? [] : [slow]),
      ...(this.#failed === undefined ? [] : [this.#failed]),
      ...this.withheld.values(),
      ...(this.#unapproved.length === 0
        ? []
        : [
            `MCP server ${this.name} has new tools: ${this.#unapproved.join(", ")}. A person can review and approve them with: wield tools approve ${this.name}`,
          ]),
    ];
  }

  #take(tools: ApprovedServer["tools"]): void {
    this.#approved = new Map(tools.map((tool) => [tool.definition.name, tool]));
    this.#taken = JSON.stringify(tools);
    this.#failed = undefined;
    this.#compared = undefined;
    this.#unapproved = [];
    this.withheld.clear();
    this.tools = tools.map(({ definition }) =>
      remoteTool(this.name, this.#configured.config, definition, async (args, context) => {
        await this.#verify(definition.name);
        return this.connection.call(definition.name, args, context);
      }),
    );
  }

  /** Before each call: checks that the tool is still as approved. */
  async #verify(tool: string): Promise<void> {
    this.#compare(await this.connection.definitions());
    const reason = this.withheld.get(localName(this.name, tool));
    if (reason !== undefined) throw new Failure("TOOL_DISABLED", reason);
  }

  /** In the background; the next listing shows the result. */
  async #relist(): Promise<void> {
    const definitions = await this.connection.definitions().catch(() => undefined);
    if (definitions) this.#compare(definitions);
  }

  #compare(definitions: readonly Definition[]): void {
    if (definitions === this.#compared) return;
    this.#compared = definitions;
    this.withheld.clear();
    const present = new Map(definitions.map((definition) => [definition.name, definition]));
    this.#unapproved = [...present.keys()].filter((tool) => !this.#approved.has(tool));
    for (const [tool, { fingerprint }] of this.#approved) {
      const definition = present.get(tool);
      if (!definition) this.#withhold(tool, "the server no longer has it");
      else if (fingerprintOf(this.#configured.config, definition) !== fingerprint)
        this.#withhold(tool, "its definition differs from the approved one");
    }
  }

  #withhold(tool: string, why: string): void {
    const name = localName(this.name, tool);
    const message = `${name} is withheld: ${why}. A person can review and approve it with: wield tools approve ${this.name}`;
    this.withheld.set(name, message);
  }
}

function described({ title, description, inputSchema, annotations }: Definition): string {
  return `${JSON.stringify({ title, description, inputSchema, annotations }, null, 2)}\n`;
}

function keyOf(configured: ConfiguredServer): string {
  return JSON.stringify(configured);
}
