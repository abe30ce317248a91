import { type Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { hostPath, hostProgram } from "../process/host-programs.ts";
import { killFamily } from "../process/tree.ts";
import { ConfinedTransport } from "./confined-transport.ts";
import type { ConnectionParts } from "./connection-parts.ts";
import { guardedFetch, storedProvider } from "./oauth.ts";
import {
  confinementOf,
  expanded,
  expandedBraces,
  type ProgramConfig,
  type RemoteConfig,
  type ServerConfig,
} from "./server-config.ts";

export interface OpenTransport {
  transport: Transport;
  /** The end of the program's error output. */
  said(): string;
  /** Closes it, even while a connection is being opened. */
  end(): Promise<void>;
}

const keptErrorBytes = 2_000;

/** The way to a server: its address, its program, or its program in the sandbox. */
export function openTransport(
  name: string,
  config: ServerConfig,
  parts: ConnectionParts,
  client: Client,
): OpenTransport {
  if ("url" in config) return remote(config, parts, client);
  return confinementOf(config) ? confined(name, config, parts, client) : program(config, parts, client);
}

function remote(config: RemoteConfig, parts: ConnectionParts, client: Client): OpenTransport {
  const headers = expanded(config.headers, parts.env);
  // Without a stored sign-in nothing is registered or asked anywhere in the background: the server just says no.
  const authProvider = storedProvider(config, parts.tokensFile, parts.env);
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers },
    fetch: guardedFetch(config.url, headers, parts.beyond),
    ...(authProvider && { authProvider }),
  });
  const end = async () => {
    await transport.close();
    await client.close();
  };
  return { transport, said: () => "", end };
}

function program(config: ProgramConfig, { env, root }: ConnectionParts, client: Client): OpenTransport {
  const command = expandedBraces(config.command, env);
  const transport = new StdioClientTransport({
    // A path is the person's own choice; a name means a program outside every workspace.
    command: command.includes("/") ? command : (hostProgram(command, env["PATH"] ?? "") ?? command),
    args: config.args.map((arg) => expandedBraces(arg, env)),
    env: { ...usualVariables(env), ...expanded(config.env, env) },
    cwd: root,
    stderr: "pipe",
  });
  const errors = lastOutput();
  transport.stderr?.on("data", errors.add);
  const end = async () => {
    const { pid } = transport;
    // The server may have started other processes, and may hang: the whole process tree is killed.
    if (pid !== null) await killFamily(pid);
    // During protocol negotiation only the transport can be stopped.
    await transport.close();
    await client.close();
  };
  return { transport, said: errors.text, end };
}

function confined(
  name: string,
  config: ProgramConfig,
  { env, confine }: ConnectionParts,
  client: Client,
): OpenTransport {
  const errors = lastOutput();
  const transport = new ConfinedTransport(confine, {
    name,
    command: expandedBraces(config.command, env),
    args: config.args.map((arg) => expandedBraces(arg, env)),
    // Its own variables only: what else is set here is none of its business.
    env: expanded(config.env, env),
    confinement: confinementOf(config) ?? { folders: [], hosts: [] },
    onStderr: errors.add,
  });
  const end = async () => {
    await transport.close();
    await client.close();
  };
  return { transport, said: () => [errors.text(), transport.problem].filter(Boolean).join("\n"), end };
}

/** How this machine reaches the network: behind a proxy of a company, `npx` finds no package without them. */
const networkVariables = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
];

function usualVariables(env: ConnectionParts["env"]): Record<string, string> {
  const usual = ["HOME", "LANG", ...networkVariables].map((name) => [name, env[name]] as const);
  const given = usual.filter((entry): entry is readonly [string, string] => Boolean(entry[1]));
  return { PATH: hostPath(env["PATH"] ?? ""), ...Object.fromEntries(given) };
}

function lastOutput(): { add(chunk: Buffer): void; text(): string } {
  let errors = "";
  return {
    add: (chunk) => {
      errors = (errors + chunk.toString()).slice(-keptErrorBytes);
    },
    text: () => errors.trim(),
  };
}
