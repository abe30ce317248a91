import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import type { FoundServer, FoundServers } from "../mcp/found-servers.ts";
import { forgetSignIn } from "../mcp/oauth.ts";
import { freeName, type ServerConfig, type ServerEntry, serverSchema } from "../mcp/server-config.ts";
import type { RemotePrompt, RemoteResource } from "../mcp/server-offers.ts";
import type { McpServers, Review } from "../mcp/servers.ts";
import { canonicalJson } from "../text/digest.ts";
import { fenceUntrusted } from "../text/untrusted.ts";
import type { Web } from "../web/web.ts";
import { readIfThere } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { fetchBeyond } from "./fetch-beyond.ts";
import type { Flow } from "./flow.ts";
import type { Places } from "./places.ts";
import type { Preferences } from "./preferences.ts";

interface McpParts {
  places: Places;
  workspace: Workspace;
  env: Readonly<Record<string, string | undefined>>;
  preferences: Preferences;
  flow: Flow | undefined;
  web(): Promise<Web>;
  servers(): Promise<McpServers | undefined>;
}

/** A prompt or a resource of a server, as a person names it: `/server:prompt`, `@server:uri`. */
export interface ServerOffers {
  server: string;
  prompts: RemotePrompt[];
  resources: RemoteResource[];
}

/** For content that is added to a session: it counts as read there. */
interface Into {
  session: string;
  signal: AbortSignal;
}

const maxBytes = 1024 * 1024;
const workspaceFiles = [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".claude/settings.json"];
const homeFiles = [".claude.json", ".cursor/mcp.json", ".config/Claude/claude_desktop_config.json"];

/** The MCP servers of a workspace. */
export class WieldMcp {
  readonly #parts: McpParts;

  constructor(parts: McpParts) {
    this.#parts = parts;
  }

  /** Servers in the settings that are used here. */
  async list(): Promise<string[]> {
    return (await this.#parts.servers())?.names() ?? [];
  }

  /** Servers in the settings, also those that have not been started yet. */
  names(): string[] {
    return [...new Set(this.#entries().map(([name]) => name))];
  }

  /** Servers that other programs are set up with and Wield is not. Files are read; nothing is started. */
  async found(): Promise<FoundServers> {
    const { workspace, places } = this.#parts;
    const { serversIn } = await import("../mcp/found-servers.ts");
    const at = { root: workspace.root, home: places.home };
    const ofWorkspace = await Promise.all(
      workspaceFiles.map(async (path) => {
        const text = (await workspace.read(path, { maxBytes }).catch(() => undefined))?.bytes.toString();
        return text === undefined ? [] : [serversIn({ from: path, text, ofWorkspace: true }, at)];
      }),
    );
    const ofHome = homeFiles.flatMap((path) => {
      const text = textOf(join(places.home, path));
      return text === undefined ? [] : [serversIn({ from: `~/${path}`, text, ofWorkspace: false }, at)];
    });
    const all = [...ofWorkspace.flat(), ...ofHome];
    const seen = this.#entries().map(([, entry]) => keyOf(entry));
    const servers = all
      .flatMap((found) => found.servers)
      .filter(({ entry }) => {
        const isNew = !seen.includes(keyOf(entry));
        seen.push(keyOf(entry));
        return isNew;
      });
    return { servers, problems: all.flatMap(({ problems }) => problems) };
  }

  /** Adds a server to the user's settings, under a name that is free; the name. */
  add(wanted: string, entry: ServerEntry): string {
    const name = freeName(wanted, new Set(this.#entries().map(([known]) => known)));
    this.#parts.preferences.change((settings) => ({ ...settings, mcp: { ...settings.mcp, [name]: entry } }));
    return name;
  }

  /** Adds servers that were found and shown, by their ids; if a file has changed since, none of them. */
  async addFound(ids: readonly string[]): Promise<{ name: string; found: FoundServer }[]> {
    const { servers } = await this.found();
    const chosen = ids.map((id) => servers.find((server) => server.id === id));
    if (chosen.includes(undefined))
      throw new Failure(
        "CONFLICT",
        "What was shown is gone: it was added already, or its file has changed. Look at the servers again.",
      );
    return chosen.flatMap((found) => (found ? [{ name: this.add(found.name, found.entry), found }] : []));
  }

  /** Signs in to a remote server; `open` shows its page to the person. */
  async signIn(server: string, open: (url: string) => void, signal: AbortSignal): Promise<void> {
    const { places, env, web } = this.#parts;
    const config = this.#config(server);
    if (!("url" in config)) throw new Failure("INVALID_INPUT", `${server} is a program; it has no sign-in.`);
    const { signIn } = await import("../mcp/sign-in.ts");
    const beyond = fetchBeyond(web);
    await signIn(server, config, { tokensFile: places.tokensFile, env, beyond, open, signal });
    // What was refused before is asked again with the sign-in.
    await (await this.#parts.servers())?.reopen(server);
  }

  /** Whether there was a sign-in to forget. */
  signOut(server: string): boolean {
    const config = this.#config(server);
    return "url" in config && forgetSignIn(this.#parts.places.tokensFile, config.url);
  }

  async review(server: string): Promise<Review> {
    return (await this.#connected()).review(server);
  }

  /** Approves the server's current definitions without review: for programs that know the server. */
  async approve(server: string): Promise<void> {
    await (await this.#connected()).approve(server);
  }

  /** What the servers offer besides tools; starts them. A server that does not answer offers nothing. */
  async offers(): Promise<ServerOffers[]> {
    const servers = await this.#parts.servers();
    return Promise.all(
      (servers?.names() ?? []).map(async (server) => {
        const connection = servers?.connection(server);
        const [prompts = [], resources = []] = await Promise.all([
          connection?.prompts().catch(() => []),
          connection?.resources().catch(() => []),
        ]);
        return { server, prompts, resources };
      }),
    );
  }

  /** The text of a prompt that the person chose. */
  async prompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    { session, signal }: Into,
  ): Promise<string> {
    const text = await (await this.#connected()).connection(server).prompt(name, args, signal);
    await this.#noteRead(session, server);
    return `The person chose the prompt ${name} of the MCP server ${server}:\n\n${text}`;
  }

  /** The content of a resource, as data. */
  async resource(server: string, uri: string, { session, signal }: Into): Promise<string> {
    const text = await (await this.#connected()).connection(server).resource(uri, signal);
    await this.#noteRead(session, server);
    return fenceUntrusted(text, `${uri} of MCP server ${server}`);
  }

  async #noteRead(session: string, server: string): Promise<void> {
    await this.#parts.flow?.add(session, { private: [], outside: [`MCP server ${server}`] }, []);
  }

  async #connected(): Promise<McpServers> {
    const servers = await this.#parts.servers();
    if (servers) return servers;
    throw new Failure(
      "INVALID_INPUT",
      "No MCP servers are configured. Add one with: wield tools add mcp <name> -- <command>",
    );
  }

  #entries(): [string, ServerConfig][] {
    const { preferences } = this.#parts;
    const layers = [
      preferences.user,
      ...(preferences.trusted ? [preferences.fromWorkspace] : []),
      preferences.own,
    ];
    return layers.flatMap(({ mcp }) => Object.entries(mcp));
  }

  #config(server: string): ServerConfig {
    const config = new Map(this.#entries()).get(server);
    if (config) return config;
    throw new Failure("INVALID_INPUT", `There is no MCP server ${JSON.stringify(server)} in the settings.`);
  }
}

/** A file of another program that cannot be read offers nothing. */
function textOf(path: string): string | undefined {
  try {
    return readIfThere(path)?.toString();
  } catch {
    return undefined;
  }
}

/** The same server, however its entry is written: what it runs or where it is. */
function keyOf(entry: ServerEntry): string {
  const config = serverSchema.parse(entry);
  return canonicalJson("url" in config ? [config.url] : [config.command, config.args]);
}
