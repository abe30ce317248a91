import { z } from "zod";
import { hostPattern } from "../text/host-pattern.ts";

const secrets = "values may be $NAME, taken from your environment";

const confinement = z.lazy(() =>
  z.strictObject({
    folders: z
      .array(z.string().min(1))
      .default(["."])
      .describe("What it can read, besides programs of the system; . is the workspace"),
    hosts: z
      .array(z.string().regex(hostPattern, "a host name, or *. and a host name"))
      .default([])
      .describe("What it can reach"),
  }),
);
/** What a server in the sandbox can read and reach. */
export type Confinement = z.output<typeof confinement>;

const ofEveryServer = () => ({
  // Opt-in: the file server of npm, for one, drops the folders that it was given for those that it is told.
  roots: z.boolean().default(false).describe("Tells it the workspace's folder as its root"),
  folder: z.string().optional().describe("Only in this workspace; default: in all"),
});

const oauth = z.lazy(() =>
  z.strictObject({
    clientId: z
      .string()
      .min(1)
      .optional()
      .describe("Of a client that you registered; default: Wield registers"),
    clientSecret: z.string().min(1).optional().describe("$NAME, taken from your environment"),
    clientMetadataUrl: z
      .url({ protocol: /^https$/ })
      .optional()
      .describe("A client metadata document of yours"),
    scope: z.string().optional(),
    port: z.int().min(1024).max(65535).optional().describe("For the redirect to 127.0.0.1; default: any"),
  }),
);

/** One MCP server in the settings: a program to start, or an address. */
export const serverSchema = z.lazy(() =>
  z.union([
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).default([]).describe("Variables in braces are taken from your environment"),
      env: z
        .record(z.string(), z.string())
        .default({})
        .describe(`In addition to PATH, HOME, LANG, USER, SHELL and TERM; ${secrets}`),
      sandbox: z
        .union([z.boolean(), confinement])
        .default(false)
        .describe("Runs in the sandbox: true for the workspace, read-only, and no network"),
      ...ofEveryServer(),
    }),
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }),
      headers: z.record(z.string(), z.string()).default({}).describe(secrets),
      oauth: oauth.optional().describe("For a server with OAuth that needs more than wield tools login"),
      ...ofEveryServer(),
    }),
  ]),
);
export type ServerConfig = z.output<typeof serverSchema>;
export type ServerEntry = z.input<typeof serverSchema>;
export type RemoteConfig = Extract<ServerConfig, { url: string }>;
export type ProgramConfig = Extract<ServerConfig, { command: string }>;

export const serverName = z.string().regex(/^[a-zA-Z0-9-]{1,30}$/, "use 1 to 30 letters, digits or hyphens");

/** A name in the letters that settings allow, and not among those that are taken. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replaceAll(/[^a-zA-Z0-9-]+/g, "-").slice(0, 27) || "server";
  for (let count = 1; ; count++) {
    const name = count === 1 ? plain : `${plain}-${count}`;
    if (!taken.has(name)) return name;
  }
}

/** How a server is confined; undefined: not at all. */
export function confinementOf(config: ServerConfig): Confinement | undefined {
  if (!("command" in config) || config.sandbox === false) return undefined;
  return config.sandbox === true ? confinement.parse({}) : config.sandbox;
}

/** The facts that an approval of a server's tools covers: names of variables and headers, not their values. */
export function configFacts(config: ServerConfig): unknown {
  const sandbox = confinementOf(config);
  return "command" in config
    ? {
        command: config.command,
        args: config.args,
        env: Object.keys(config.env).sort(),
        ...(sandbox && { sandbox }),
      }
    : { url: config.url, headers: Object.keys(config.headers).sort() };
}

/** What it runs or where it is, and what it may see. */
export function describeEntry(entry: ServerEntry): string {
  if ("url" in entry) return entry.url;
  const { command, args = [], sandbox = false } = entry;
  const hosts = typeof sandbox === "object" ? (sandbox.hosts ?? []) : [];
  const confined = sandbox
    ? `in the sandbox: reads the workspace, ${hosts.length === 0 ? "no network" : `reaches ${hosts.join(", ")}`}`
    : "outside the sandbox, with your rights";
  return `${[command, ...args].join(" ")}  [${confined}]`;
}

/** Values with `$NAME`, `${NAME}` and `${NAME:-default}` replaced; a name that is not set stays as it is written. */
export function expanded(
  values: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      expandedBraces(value, env).replaceAll(/\$(\w+)/g, (whole, variable: string) => env[variable] ?? whole),
    ]),
  );
}

/** The same in an argument, where a bare `$` may mean something else. */
export function expandedBraces(value: string, env: Readonly<Record<string, string | undefined>>): string {
  return value.replaceAll(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (whole, variable: string, otherwise: string | undefined) => env[variable] ?? otherwise ?? whole,
  );
}
