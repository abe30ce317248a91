import { z } from "zod";

const secrets = "values may be $NAME, taken from your environment";

/** One MCP server in the settings: a program to start, or an address. */
export const serverSchema = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe(`In addition to PATH, HOME, LANG, USER, SHELL and TERM; ${secrets}`),
  }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string()).default({}).describe(secrets),
  }),
]);
export type ServerConfig = z.output<typeof serverSchema>;

export const serverName = z.string().regex(/^[a-zA-Z0-9-]{1,30}$/, "use 1 to 30 letters, digits or hyphens");

/** The facts that an approval of a server's tools covers: names of variables and headers, not their values. */
export function configFacts(config: ServerConfig): unknown {
  return "command" in config
    ? { command: config.command, args: config.args, env: Object.keys(config.env).sort() }
    : { url: config.url, headers: Object.keys(config.headers).sort() };
}

export function expanded(
  values: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replaceAll(/\$(\w+)/g, (whole, variable: string) => env[variable] ?? whole),
    ]),
  );
}
