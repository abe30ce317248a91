import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ToolSet } from "ai";
import type { Answer, Ask, Asker } from "../approval/approval.ts";
import { decide, type Policy } from "../approval/decide.ts";
import type { Rule } from "../approval/rules.ts";
import { catalogueText } from "../discovery/catalogue.ts";
import { createDiscovery, type Discovery } from "../discovery/discovery.ts";
import { openSkills, type Skills } from "../discovery/skills.ts";
import { isSwitchedOff } from "../discovery/switches.ts";
import type { WieldEvent } from "../events/events.ts";
import type { Elicit } from "../mcp/connection.ts";
import type { McpServers } from "../mcp/servers.ts";
import { ToolRegistry } from "../registry/registry.ts";
import { type CallOptions, type CallOutcome, createRuntime } from "../runtime/runtime.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import type { PendingApproval, Store } from "../store/store.ts";
import { newId } from "../text/ids.ts";
import type { AnyTool, Tool } from "../tool/tool.ts";
import type { Suggest } from "../tools/request-suggestions.ts";
import { builtinNames, loadTools, type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
import { ownFolder, workspaceFolder } from "../workspace/folder.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { shipped } from "../workspace/shipped.ts";
import { ensureDirectory } from "../workspace/state-files.ts";
import type { Change, Workspace } from "../workspace/workspace.ts";
import { ExtraTools } from "./extra-tools.ts";
import { placesFrom } from "./places.ts";
import {
  readUserSettings,
  readWorkspaceSettings,
  type SettingsInput,
  saveUserRule,
  settingsSchema,
} from "./settings.ts";
import { toolSources } from "./tool-sources.ts";
import { isTrusted } from "./trust.ts";

export interface WieldOptions {
  /** The folder that the tools work in. */
  workspace: string;
  /** Answers one ask. Left out: nobody is there, and what needs approval fails with `APPROVAL_REQUIRED`. */
  approve?: (ask: Ask) => Answer | Promise<Answer>;
  /** Answers all asks of a step together; instead of `approve`. Looked at for each ask, so a getter may say who is there. */
  readonly asker?: Asker | undefined;
  /** On top of the user's own settings. */
  settings?: SettingsInput;
  /**
   * A toolset by name: those built-in tools, and all tools that were added. A list of names: exactly those. Default: all.
   */
  tools?: ToolsetName | readonly string[];
  /** Tools of your own, made with `defineTool`. */
  customTools?: readonly AnyTool[];
  /** Reviews a document for `requestSuggestions`; usually a language model. */
  suggest?: Suggest;
  /** Answers questions that MCP servers ask in the middle of a call. */
  readonly elicit?: Elicit | undefined;
  /** Default: the process environment; decides where settings and state are kept. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface Wield {
  readonly workspace: Workspace;
  readonly registry: ToolRegistry;
  readonly store: Store;
  readonly tools: readonly Tool[];
  readonly trusted: boolean;
  /** Finding tools, and what this session has found. */
  readonly discovery: Discovery;
  readonly skills: Skills;
  /** Servers from the settings; undefined when there are none. */
  readonly mcp: McpServers | undefined;
  /** For the system prompt: which deferred tools there are, by category. */
  catalogue(): string;
  /** Follows tool files that changed; every call does so by itself. */
  refresh(): Promise<void>;
  /** What is wrong with added tools, a line each. */
  problems(): string[];
  call(tool: string, input: unknown, options?: CallOptions): Promise<CallOutcome>;
  /** Several calls of one step: run side by side, asks gathered, outcomes in order. */
  step(calls: readonly { tool: string; input: unknown }[], options?: CallOptions): Promise<CallOutcome[]>;
  /** For `generateText` and `streamText` of the AI SDK. */
  aiTools(): ToolSet;
  /**
   * The same, with deferred tools left out until the model finds them with searchTools: their definitions are loaded on
   * demand. What this session has found before stays loaded.
   */
  aiToolsOnDemand(): Promise<ToolSet>;
  /** Asks that an earlier process left open in this workspace. */
  pending(): PendingApproval[];
  answer(pendingId: string, answer: Answer): Promise<CallOutcome>;
  changes(query?: { limit?: number; path?: string }): Promise<Change[]>;
  on(listener: (event: WieldEvent) => void): () => void;
  close(): void;
}

/** The composition root: settings, workspace, store, tools and the runtime, joined. */
export async function createWield(options: WieldOptions): Promise<Wield> {
  const env = options.env ?? process.env;
  const places = placesFrom(env);
  ensureDirectory(places.stateDir);
  const own = settingsSchema.parse(options.settings ?? {});
  const user = readUserSettings(places.settingsFile);
  const limits = { ...user.limits, ...options.settings?.limits };
  const workspace = await openWorkspace(options.workspace, {
    stateDir: places.stateDir,
    journal: { capBytes: user.journal.bytesPerChange, quotaBytes: user.journal.bytesInAll },
  });
  const fromWorkspace = await readWorkspaceSettings(workspace);
  const trusted = await isTrusted(places.trustFile, workspace);
  const store = openSqliteStore(places.storeFile);
  const session = newId("w");
  const sessionRules: Rule[] = [];
  const listeners = new Set<(event: WieldEvent) => void>();

  const registry = new ToolRegistry();
  // A workspace that nobody trusted may switch off, not on.
  const ofWorkspace = trusted ? fromWorkspace.tools : { ...fromWorkspace.tools, on: [], favourites: [] };
  const layers = [user.tools, ofWorkspace, own.tools];
  const favourites = new Set(layers.flatMap((layer) => layer.favourites));
  const disabled = (tool: Tool): string | undefined =>
    isSwitchedOff(tool, layers)
      ? `${tool.name} is switched off in the settings. Use another tool, or ask the person to enable it.`
      : extra.withheld(tool.name);
  const forbidden = (tool: Tool) =>
    decide({ tool: tool.name, byDefault: "auto", effects: [] }, policy()).decision === "deny";
  const visibleTools = () =>
    registry.list().filter((tool) => disabled(tool) === undefined && !forbidden(tool));
  const discovery = createDiscovery({
    tools: visibleTools,
    uses: (perTool) => store.uses().recent(perTool),
    recordUse: (query, tool) => store.uses().record(query, tool),
  });
  listeners.add((event) => {
    if (event.type === "call-end" && event.record.ok) discovery.called(event.record.tool);
  });
  const skills = openSkills(() => [
    { source: "built-in", folder: ownFolder(fileURLToPath(shipped("discovery/skills", "skills"))) },
    { source: "user", folder: ownFolder(join(places.configDir, "skills")) },
    ...(trusted
      ? [{ source: "workspace" as const, folder: workspaceFolder(workspace, ".wield/skills") }]
      : []),
  ]);

  const builtin = await loadTools(namesOf(options.tools), {
    results: (id) => store.result(id),
    readLines: () => limits.readLines ?? 2000,
    git: { env: () => gitEnvironment(env), trusted: () => trusted },
    documents: () => store.documents(workspace.root),
    plans: () => store.plans(workspace.root),
    suggest: () => options.suggest,
    skills,
    discovery,
  });
  const wanted = typeof options.tools === "object" ? new Set(options.tools) : undefined;
  const admit = (tool: Tool): Tool | undefined => {
    if (wanted && !wanted.has(tool.name)) return undefined;
    return favourites.has(tool.name) ? { ...tool, loading: "core" } : tool;
  };
  for (const tool of builtin) registry.register(admit(tool) ?? tool);
  for (const tool of options.customTools ?? []) registry.register(tool);
  const { sources, mcp } =
    wanted?.isSubsetOf(new Set(builtinNames)) === true
      ? { sources: [] }
      : await toolSources({
          places,
          workspace,
          env,
          elicit: () => options.elicit,
          settings: [
            { scope: "user", settings: user },
            ...(trusted ? [{ scope: workspace.root, settings: fromWorkspace }] : []),
            { scope: "user", settings: own },
          ],
        });
  const extra = new ExtraTools(registry, sources, admit);
  await extra.refresh();

  const userRules = user.rules.filter(
    (rule) => rule.workspace === undefined || rule.workspace === workspace.root,
  );
  const policy = (): Policy => ({
    user: [...userRules, ...own.rules],
    workspace: { rules: fromWorkspace.rules, trusted },
    session: sessionRules,
  });
  const { approve } = options;
  const approving: Asker | undefined =
    approve && (async (asks) => Promise.all(asks.map((ask) => approve(ask))));

  const runtime = createRuntime({
    registry,
    workspace,
    store,
    session,
    policy,
    // Loaded when the first command runs: reading a file should not wait for it.
    run: async (command) => (await import("../process/run.ts")).runCommand(command),
    asker: () => options.asker ?? approving,
    disabled,
    remember: async (rule, scope) => {
      sessionRules.push(rule);
      if (scope === "user") saveUserRule(places.settingsFile, { ...rule, workspace: workspace.root });
    },
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
  });
  const budgeted = (given: CallOptions = {}): CallOptions => ({
    budget: limits.tokensPerCall ?? 8000,
    ...given,
  });

  const aiTools = () =>
    registry.toAISDKTools(
      (tool, input, { callId, signal }) =>
        runtime.call({ tool, input, ref: callId }, budgeted(signal ? { signal } : {})),
      (tool) => disabled(tool) === undefined && !forbidden(tool),
    );

  return {
    workspace,
    registry,
    store,
    trusted,
    discovery,
    skills,
    mcp,
    get tools() {
      return visibleTools();
    },
    catalogue: () => catalogueText(visibleTools()),
    refresh: () => extra.refresh(),
    problems: () => extra.problems(),
    call: async (tool, input, given) => {
      await extra.refresh();
      return runtime.call({ tool, input }, budgeted(given));
    },
    step: async (calls, given) => {
      await extra.refresh();
      return runtime.step(calls, budgeted(given));
    },
    aiTools,
    aiToolsOnDemand: async () => {
      await extra.refresh();
      const { toolSearch } = await import("ai");
      const found = new Set(discovery.discovered());
      const tools = aiTools();
      for (const { name, loading } of visibleTools()) {
        const tool = tools[name];
        if (tool && loading === "deferred" && !found.has(name)) tool.deferLoading = true;
      }
      const names = (query: string) => discovery.discover(query).map((tool) => tool.name);
      return Object.assign(tools, { searchTools: toolSearch({ search: ({ query }) => names(query) }) });
    },
    pending: () => store.pending().filter((pending) => pending.workspace === workspace.root),
    answer: (id, answer) => runtime.answer(id, answer, budgeted()),
    changes: (query) => workspace.changes(query),
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      extra.close();
      workspace.close();
      store.close();
    },
  };
}

function namesOf(tools: WieldOptions["tools"] = builtinNames): readonly string[] {
  return typeof tools === "string" ? toolsets[tools] : tools;
}

/** Identity, credentials and program path, so that commits and pushes work as they do in the person's own terminal. */
function gitEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = [
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "SSH_AUTH_SOCK",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
  ];
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]])),
  );
}
