import type { ToolSet } from "ai";
import type { Agent } from "../agent/agent.ts";
import type { Answer, Ask, Asker } from "../approval/approval.ts";
import type { Policy } from "../approval/decide.ts";
import type { Rule } from "../approval/rules.ts";
import type { WieldEvent } from "../events/events.ts";
import { Failure } from "../events/failure.ts";
import { ToolRegistry } from "../registry/registry.ts";
import { type CallOptions, type CallOutcome, createRuntime } from "../runtime/runtime.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import type { PendingApproval, SessionRecord, Store } from "../store/store.ts";
import { canonicalJson } from "../text/digest.ts";
import { newId } from "../text/ids.ts";
import type { AnyTool, Tool } from "../tool/tool.ts";
import { builtinNames, loadTools, type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { ensureDirectory } from "../workspace/state-files.ts";
import type { Change, Workspace } from "../workspace/workspace.ts";
import type { AgentOptions } from "./agents.ts";
import { type Places, placesFrom } from "./places.ts";
import {
  changeUserSettings,
  readUserSettings,
  readWorkspaceSettings,
  type Settings,
  type SettingsInput,
  saveUserRule,
  settingsSchema,
} from "./settings.ts";
import { isTrusted } from "./trust.ts";
import { composeWeb } from "./web.ts";

export interface WieldOptions {
  /** The folder that the tools work in. */
  workspace: string;
  /** Answers one ask. Left out: nobody is there, and what needs approval fails with `APPROVAL_REQUIRED`. */
  approve?: (ask: Ask) => Answer | Promise<Answer>;
  /** Answers all asks of a step together; instead of `approve`. Looked at for each ask, so a getter may say who is there. */
  readonly asker?: Asker | undefined;
  /** On top of the user's own settings. */
  settings?: SettingsInput;
  /** Only these built-in tools: a toolset by name, or tool names. Default: all. */
  tools?: ToolsetName | readonly string[];
  /** Tools of your own, made with `defineTool`. */
  customTools?: readonly AnyTool[];
  /** Default: the process environment; decides where settings and state are kept. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface Wield {
  readonly workspace: Workspace;
  readonly registry: ToolRegistry;
  readonly store: Store;
  readonly tools: readonly Tool[];
  readonly trusted: boolean;
  call(tool: string, input: unknown, options?: CallOptions): Promise<CallOutcome>;
  /** Several calls of one step: run side by side, asks gathered, outcomes in order. */
  step(calls: readonly { tool: string; input: unknown }[], options?: CallOptions): Promise<CallOutcome[]>;
  /** For `generateText` and `streamText` of the AI SDK. */
  aiTools(): ToolSet;
  /** An agent on these tools, in a session of its own or one that is gone on with. */
  agent(options?: AgentOptions): Promise<Agent>;
  /** Sessions of this workspace, newest first. */
  sessions(limit?: number): SessionRecord[];
  /** Asks that an earlier process left open in this workspace. */
  pending(): PendingApproval[];
  answer(pendingId: string, answer: Answer): Promise<CallOutcome>;
  changes(query?: { limit?: number; before?: string; path?: string }): Promise<Change[]>;
  /** The user's own settings. */
  settings(): Settings;
  /** Changes the user's settings file; calls and agents that start afterwards follow it. */
  changeSettings(change: (settings: SettingsInput) => void): void;
  /** The rules in force. */
  policy(): Policy;
  /** Drops a rule that was remembered, from this session and from the user's file. */
  forget(rule: Rule): void;
  on(listener: (event: WieldEvent) => void): () => void;
  close(): void;
}

/** The composition root: settings, workspace, store, tools and the runtime, joined. */
export async function createWield(options: WieldOptions): Promise<Wield> {
  const env = options.env ?? process.env;
  const places = placesFrom(env);
  ensureDirectory(places.stateDir);
  const own = settingsSchema.parse(options.settings ?? {});
  let user = readUserSettings(places.settingsFile);
  const limits = () => ({ ...user.limits, ...options.settings?.limits });
  const workspace = await openWorkspace(options.workspace, {
    stateDir: places.stateDir,
    journal: { capBytes: user.journal.bytesPerChange, quotaBytes: user.journal.bytesInAll },
  });
  refuseOwnFolders(workspace.root, places);
  const fromWorkspace = await readWorkspaceSettings(workspace);
  const trusted = await isTrusted(places.trustFile, workspace);
  const store = openSqliteStore(places.storeFile);
  const session = newId("w");
  const sessionRules: Rule[] = [];
  const listeners = new Set<(event: WieldEvent) => void>();

  const holdsHere = (rule: Rule) => rule.workspace === undefined || rule.workspace === workspace.root;
  const policy = (): Policy => ({
    user: [...user.rules.filter(holdsHere), ...own.rules],
    workspace: { rules: fromWorkspace.rules, trusted },
    session: sessionRules,
  });
  const web = composeWeb(options.settings?.web ? own.web : user.web, env, policy);

  const registry = new ToolRegistry();
  const names = namesOf(options.tools);
  const builtin = await loadTools(names, {
    results: (id) => store.result(id),
    readLines: () => limits().readLines ?? 2000,
    web: web.open,
    git: { env: () => gitEnvironment(env), trusted: () => trusted },
  });
  const research = names.includes("read_research") ? await web.researchTool() : undefined;
  for (const tool of [...builtin, ...(research ? [research] : []), ...(options.customTools ?? [])])
    registry.register(tool);
  const isDisabled = ({ name, category }: Tool) =>
    [user, fromWorkspace, own].some(({ tools: { off } }) => off.includes(name) || off.includes(category));
  const changeSettings = (change: (settings: SettingsInput) => void) => {
    user = changeUserSettings(places.settingsFile, change);
  };

  const { approve } = options;
  const approving: Asker | undefined =
    approve && (async (asks) => Promise.all(asks.map((ask) => approve(ask))));

  const emit = (event: WieldEvent) => {
    for (const listener of listeners) listener(event);
  };
  const runtimeFor = (known: ToolRegistry) =>
    createRuntime({
      registry: known,
      workspace,
      store,
      session,
      policy,
      // Loaded when the first command runs: reading a file should not wait for it.
      run: async (command) => (await import("../process/run.ts")).runCommand(command),
      asker: () => options.asker ?? approving,
      isDisabled,
      remember: async (rule, scope) => {
        sessionRules.push(rule);
        if (scope === "session") return;
        user = saveUserRule(places.settingsFile, { ...rule, workspace: workspace.root });
      },
      emit,
    });
  const runtime = runtimeFor(registry);
  const budgeted = (given: CallOptions = {}): CallOptions => ({
    budget: limits().tokensPerCall ?? 8000,
    ...given,
  });

  const enabledTools = () => registry.list().filter((tool) => !isDisabled(tool));

  return {
    workspace,
    registry,
    store,
    trusted,
    get tools() {
      return enabledTools();
    },
    agent: async (given = {}) => {
      // Loaded with the first agent: everything else works without a model.
      const { agentSettings, makeAgent } = await import("./agents.ts");
      const tools = enabledTools();
      const custom = new Set(options.customTools?.map((tool) => tool.name));
      const settings = agentSettings(user, options.settings ?? {});
      return makeAgent({ workspace, store, tools, custom, settings, env, runtimeFor, emit }, given);
    },
    sessions: (limit) => store.sessions({ workspace: workspace.root, ...(limit !== undefined && { limit }) }),
    call: (tool, input, given) => runtime.call({ tool, input }, budgeted(given)),
    step: (calls, given) => runtime.step(calls, budgeted(given)),
    aiTools: () =>
      registry.toAISDKTools((tool, input, { callId, signal }) =>
        runtime.call({ tool, input, ref: callId }, budgeted(signal ? { signal } : {})),
      ),
    pending: () => store.pending().filter((pending) => pending.workspace === workspace.root),
    answer: (id, answer) => runtime.answer(id, answer, budgeted()),
    changes: (query) => workspace.changes(query),
    settings: () => user,
    changeSettings,
    policy,
    forget: (rule) => {
      const { workspace: _, ...bare } = rule;
      const same = ({ workspace: where, ...other }: Rule) =>
        (where === undefined || where === workspace.root) && canonicalJson(other) === canonicalJson(bare);
      sessionRules.splice(0, sessionRules.length, ...sessionRules.filter((known) => !same(known)));
      changeSettings((settings) => {
        settings.rules = settings.rules?.filter((known) => !same(known));
      });
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      web.close();
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

/** A tool that could write Wield's own settings or journal could allow itself anything. */
function refuseOwnFolders(root: string, places: Places): void {
  const inside = [places.stateDir, places.settingsFile].find((path) =>
    `${path}/`.startsWith(root.endsWith("/") ? root : `${root}/`),
  );
  if (inside === undefined) return;
  throw new Failure(
    "INVALID_PATH",
    `${root} holds Wield's own files (${inside}). Open a folder inside it, such as a project.`,
  );
}
