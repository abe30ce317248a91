import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decide } from "../approval/decide.ts";
import { createDiscovery, type Discovery } from "../discovery/discovery.ts";
import { openSkills, type Skills } from "../discovery/skills.ts";
import { isSwitchedOff } from "../discovery/switches.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { Store } from "../store/store.ts";
import type { Tool } from "../tool/tool.ts";
import { builtinNames } from "../toolsets/toolsets.ts";
import { ownFolder, workspaceFolder } from "../workspace/folder.ts";
import { shipped } from "../workspace/shipped.ts";
import { ExtraTools } from "./extra-tools.ts";
import type { Preferences } from "./preferences.ts";
import { type SourceParts, toolSources } from "./tool-sources.ts";
import { skillFolders } from "./trust.ts";

export interface ToolCollectionParts extends Omit<SourceParts, "settings"> {
  registry: ToolRegistry;
  store: Store;
  preferences: Preferences;
  /** Exactly these tools; undefined: all. */
  only: ReadonlySet<string> | undefined;
}

/** Which tools there are, which of them may be seen and used, and how they are found. */
export interface ToolCollection {
  discovery: Discovery;
  /** A finder among the tools of another registry, such as an agent's own. */
  /** `isDescribed`: tools that a model knows without a search. */
  discoveryIn(registry: ToolRegistry, isDescribed?: (tool: Tool) => boolean): Discovery;
  isFavourite(name: string): boolean;
  /** Names of tools that came from files, servers and APIs. */
  added(): string[];
  skills: Skills;
  /** Undefined while the settings have none. */
  mcp(): Promise<McpServers | undefined>;
  /** A tool as this user wants it: favourites are described from the start. */
  admit(tool: Tool): Tool;
  /** Why a tool cannot be used now; undefined when it can. */
  disabled(tool: Tool): string | undefined;
  /** Whether it is listed and found: switched on, and not forbidden by a rule. */
  isVisible(tool: Tool): boolean;
  refresh(): Promise<void>;
  ready(tools?: readonly string[]): Promise<void>;
  problems(): string[];
  check(): Promise<string[]>;
  close(): void;
}

export async function openToolCollection(parts: ToolCollectionParts): Promise<ToolCollection> {
  const { registry, store, places, workspace, preferences, only } = parts;
  const { trusted, fromWorkspace, own } = preferences;
  // A workspace that nobody trusted may switch off, not on.
  const ofWorkspace = trusted ? fromWorkspace.tools : { ...fromWorkspace.tools, on: [], favourites: [] };
  const layers = () => [preferences.user.tools, ofWorkspace, own.tools];
  const isFavourite = (name: string) => layers().some(({ favourites }) => favourites.includes(name));
  const admit = (tool: Tool): Tool => {
    if (tool.loading === "core") return tool;
    // Asked each time: a tool may be pinned at any moment.
    return {
      ...tool,
      get loading() {
        return isFavourite(tool.name) ? "core" : tool.loading;
      },
    };
  };

  const settings = () => [
    { scope: "user", settings: preferences.user },
    ...(preferences.trusted ? [{ scope: workspace.root, settings: preferences.fromWorkspace }] : []),
    { scope: "user", settings: own },
  ];
  const builtinOnly = only?.isSubsetOf(new Set(builtinNames)) ?? false;
  const none = { sources: [], mcp: async () => undefined };
  const { sources, mcp } = builtinOnly ? none : await toolSources({ ...parts, settings });
  const extra = new ExtraTools(registry, sources, (tool) =>
    only && !only.has(tool.name) ? undefined : admit(tool),
  );

  const disabled = (tool: Tool) =>
    isSwitchedOff(tool, layers())
      ? `${tool.name} is switched off in the settings. Use another tool, or ask the person to enable it.`
      : extra.withheld(tool.name);
  const forbidden = (tool: Tool) =>
    decide({ tool: tool.name, byDefault: "auto", effects: [] }, preferences.policy()).decision === "deny";
  const isVisible = (tool: Tool) => disabled(tool) === undefined && !forbidden(tool);

  const discoveryIn = (known: ToolRegistry, isDescribed?: (tool: Tool) => boolean) =>
    createDiscovery({
      ...(isDescribed && { isDescribed }),
      tools: () => known.list().filter(isVisible),
      uses: (perTool) => store.uses().recent(perTool),
      recordUse: (query, tool) => store.uses().record(query, tool),
    });

  return {
    mcp,
    admit,
    isFavourite,
    disabled,
    isVisible,
    discoveryIn,
    discovery: discoveryIn(registry),
    added: () => extra.names(),
    skills: openSkills(async () => [
      { source: "built-in", folder: ownFolder(fileURLToPath(shipped("discovery/skills", "skills"))) },
      ...skillFolders.map((path) => ({
        source: "user" as const,
        folder: { ...ownFolder(join(places.home, path)), label: `~/${path}` },
        imported: true,
      })),
      { source: "user", folder: ownFolder(join(places.configDir, "skills")) },
      // Asked each time: a changed file ends the trust.
      ...((await preferences.isTrustedNow())
        ? [
            ...skillFolders.map((path) => ({
              source: "workspace" as const,
              folder: workspaceFolder(workspace, path),
              imported: true,
            })),
            { source: "workspace" as const, folder: workspaceFolder(workspace, ".wield/skills") },
          ]
        : []),
    ]),
    refresh: () => extra.refresh(),
    ready: (names) => extra.ready(names),
    problems: () => extra.problems(),
    check: () => extra.check(),
    close: () => extra.close(),
  };
}
