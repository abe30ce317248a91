import { canonicalJson, sha256 } from "../text/digest.ts";
import { type ServerEntry, serverSchema } from "./server-config.ts";

/** An MCP server in a file that another program wrote: offered to the person, never started by being there. */
export interface FoundServer {
  name: string;
  /** The file, as a person knows it. */
  from: string;
  /** Whether anybody who can write to the workspace can have written it. */
  ofWorkspace: boolean;
  entry: ServerEntry;
  /** A digest of all of this: what is added is what was shown, whatever the file says by then. */
  id: string;
}

/** A file of another program, and where its servers are in it. */
export interface ForeignFile {
  from: string;
  text: string;
  ofWorkspace: boolean;
}

export interface FoundServers {
  servers: FoundServer[];
  /** What cannot be taken over, and why; one line each. */
  problems: string[];
}

type Raw = Record<string, unknown>;

/**
 * The servers in files of other programs: `mcpServers` (Claude, Cursor and many more) or `servers` (VS Code), also those that
 * Claude keeps for one folder. A program of a workspace's file is run in the sandbox.
 */
export function serversIn(
  { from, text, ofWorkspace }: ForeignFile,
  { root, home }: { root: string; home: string },
): FoundServers {
  const found: FoundServers = { servers: [], problems: [] };
  let json: Raw;
  try {
    json = record(JSON.parse(withoutComments(text)));
  } catch {
    return { servers: [], problems: [`${from} is not valid JSON; its MCP servers are not looked at.`] };
  }
  const ofFolder = record(record(json["projects"])[root]);
  const all = {
    ...record(json["mcpServers"]),
    ...record(json["servers"]),
    ...record(ofFolder["mcpServers"]),
  };
  for (const [name, raw] of Object.entries(all)) {
    const entry = entryOf(record(raw), { root, home }, ofWorkspace);
    if (typeof entry === "string")
      found.problems.push(`MCP server ${JSON.stringify(name)} of ${from}: ${entry}`);
    else {
      const id = sha256(canonicalJson({ name, from, entry })).slice(0, 16);
      found.servers.push({ name, from, ofWorkspace, entry, id });
    }
  }
  return found;
}

/** Our entry for it, or why there is none. */
function entryOf(raw: Raw, at: { root: string; home: string }, ofWorkspace: boolean): ServerEntry | string {
  if (/\$\{input:/.test(JSON.stringify(raw))) return "it asks for inputs; add it with wield tools add mcp.";
  const variables = ofWorkspace ? variablesIn(raw) : [];
  if (variables.length > 0)
    return `it would get ${variables.join(", ")} of your environment; if it may, add it with wield tools add mcp.`;
  const here = (value: string) =>
    value
      .replaceAll(/\$\{workspaceFolder\}/g, at.root)
      .replaceAll(/\$\{userHome\}/g, at.home)
      .replaceAll(/\$\{env:(\w+)\}/g, "$${$1}");
  const texts = (values: unknown) =>
    Object.fromEntries(Object.entries(record(values)).map(([name, value]) => [name, here(String(value))]));
  const folder = ofWorkspace ? { folder: at.root } : {};
  const { type, command, url } = raw;
  if (type === "sse") return "it uses the old SSE transport, which is not supported.";
  const candidate =
    typeof command === "string"
      ? {
          command: here(command),
          args: (Array.isArray(raw["args"]) ? raw["args"] : []).map((arg) => here(String(arg))),
          env: texts(raw["env"]),
          ...(ofWorkspace && { sandbox: true }),
          ...folder,
        }
      : { url: typeof url === "string" ? here(url) : url, headers: texts(raw["headers"]), ...folder };
  const parsed = serverSchema.safeParse(candidate);
  return parsed.success ? (candidate as ServerEntry) : "it has neither a command nor an http address.";
}

/** Names of variables that an entry would be given the values of. */
function variablesIn(raw: Raw): string[] {
  const text = JSON.stringify(raw).replaceAll(/\$\{(?:workspaceFolder|userHome)\}/g, "");
  return [...new Set([...text.matchAll(/\$\{?(?:env:)?([A-Za-z_]\w*)/g)].map(([, name = ""]) => name))];
}

function record(value: unknown): Raw {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Raw) : {};
}

/** VS Code's files may have comments and trailing commas. Texts stay as they are. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? "")
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? "");
}
