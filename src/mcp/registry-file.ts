import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import type { ServerEntry } from "./server-config.ts";

const input = z.object({
  value: z.string().optional(),
  default: z.string().optional(),
  isRequired: z.boolean().default(false),
  isSecret: z.boolean().default(false),
  description: z.string().optional(),
});
const argument = z.union([
  input.extend({ type: z.literal("named"), name: z.string() }),
  input.extend({ type: z.literal("positional"), valueHint: z.string().optional() }),
]);
const keyed = input.extend({ name: z.string().min(1) });
const remote = z.object({ type: z.string(), url: z.string(), headers: z.array(keyed).default([]) });
const described = z.object({
  name: z.string().min(1),
  packages: z
    .array(
      z.object({
        registryType: z.string(),
        identifier: z.string().min(1),
        version: z.string().optional(),
        transport: z.object({ type: z.string() }),
        runtimeArguments: z.array(argument).default([]),
        packageArguments: z.array(argument).default([]),
        environmentVariables: z.array(keyed).default([]),
      }),
    )
    .default([]),
  remotes: z.array(remote).default([]),
});

/** What a `server.json` of the MCP registry becomes in the settings. */
export interface RegistryServer {
  /** The last part of its name. */
  name: string;
  entry: ServerEntry;
  /** Variables that the person has to set. */
  needs: { name: string; description: string }[];
}

/** The first remote over HTTP, else the first package that this machine can run. */
export function readRegistryFile(text: string): RegistryServer {
  const json = jsonOf(text);
  // The registry's answers have the file inside.
  const { server } = z.object({ server: z.unknown() }).safeParse(json).data ?? {};
  const parsed = described.safeParse(server ?? json);
  if (!parsed.success)
    throw new Failure("INVALID_INPUT", `This is not a server.json: ${z.prettifyError(parsed.error)}`);
  const { name, remotes, packages } = parsed.data;
  const short = name.split("/").at(-1) ?? name;
  const web = remotes.find(({ type }) => type === "streamable-http");
  if (web) {
    const needs = web.headers.filter(isNeeded).map(needOf);
    return { name: short, entry: { url: web.url, headers: valuesOf(web.headers) }, needs };
  }
  for (const pack of packages) {
    const start = pack.transport.type === "stdio" ? startOf(pack) : undefined;
    if (!start) continue;
    const [command = "", ...before] = start;
    const args = [...before, ...pack.packageArguments.flatMap(wordsOf)];
    const needs = pack.environmentVariables.filter(isNeeded).map(needOf);
    return { name: short, entry: { command, args, env: valuesOf(pack.environmentVariables) }, needs };
  }
  throw new Failure(
    "INVALID_INPUT",
    `${name} has no remote over HTTP and no package for npm, PyPI or a container that speaks over standard input.`,
  );
}

/** The registry that names are looked up in, unless the person names another one. */
export const officialRegistry = "https://registry.modelcontextprotocol.io";
const longestAnswer = 1024 * 1024;
const answerMs = 60_000;

/** `io.github.someone/server`: how the registry names servers. */
export function isRegistryName(text: string): boolean {
  return /^[a-zA-Z0-9][\w.-]*\/[a-zA-Z0-9][\w.-]*$/.test(text);
}

/** The newest version of a server by the registry's API. */
export function addressInRegistry(name: string, registry: string): string {
  return `${registry.replace(/\/+$/, "")}/v0.1/servers/${encodeURIComponent(name)}/versions/latest`;
}

/** The text of a `server.json` at an address that the person gave. */
export async function fetchRegistryFile(address: string, signal: AbortSignal): Promise<string> {
  const wait = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  const headers = { accept: "application/json" };
  const response = await fetch(address, { headers, signal: wait }).catch((error: Error) => {
    throw new Failure("UNAVAILABLE", `${address} cannot be reached: ${error.message}.`);
  });
  if (response.status === 404) throw new Failure("FILE_NOT_FOUND", `There is no server at ${address}.`);
  if (!response.ok) throw new Failure("UNAVAILABLE", `${address} answered with status ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > longestAnswer)
      throw new Failure("INVALID_INPUT", `${address} is too long for a server.json.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("INVALID_INPUT", "This is not a server.json: it is not valid JSON.");
  }
}

type Package = z.output<typeof described>["packages"][number];
type Keyed = z.output<typeof keyed>;

/** A version that is missing or loose would let the registry decide later what runs. */
function startOf({ registryType, identifier, version, runtimeArguments }: Package): string[] | undefined {
  const runtime = runtimeArguments.flatMap(wordsOf);
  if (registryType === "oci") return ["docker", "run", "-i", "--rm", ...runtime, identifier];
  if (version === undefined || !/^[\w.+-]+$/.test(version) || version === "latest") return undefined;
  if (registryType === "npm") return ["npx", "-y", ...runtime, `${identifier}@${version}`];
  return registryType === "pypi" ? ["uvx", ...runtime, `${identifier}==${version}`] : undefined;
}

function wordsOf(given: z.output<typeof argument>): string[] {
  const value = filled(given.value ?? given.default);
  if (given.type === "named") return value === undefined ? [given.name] : [given.name, value];
  return value === undefined ? [] : [value];
}

/** What has no value of its own comes from the person's environment; secrets always do. */
function valuesOf(variables: readonly Keyed[]): Record<string, string> {
  return Object.fromEntries(
    variables
      .filter((one) => one.isRequired || one.isSecret || (one.value ?? one.default) !== undefined)
      .map((one) => {
        const given = filled(one.value ?? (one.isSecret ? undefined : one.default));
        return [one.name, given ?? `$${variable(one.name)}`];
      }),
  );
}

function isNeeded(one: Keyed): boolean {
  return (
    one.isSecret ||
    /\{[\w-]+\}/.test(one.value ?? "") ||
    (one.isRequired && (one.value ?? one.default) === undefined)
  );
}

function needOf({ name, value, description = "" }: Keyed): RegistryServer["needs"][number] {
  const [, within = name] = /\{([\w-]+)\}/.exec(value ?? "") ?? [];
  return { name: variable(within), description };
}

/** `{name}` in a value stands for what the person sets. */
function filled(value: string | undefined): string | undefined {
  return value?.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => `\${${variable(name)}}`);
}

/** A header's name as the name of a variable. */
function variable(name: string): string {
  return name.replaceAll(/\W/g, "_").toUpperCase();
}
