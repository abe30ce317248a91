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
  const { server } = z.object({ server: z.unknown() }).safeParse(JSON.parse(text)).data ?? {};
  const parsed = described.safeParse(server ?? JSON.parse(text));
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
