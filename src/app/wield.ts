import type { Experimental_SandboxSession } from "ai";
import type { Agent } from "../agent/agent.ts";
import { chatPrefix, findSession, isResearchPhase, removeSession } from "../agent/log.ts";
import type { Answer, Ask, Asker } from "../approval/approval.ts";
import { decide, type Policy } from "../approval/decide.ts";
import type { PermissionMode } from "../approval/modes.ts";
import type { CodeIntelligence } from "../code/code.ts";
import type { WieldEvent } from "../events/events.ts";
import { Listeners } from "../events/listeners.ts";
import { rememberSuccess } from "../failure/remember-success.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import type { McpPerson } from "../mcp/host.ts";
import type { KnownModels } from "../model/known-models.ts";
import { ToolRegistry } from "../registry/registry.ts";
import { createCallOrder } from "../runtime/call-order.ts";
import { noFootprint } from "../runtime/footprint.ts";
import { type CallOptions, type CallOutcome, createRuntime } from "../runtime/runtime.ts";
import { scopeWorkspace } from "../runtime/scoped-workspace.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { newId } from "../text/ids.ts";
import type { AnyTool, Tool } from "../tool/tool.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { RunInTerminal } from "../tools/run/terminal.ts";
import type { Suggest } from "../tools/studio/request-suggestions.ts";
import { builtinNames, loadTools, type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { ensureDirectory } from "../workspace/state-files.ts";
import type { WholeWorkspace, Workspace } from "../workspace/workspace.ts";
import { AgentRestrictions } from "./agent-restrictions.ts";
import type { AgentOptions } from "./agents.ts";
import { CodeIndex } from "./code-index.ts";
import { confinedServers } from "./confined-servers.ts";
import { forgeVariables, gitVariables, variablesOf } from "./environment.ts";
import type { FindPathsOptions } from "./find-paths.ts";
import { Flow } from "./flow.ts";
import { Hooks, rulesForHooks } from "./hooks.ts";
import { Keys } from "./keys.ts";
import { Lineage } from "./lineage.ts";
import { WieldMcp } from "./mcp.ts";
import { FolderNotes, notesFor } from "./notes.ts";
import { OpenApprovals } from "./open-approvals.ts";
import type { OwnCommand } from "./own-commands.ts";
import { PermissionModes } from "./permission-modes.ts";
import { personForClients } from "./person-questions.ts";
import { placesFrom } from "./places.ts";
import { Preferences } from "./preferences.ts";
import { PriceList, usualPriceList } from "./price-list.ts";
import { checkProviders, describeSandbox, listPrograms, listProviders, usualModel } from "./providers.ts";
import { requireOutside } from "./require-outside.ts";
import { readUserSettings, type SettingsInput, tokensOfCall } from "./settings.ts";
import { Storage } from "./storage.ts";
import { indexing, openTelemetry, watchedSandbox } from "./telemetry.ts";
import { openToolCollection } from "./tool-collection.ts";
import { isTrusted } from "./trust.ts";
import { UnderWay } from "./under-way.ts";
import { withUnsavedText } from "./unsaved-text.ts";
import { composeWeb } from "./web.ts";
import type {
  TypedCall,
  WieldApprovals,
  WieldChanges,
  WieldCost,
  WieldKeys,
  WieldProviders,
  WieldSessions,
  WieldSettings,
  WieldTools,
} from "./wield-members.ts";
import { wieldTools } from "./wield-tools.ts";
import { workspaceSecrets } from "./workspace-secrets.ts";

export interface WieldOptions {
  /** The folder that the tools work in. */
  workspace: string;
  /** Answers one ask. Left out: nobody is there, and what needs approval fails with `APPROVAL_REQUIRED`. */
  approve?: (ask: Ask) => Answer | Promise<Answer>;
  /** Answers all asks of a step together; instead of `approve`. Looked at for each ask, so a getter may say who is there. */
  readonly asker?: Asker | undefined;
  /** The permission mode: what is asked about. Default: what the person chose for the folder, or `ask`. */
  mode?: PermissionMode;
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
  /** The text of a file as an editor has it, saved or not; undefined: as it is on disk. Tools that read a file get this. */
  unsaved?: (path: string, onDisk: string) => Promise<string | undefined>;
  /** A terminal for commands that the person lets run outside the sandbox. Left out: they run as processes of Wield. */
  terminal?: RunInTerminal;
  /** A layer over the workspace, such as one that keeps changes elsewhere, too. */
  around?: (workspace: WholeWorkspace) => WholeWorkspace;
  /** What needs approval while nobody is there stays open for `approvals`. Default: it is only refused. */
  keepUnanswered?: boolean;
  /** Where sessions, calls and documents are kept. Default: a SQLite file among the user's state. */
  store?: Store;
  /** Default: the process environment; decides where settings and state are kept. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** Wield on one folder. What belongs together is one member; the calls themselves are here. */
export interface Wield {
  readonly workspace: Workspace;
  /** What is kept between processes: sessions, calls, documents. */
  readonly store: Store;
  readonly tools: WieldTools;
  readonly settings: WieldSettings;
  readonly providers: WieldProviders;
  readonly approvals: WieldApprovals;
  /** Keys of providers that a person gave to Wield. */
  readonly keys: WieldKeys;
  readonly sessions: WieldSessions;
  /** What models cost. */
  readonly cost: WieldCost;
  readonly changes: WieldChanges;
  /** MCP servers: those in use, those that other programs are set up with, and what they offer besides tools. */
  readonly mcp: WieldMcp;
  /** What is kept on this machine for all folders, and removing what is old. */
  readonly storage: Storage;
  /** Runs a built-in tool. */
  call: TypedCall;
  /** Runs any tool by name, such as one that was added; the input is checked when the call runs. */
  callAny(tool: string, input: unknown, options?: CallOptions): Promise<CallOutcome>;
  /** Calls that keep their order where one changes files that another is about: for the requests of one connection. */
  callsInOrder(): Wield["callAny"];
  /** The tool `ask_person` for clients of the MCP server. */
  readonly person: McpPerson;
  /** Several calls of one step: run side by side, asks gathered, outcomes in order. */
  step(calls: readonly { tool: string; input: unknown }[], options?: CallOptions): Promise<CallOutcome[]>;
  /** An agent on these tools, in a session of its own or one that it continues. */
  agent(options?: AgentOptions): Promise<Agent>;
  /** Models that an agent may be given by name; asks the providers that a key is found for. */
  models(): Promise<KnownModels>;
  /** The index of the code, opened when it is first asked for. */
  code(): Promise<CodeIntelligence>;
  /** The files that somebody may mean who begins to write a path, best first. */
  findPaths(wanted: string, options?: FindPathsOptions): Promise<string[]>;
  /** The sandbox as the AI SDK knows one (`experimental_sandbox`): tools of other people run in it, under this policy. */
  sandboxSession(): Promise<Experimental_SandboxSession>;
  /** Bytes of web pages that came in so far. */
  webBytes(): number;
  /** Messages that the person and a trusted folder keep in files and send by name. */
  commands(): Promise<OwnCommand[]>;
  on(listener: (event: WieldEvent) => void): () => void;
  /** How many listeners there are: nothing adds one without taking it off again. */
  listenerCount(): number;
  /** Stops calls and runs under way, waits for their end and closes everything; later calls are refused. */
  close(): Promise<void>;
}

/** The composition root: settings, workspace, store, tools and the runtime, joined. */
export async function createWield(options: WieldOptions): Promise<Wield> {
  const env = options.env ?? process.env;
  const places = placesFrom(env);
  prepareStateFolder(places.stateDir);
  const user = readUserSettings(places.settingsFile);
  const opened = await openWorkspace(options.workspace, {
    stateDir: places.stateDir,
    journal: { capBytes: user.journal.bytesPerChange, quotaBytes: user.journal.bytesInAll },
  });
  const layered = options.around?.(opened) ?? opened;
  const workspace = options.unsaved ? withUnsavedText(layered, options.unsaved) : layered;
  requireOutside(workspace.root, places);
  const preferences = await Preferences.open(user, options.settings ?? {}, workspace, places);
  const { trusted } = preferences;
  const keys = new Keys(places.keysFile, env);
  const prices = new PriceList(places.pricesFile, () => preferences.forAgents().prices);
  const store = options.store ?? openSqliteStore(places.storeFile);
  const storage = new Storage(places, store, () => preferences.user);
  const session = newId("w");
  const folderMode = {
    get: () => preferences.folderMode,
    set: (mode: PermissionMode) => preferences.setFolderMode(mode),
  };
  const states = () => store.sessionStates();
  const lineage = new Lineage(states);
  const modes = new PermissionModes(states, lineage, folderMode, options.mode);
  const { control, public: publicPaths } = preferences.group("flow");
  const flow = control
    ? new Flow({
        ...{ states, lineage, passing: session },
        facts: { trusted, public: publicPaths },
        secrets: workspaceSecrets(workspace, () => keys.env),
      })
    : undefined;
  const restrictions = new AgentRestrictions();
  /** What a person said in a session holds for it and for all that work for it, not for others. */
  const rulesIn = (of: string | undefined) => preferences.rulesOf(of === undefined ? of : lineage.top(of));
  const hookRules = () =>
    rulesForHooks([preferences.user.hooks, preferences.fromWorkspace.hooks], workspace.root);
  const inSession = (current: Policy, of?: string): Policy => ({
    ...restrictions.applyTo({ ...current, session: [...rulesIn(of), ...hookRules()] }, of),
    mode: modes.of(of),
  });
  const policy = (of?: string): Policy => inSession(preferences.policy(), of);
  const listeners = new Listeners();
  const telemetry = await openTelemetry(preferences.group("telemetry"), env);
  if (telemetry) listeners.add(telemetry.listener);
  const approvals = new OpenApprovals(store, workspace.root, () => preferences.group("approvals").days);

  const codeIndex = new CodeIndex(workspace, places.stateDir, telemetry && indexing(telemetry));
  const openCode = () => codeIndex.open();
  const web = composeWeb(
    () => preferences.group("web"),
    () => keys.env,
    policy,
  );
  const openExecution = rememberSuccess(async (): Promise<Execution> => {
    const { createExecution } = await import("./execution.ts");
    const execution = createExecution({
      settings: preferences.group("execution"),
      env,
      stateDir: places.stateDir,
      store,
      root: workspace.root,
      terminal: options.terminal,
      approvalDays: () => preferences.group("approvals").days,
      policy,
      call: async (tool, input, signal, of) => {
        const restriction = restrictions.of(of);
        if (restriction && !restriction.tools.has(tool))
          return { ok: false, text: `${tool} is not a tool of the agent that runs this code.` };
        const { asker } = restriction ?? {};
        const given = { signal, ...(of !== undefined && { session: of }), ...(asker && { asker }) };
        const { result, text } = await runtime.call({ tool, input }, budgeted(given));
        return { ok: result.ok, text };
      },
    });
    return telemetry ? watchedSandbox(execution, telemetry) : execution;
  });

  const registry = new ToolRegistry();
  const collection = await openToolCollection({
    runConfined: async (script) => {
      const { runScript } = await import("./execution.ts");
      return runScript(script, workspace.root, await openExecution());
    },
    ...{ registry, store, places, workspace, env, preferences },
    only: typeof options.tools === "object" ? new Set(options.tools) : undefined,
    elicit: () => options.elicit,
    confineServer: confinedServers({
      ...{ workspace, env, stateDir: places.stateDir },
      execution: openExecution,
      rules: (path) => preferences.reading("read_file", path),
    }),
    sample: async (request, signal) => {
      const { sampleWith } = await import("./sample.ts");
      return sampleWith(env["WIELD_MODEL"] ?? preferences.model, env, request, signal);
    },
  });
  // Agents learn from their own calls: what one chat found and used says nothing about another.
  listeners.add((event) => {
    if (event.type === "call-end" && event.record.ok && event.record.session === session)
      collection.discovery.called(event.record.tool);
  });
  const names = namesOf(options.tools);
  const builtin = await loadTools(names, {
    results: (id) => store.result(id),
    readLines: () => preferences.limits.readLines,
    web: web.open,
    git: {
      env: () => variablesOf(env, gitVariables),
      trusted: () => preferences.trusted,
      runConfined: async (...given) =>
        (await import("../tools/run/confined-script.ts")).confinedScript(openExecution)(...given),
      forge: () => variablesOf(keys.env, forgeVariables),
    },
    documents: () => store.documents(workspace.root),
    plans: () => store.plans(workspace.root),
    suggest:
      options.suggest ??
      (async (document, signal) => {
        const [{ suggestWith }, { chooseModel }] = await Promise.all([
          import("./suggest.ts"),
          import("../model/model.ts"),
        ]);
        const chosen = () => chooseModel(env["WIELD_MODEL"] ?? preferences.model, keys.env);
        return suggestWith(chosen)(document, signal);
      }),
    skills: collection.skills,
    discovery: collection.discovery,
    code: openCode,
    execution: openExecution,
  });
  const research = names.includes("read_research") ? await web.researchTool() : undefined;
  for (const tool of [...builtin, ...(research ? [research] : []), ...(options.customTools ?? [])])
    registry.register(collection.admit(tool));
  await collection.refresh();
  const { approve } = options;
  const approving: Asker | undefined =
    approve && (async (asks) => Promise.all(asks.map((ask) => approve(ask))));

  const emit = (event: WieldEvent) => listeners.tell(event);
  listeners.add((event) => {
    if (event.type === "files-change") codeIndex.changed(event.paths);
  });
  const hooks = new Hooks({
    ...{ root: workspace.root, env },
    settings: async () => {
      const own = preferences.fromWorkspace.hooks;
      const hasOwn = [own.beforeCall, own.afterCall, own.endOfRun].some((some) => some.length > 0);
      // What the person trusted is what runs: files that the hooks name may have changed since.
      const areTrusted = hasOwn && preferences.trusted && (await isTrusted(places.trustFile, workspace));
      return [preferences.user.hooks, ...(areTrusted ? [own] : [])];
    },
    run: async (command) => (await import("../process/run.ts")).runCommand(command),
  });
  const { workspace: readable } = scopeWorkspace(workspace, new AbortController().signal, {
    rules: (path) => preferences.reading("read_file", path),
    wasAsked: false,
  });
  const notesPlace = { workspace, readable, places };
  /** What a model is told of the project's notes is private data like any other file of it. */
  const knowsNotes = async (of: string, path: string) => {
    if (flow && (path.startsWith("..") || !flow.workspace.isPublic(path)))
      await flow.add(of, { private: [path], outside: [] }, []);
  };
  const folderNotes = new FolderNotes(notesPlace, knowsNotes);
  const endings = new Set<Promise<void>>();
  listeners.add((event) => {
    if (event.type !== "run-end" || !event.session.startsWith(chatPrefix)) return;
    const { session: of, stop, message } = event;
    const ending = hooks.endOfRun({ session: of, stop, ...(message !== undefined && { message }) });
    endings.add(ending.finally(() => endings.delete(ending)));
  });
  const runtimeFor = (known: ToolRegistry) =>
    createRuntime({
      registry: known,
      workspace,
      store,
      session,
      policy: async (of) => inSession(await preferences.currentPolicy(), of),
      // Loaded when the first command runs: reading a file should not wait for it.
      run: async (command) => (await import("../process/run.ts")).runCommand(command),
      asker: () => options.asker ?? approving,
      disabled: collection.disabled,
      ...(flow && { flow }),
      remember: async (rules, scope, of) => preferences.remember(rules, scope, lineage.top(of)),
      emit,
      ...(telemetry && { around: telemetry.inCall }),
      hooks,
      notes: (of, effects) => folderNotes.after(of, effects),
      keepUnanswered: options.keepUnanswered ?? false,
    });
  const underWay = new UnderWay();
  const runtime = underWay.runtime(runtimeFor(registry));
  const budgeted = (given: CallOptions = {}): CallOptions => ({
    budget: tokensOfCall(preferences.limits),
    ...given,
  });

  const providerParts = () => ({
    env: keys.env,
    web: preferences.group("web"),
    model: env["WIELD_MODEL"] ?? preferences.model,
  });
  const sessionParts = { store, workspace, emit };
  const rewinding = () => import("./rewind.ts");
  let notesProblems: readonly string[] = [];
  const tools = wieldTools({
    ...{ registry, collection, store },
    call: (tool, input, { callId, signal }) =>
      runtime.call({ tool, input, ref: callId }, budgeted(signal ? { signal } : {})),
    problems: () => [...notesProblems, ...preferences.problems(), ...(telemetry?.problems() ?? [])],
  });

  const callAny: Wield["callAny"] = async (tool, input, given) => {
    await collection.ready([tool]);
    return runtime.call({ tool, input }, budgeted(given));
  };

  return {
    workspace,
    store,
    tools,
    settings: {
      trusted,
      user: () => preferences.user,
      change: (change) => preferences.change(change),
      policy,
      mode: (of) => modes.of(of),
      modeOf: async (of) => {
        await modes.load(of);
        return modes.of(of);
      },
      setMode: async (mode, { session: of, folder }) => {
        if (folder) modes.setFolder(mode);
        if (of !== undefined) await modes.set(mode, of);
      },
      mayRead: (tool, path) => preferences.reading(tool, path) === "allow",
      forget: (rule, instead) => preferences.forget(rule, instead),
    },
    providers: {
      list: () => listProviders(providerParts()),
      model: () => usualModel(providerParts()),
      machine: async () => {
        const programs = listPrograms(env, preferences.group("web"));
        return [...programs, await describeSandbox(async () => (await openExecution()).sandbox())];
      },
      check: (signal) => checkProviders(providerParts(), signal),
    },
    approvals: {
      pending: () => approvals.list(),
      preview: async (id) => {
        const { tool, args } = await approvals.find(id);
        return runtime.preview({ tool, input: args });
      },
      answer: async (id, answer) => runtime.answer((await approvals.find(id)).id, answer, budgeted()),
    },
    keys: {
      list: () => keys.list(),
      set: (provider, key, given) => keys.set(provider, key, { model: preferences.model, ...given }),
      remove: async (provider) => keys.remove(provider),
    },
    sessions: {
      remove: async (id) => {
        const found = await findSession(store, id, workspace.root);
        await removeSession(store, found.id);
        return found;
      },
      list: async (limit = 50) => {
        const all = await store.sessions({ workspace: workspace.root, prefix: chatPrefix, limit: limit * 4 });
        return all.filter(({ id }) => !isResearchPhase(id)).slice(0, limit);
      },
      messages: async (id) => (await rewinding()).rewindMessages(sessionParts, id),
      planRewind: async (id, to) => (await rewinding()).planRewind(sessionParts, id, to),
      rewind: async (id, to, what) => (await rewinding()).rewindSession(sessionParts, id, to, what),
      fork: async (id, before) => {
        const { forkSession } = await import("../agent/fork.ts");
        const record = await findSession(store, id, workspace.root);
        return forkSession(store, record, before, () => new Date());
      },
    },
    cost: {
      view: async (id) => {
        const { costView } = await import("./cost.ts");
        const budget = preferences.forAgents().agent.costUsdPerDay;
        return costView({ store, root: workspace.root, prices, budget }, id);
      },
      priceOf: (model) => prices.of(model),
      refreshPrices: async (signal = new AbortController().signal) =>
        prices.refresh(preferences.user.pricesFrom ?? usualPriceList, signal),
    },
    mcp: new WieldMcp({ ...{ places, workspace, env, flow }, preferences, servers: collection.mcp }),
    storage,
    changes: { list: (query) => workspace.changes(query) },
    // What a tool returns was checked against the schema that the type stands for.
    call: callAny as TypedCall,
    callAny,
    callsInOrder: () => {
      const order = createCallOrder("connection");
      return (tool, input, given) => {
        // Taken at once: what comes before it is decided by when it was sent.
        const place = order.next(tool);
        return callAny(tool, input, { ...given, place }).finally(() => place.finish(false, noFootprint));
      };
    },
    person: personForClients(
      (known) => underWay.runtime(runtimeFor(known)),
      () => options.elicit,
    ),
    step: async (calls, given) => {
      await collection.ready(calls.map(({ tool }) => tool));
      return runtime.step(calls, budgeted(given));
    },
    agent: async (given = {}) => {
      // Loaded with the first agent: everything else works without a model.
      const { makeAgent } = await import("./agents.ts");
      // A server that is new may be about to answer; one that is not joins at a later step.
      await Promise.race([collection.ready(), soon()]);
      const toolsNow = async () => {
        await collection.refresh();
        return tools.list();
      };
      const added = () =>
        new Set([...(options.customTools?.map((tool) => tool.name) ?? []), ...collection.added()]);
      const skills = async () => (await collection.skills.list()).map((skill) => skill.name);
      const settings = preferences.forAgents();
      const isFree = (tool: string, of: string) => {
        const effect = { kind: "fetch", url: "https://api.anthropic.com/", method: "POST" } as const;
        // Its requests are not seen before they leave, and what they bring may lead to the next one.
        if (flow && flow.known(of).private.length > 0) return false;
        return decide({ tool, byDefault: "auto", effects: [effect] }, policy(of)).decision === "allow";
      };
      const notes = async (of: string) => {
        const found = await notesFor(notesPlace);
        notesProblems = found.problems;
        for (const path of found.files) await knowsNotes(of, path);
        folderNotes.follow(of);
        return found;
      };
      const checker = async (seconds: number) => {
        if (!preferences.trusted) return undefined;
        const { checkCode } = await import("../tools/run/check-code.ts");
        return checkCode(await openExecution(), seconds) as unknown as Tool;
      };
      const services = {
        importersOf: async (path: string, signal: AbortSignal) => {
          const { importers } = await (await openCode()).importers(path, { signal });
          return [...new Set(importers.map(({ file }) => file))];
        },
        checker,
        env: keys.env,
        priceOf: (model: string) => prices.of(model),
        tools: toolsNow,
        ...{ workspace, store, added, settings, skills, modes, lineage, flow, restrictions },
        isFavourite: collection.isFavourite,
        elicit: () => options.elicit,
        ...{ notes, isFree, runtimeFor, discoveryIn: collection.discoveryIn, emit },
      };
      return underWay.agent(await makeAgent(services, given));
    },
    webBytes: web.received,
    models: async () => {
      const { knownModels } = await import("../model/known-models.ts");
      const { model, prices } = preferences.forAgents();
      const named = [env["WIELD_MODEL"], model, ...Object.keys(prices)];
      return knownModels(
        keys.env,
        named.flatMap((name) => name || []),
      );
    },
    code: openCode,
    findPaths: async (wanted, given) => {
      const { findPaths } = await import("./find-paths.ts");
      const rules = preferences.readingRules("read_file");
      return findPaths(workspace, wanted, (path) => rules(path) === "allow", given);
    },
    sandboxSession: async () => {
      const [{ sandbox, judge, held }, { sandboxSession }] = await Promise.all([
        openExecution(),
        import("../sandbox/session.ts"),
      ]);
      const by = { callId: newId("c"), tool: "sandbox_session", description: "a tool in the sandbox" };
      const scope = scopeWorkspace(workspace, new AbortController().signal, {
        rules: (path) => preferences.reading(by.tool, path),
        wasAsked: false,
      });
      return sandboxSession(sandbox(), { ...scope, judge, held, by });
    },
    commands: async () => {
      const { ownCommands } = await import("./own-commands.ts");
      return ownCommands(workspace, places);
    },
    on: (listener) => listeners.add(listener),
    listenerCount: () => listeners.size,
    close: rememberSuccess(async () => {
      await underWay.close();
      await Promise.allSettled(endings);
      collection.close();
      codeIndex.close();
      web.close();
      workspace.close();
      // Nobody waits for what only saves space, and a failure of it is no failure of the work.
      if (!options.store) await storage.tidyIfDue().catch(() => undefined);
      await store.close();
      await telemetry?.close();
    }),
  };
}

/** One that cannot be made or closed to others is told by what needs it: much works without. */
function prepareStateFolder(path: string): void {
  try {
    ensureDirectory(path);
  } catch {
    // What needs the folder says what is wrong with it.
  }
}

/** What an agent that starts gives a new server. */
function soon(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, 1_000).unref();
  return promise;
}

function namesOf(tools: WieldOptions["tools"] = builtinNames): readonly string[] {
  return typeof tools === "string" ? toolsets[tools] : tools;
}
