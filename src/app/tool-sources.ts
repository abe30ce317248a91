import { dirname, isAbsolute, join } from "node:path";
import type { ToolFolder } from "../custom/custom-tools.ts";
import type { ConfiguredApi } from "../custom/openapi.ts";
import type { ConfinedScript } from "../custom/type-check.ts";
import { Failure } from "../failure/failure.ts";
import type { ConnectionParts } from "../mcp/connection-parts.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import { expanded } from "../mcp/server-config.ts";
import type { ConfiguredServer, McpServers } from "../mcp/servers.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { Web } from "../web/web.ts";
import { ownFolder, workspaceFolder } from "../workspace/folder.ts";
import { isThere, readIfThere } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { fetchBeyond } from "./fetch-beyond.ts";
import type { Places } from "./places.ts";
import type { Settings } from "./settings.ts";
import { isTrusted } from "./trust.ts";

export interface SourceParts {
  places: Places;
  /** Whose settings, tools and skills these are. */
  workspace: Workspace;
  /** Where tools work: the same folder, or a worktree of it. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Weakest first; those of the workspace only when it is trusted. */
  settings(): readonly { scope: string; settings: Settings }[];
  elicit(): Elicit | undefined;
  confineServer: ConnectionParts["confine"];
  sample: ConnectionParts["sample"];
  conversation: ConnectionParts["conversation"];
  web(): Promise<Web>;
  /** Runs JavaScript of the workspace in the sandbox; what it printed. */
  runConfined(script: ConfinedScript): Promise<string>;
}

const workspaceTools = ".wield/tools";

/** Every place that tools are added from, and the MCP servers among them. What is not configured is not even loaded. */
export async function toolSources(
  parts: SourceParts,
): Promise<{ sources: ToolSource[]; mcp: () => Promise<McpServers | undefined> }> {
  const sources: ToolSource[] = [await fromFiles(parts)];
  const apis = apisOf(parts);
  if (apis.length > 0) {
    const { openApiTools } = await import("../custom/openapi.ts");
    const expand = (values: Readonly<Record<string, string>>) => expanded(values, parts.env);
    sources.push(openApiTools(apis, { web: parts.web, expand }));
  }
  const { source, servers } = fromServers(parts);
  return { sources: [...sources, source], mcp: servers };
}

/** The protocol is loaded when there is a first server, which may be added at any time. */
function fromServers(parts: SourceParts) {
  const { env, elicit, root, places, confineServer, sample, conversation, web } = parts;
  let loaded: McpServers | undefined;
  const servers = async (): Promise<McpServers | undefined> => {
    if (loaded || serversOf(parts).length === 0) return loaded;
    const { mcpServers } = await import("../mcp/servers.ts");
    loaded ??= mcpServers({
      ...{ env, elicit, sample, conversation, confine: confineServer, root, beyond: fetchBeyond(web) },
      ...{ approvedFile: places.approvedFile, tokensFile: places.tokensFile },
      servers: () => serversOf(parts),
    });
    return loaded;
  };
  const source: ToolSource = {
    refresh: async () => (await servers())?.refresh(),
    tools: () => loaded?.tools() ?? [],
    pending: (tool) => loaded?.pending(tool) ?? [],
    problems: () => loaded?.problems() ?? [],
    check: async () => (await loaded?.check()) ?? [],
    withheld: (tool) => loaded?.withheld(tool),
    close: () => loaded?.close(),
  };
  return { source, servers };
}

/** The threads are loaded when there is a first file. */
async function fromFiles({ places, workspace, root, runConfined }: SourceParts): Promise<ToolSource> {
  const own: ToolFolder = {
    path: join(places.configDir, "tools"),
    folder: ownFolder(join(places.configDir, "tools")),
  };
  const ofWorkspace: ToolFolder = {
    path: join(workspace.root, workspaceTools),
    folder: workspaceFolder(workspace, workspaceTools),
  };
  let untrusted = false;
  const folders = async (): Promise<ToolFolder[]> => {
    const found = (await ofWorkspace.folder.list()).length > 0;
    // Asked each time there are files: a changed one ends the trust, and only the person gives it again.
    const trusted = found && (await isTrusted(places.trustFile, workspace));
    untrusted = found && !trusted;
    return trusted ? [own, ofWorkspace] : [own];
  };
  // The compiler is code of the workspace: it is run only where that is trusted.
  const checker = async () => {
    const compiler = "node_modules/typescript/bin/tsc";
    const usable = isThere(join(root, compiler)) && (await isTrusted(places.trustFile, workspace));
    return usable ? { compiler, root, run: runConfined } : undefined;
  };
  let source: ToolSource | undefined;
  return {
    refresh: async () => {
      if (!source) {
        const present = await Promise.all((await folders()).map(({ folder }) => folder.list()));
        if (present.flat().length === 0) return;
        source = (await import("../custom/custom-tools.ts")).customTools(folders, root, checker);
      }
      await source.refresh();
    },
    tools: () => source?.tools() ?? [],
    pending: () => [],
    check: async () => (await source?.check()) ?? [],
    withheld: () => undefined,
    problems: () => [
      ...(source?.problems() ?? []),
      ...(untrusted
        ? [`The tools in ${workspaceTools} are not loaded: look at them, then run: wield trust`]
        : []),
    ],
    close: () => source?.close(),
  };
}

/** Weakest first, so the last of a name stays; those of another folder are none of this one's. */
function serversOf({ settings, workspace }: SourceParts): ConfiguredServer[] {
  const byName = new Map<string, ConfiguredServer>();
  for (const { scope, settings: layer } of settings())
    for (const [name, config] of Object.entries(layer.mcp))
      if (config.folder === undefined || config.folder === workspace.root)
        byName.set(name, { name, config, scope });
  return [...byName.values()];
}

function apisOf({ settings, places, workspace }: SourceParts): ConfiguredApi[] {
  return settings().flatMap(({ scope, settings: layer }) =>
    Object.entries(layer.openapi).map(([name, config]) => ({
      name,
      config,
      isOwn: scope !== workspace.root,
      read: async () => {
        if (scope === workspace.root) return (await workspace.read(config.file)).bytes.toString();
        const file = isAbsolute(config.file) ? config.file : join(dirname(places.settingsFile), config.file);
        const bytes = readIfThere(file);
        if (!bytes) throw new Failure("FILE_NOT_FOUND", `there is no file ${file}`);
        return bytes.toString();
      },
    })),
  );
}
