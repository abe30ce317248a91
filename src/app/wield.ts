import { chatPrefix } from "../agent/log.ts";
import type { Asker } from "../approval/approval.ts";
import type { Policy } from "../approval/decide.ts";
import type { PermissionMode } from "../approval/modes.ts";
import type { WieldEvent } from "../events/events.ts";
import { Listeners } from "../events/listeners.ts";
import { rememberSuccess } from "../failure/remember-success.ts";
import type { RunCommand } from "../process/process.ts";
import { ToolRegistry } from "../registry/registry.ts";
import { currentCall, currentSession } from "../runtime/current-call.ts";
import { type CallOptions, createRuntime } from "../runtime/runtime.ts";
import { scopeWorkspace } from "../runtime/scoped-workspace.ts";
import type { RuntimeParts } from "../runtime/stages.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import { newId } from "../text/ids.ts";
import type { Execution } from "../tools/run/execution.ts";
import { builtinNames, loadTools, toolsets } from "../toolsets/toolsets.ts";
import { ensureDirectory } from "../workspace/state-files.ts";
import { AgentRestrictions } from "./agent-restrictions.ts";
import { builtinServices } from "./builtin-services.ts";
import { ClientCalls, isOfProcess } from "./client-calls.ts";
import { CodeIndex } from "./code-index.ts";
import { confinedServers } from "./confined-servers.ts";
import { ConversationModels } from "./conversation-models.ts";
import { Flow } from "./flow.ts";
import { gitHistory } from "./git-history.ts";
import { Hooks } from "./hooks.ts";
import { Keys } from "./keys.ts";
import { Lineage } from "./lineage.ts";
import { WieldMcp } from "./mcp.ts";
import { OpenApprovals } from "./open-approvals.ts";
import { openFolder } from "./open-folder.ts";
import { PermissionModes } from "./permission-modes.ts";
import { personForClients } from "./person-questions.ts";
import { placesFrom } from "./places.ts";
import { Preferences } from "./preferences.ts";
import { PriceList } from "./price-list.ts";
import { gitHookRules, rulesForCommands, rulesForPlaces } from "./program-rules.ts";
import { SessionNotes } from "./session-notes.ts";
import { readUserSettings, tokensOfCall } from "./settings.ts";
import { Storage } from "./storage.ts";
import { indexing, openTelemetry, watchedSandbox } from "./telemetry.ts";
import { openToolCollection } from "./tool-collection.ts";
import { isTrusted } from "./trust.ts";
import { UnderWay } from "./under-way.ts";
import { composeWeb } from "./web.ts";
import { agentOpener } from "./wield-agents.ts";
import type { TypedCall } from "./wield-members.ts";
import { wieldProcesses } from "./wield-processes.ts";
import { wieldSessions } from "./wield-sessions.ts";
import { wieldSetup } from "./wield-setup.ts";
import { wieldTools } from "./wield-tools.ts";
import type { Wield, WieldOptions } from "./wield-types.ts";
import { mayShow } from "./withheld.ts";
import { workspaceSecrets } from "./workspace-secrets.ts";
import { WorktreeRecords } from "./worktree-records.ts";
import { Worktrees } from "./worktrees.ts";

export type { Wield, WieldOptions };

/** The composition root: settings, workspace, store, tools and the runtime, joined. */
export async function createWield(options: WieldOptions): Promise<Wield> {
  const env = options.env ?? process.env;
  const places = placesFrom(env);
  prepareStateFolder(places.stateDir);
  const user = readUserSettings(places.settingsFile);
  const records = new WorktreeRecords(places);
  const { workspace, project, record } = await openFolder(options, places, user, records);
  const worktree = record && { gitDir: record.gitDir, commonDir: record.commonDir, repository: project };
  const preferences = await Preferences.open(user, options.settings ?? {}, project, places, workspace.root);
  const keys = new Keys(places.keysFile, env);
  const prices = new PriceList(places.pricesFile, () => preferences.forAgents().prices);
  const store = options.store ?? openSqliteStore(places.storeFile);
  const storage = new Storage(
    places,
    store,
    () => preferences.user,
    () => worktrees,
  );
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
        ...{ states, lineage, isPassing: (of) => isOfProcess(of, session) },
        facts: { trusted: () => preferences.trusted, public: publicPaths, root: project.root },
        secrets: workspaceSecrets(workspace, () => keys.env),
      })
    : undefined;
  const restrictions = new AgentRestrictions();
  /** What a person said in a session holds for it and for all that work for it, not for others. */
  const rulesIn = (of: string | undefined) => preferences.rulesOf(of === undefined ? of : lineage.top(of));
  const placeRules = rulesForPlaces(workspace.root, env["PATH"] ?? "");
  const hookRules = gitHookRules(project.root);
  const programRules = () => [
    ...rulesForCommands(workspace.root, [preferences.user, preferences.fromWorkspace]),
    ...placeRules,
    ...hookRules(),
  ];
  const inSession = (current: Policy, of?: string): Policy => ({
    ...restrictions.applyTo({ ...current, session: [...rulesIn(of), ...programRules()] }, of),
    mode: modes.of(of),
    ...(options.sharedMachine && { sharedMachine: true }),
  });
  const policy = (of?: string): Policy => inSession(preferences.policy(), of);
  const isShown = mayShow(workspace, async (of) => inSession(await preferences.currentPolicy(), of));
  const listeners = new Listeners();
  const emit = (event: WieldEvent) => listeners.tell(event);
  const telemetry = await openTelemetry(preferences.group("telemetry"), env, () => currentCall()?.id);
  if (telemetry) listeners.add(telemetry.listener);
  const approvals = new OpenApprovals(store, workspace.root, () => preferences.group("approvals").days);

  const closing = new AbortController();
  /** Loaded when the first command runs: reading a file should not wait for it. */
  const run: RunCommand = async (command) => (await import("../process/run.ts")).runCommand(command);
  const codeIndex = new CodeIndex(workspace, places.stateDir, {
    watched: telemetry && indexing(telemetry),
    shared: options.sharedCode,
    pastCommits: gitHistory(workspace, () => services.git, closing.signal),
  });
  const openCode = () => codeIndex.open();
  const models = new ConversationModels(
    (of) => !isOfProcess(of, session),
    async () => {
      const named = env["WIELD_MODEL"] ?? preferences.model;
      return named === undefined
        ? undefined
        : (await import("../model/model.ts")).chooseModel(named, keys.env);
    },
  );
  const web = composeWeb(
    () => preferences.group("web"),
    () => keys.env,
    policy,
    (port) => execution?.background.connect(port, currentSession()),
  );
  /** As the rules let runs see the files, for changes that no call waits for. */
  const runWorkspace = () =>
    scopeWorkspace(workspace, new AbortController().signal, {
      rules: (path) => preferences.reading("run_code", path),
      wasAsked: false,
    });
  let execution: Execution | undefined;
  const processes = wieldProcesses(() => execution);
  const openExecution = rememberSuccess(async (): Promise<Execution> => {
    const { createExecution } = await import("./execution.ts");
    const opened = createExecution({
      workspaceFor: () => runWorkspace().workspace,
      topSession: (of) => lineage.top(of),
      emit,
      settings: preferences.group("execution"),
      env,
      stateDir: places.stateDir,
      store,
      root: workspace.root,
      project: project.root,
      gitDir: worktree?.commonDir,
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
    execution = telemetry ? watchedSandbox(opened, telemetry) : opened;
    return execution;
  });

  const registry = new ToolRegistry();
  const collection = await openToolCollection({
    runConfined: async (script) => {
      const { runScript } = await import("./execution.ts");
      return runScript(script, workspace.root, await openExecution());
    },
    ...{ registry, store, places, env, preferences },
    ...{ workspace: project, root: workspace.root },
    only: typeof options.tools === "object" ? new Set(options.tools) : undefined,
    elicit: () => options.elicit,
    confineServer: confinedServers({
      ...{ workspace, env, stateDir: places.stateDir },
      execution: openExecution,
      rules: (path) => preferences.reading("read_file", path),
    }),
    conversation: currentSession,
    web: web.open,
    sample: async (request, of, signal) => {
      const { sampleWith } = await import("./sample.ts");
      return sampleWith(await models.of(of, "An answer for a server needs"), request, signal);
    },
  });
  // Agents learn from their own calls: what one chat found and used says nothing about another.
  listeners.add((event) => {
    if (event.type === "call-end" && event.record.ok && event.record.session === session)
      collection.discovery.called(event.record.tool);
  });
  const names = namesOf(options.tools);
  const services = builtinServices({
    ...{ env, workspace, store, preferences, keys, web, collection, openCode, openExecution },
    syntax: (path, text) => codeIndex.firstError(path, text),
    worktree: worktree ?? options.gitWorktree,
    project: project.root,
    suggest: options.suggest,
    models,
    mayShow: isShown,
  });
  const worktrees = new Worktrees({
    ...{ places, records, project, git: services.git, run },
    ending: async () => {
      for (const { id, state } of processes.list()) if (state === "running") await processes.stop(id);
    },
  });
  const builtin = await loadTools(names, services);
  const research = names.includes("read_research") ? await web.researchTool() : undefined;
  for (const tool of [...builtin, ...(research ? [research] : []), ...(options.customTools ?? [])])
    registry.register(collection.admit(tool));
  await collection.refresh();
  const { approve } = options;
  const approving: Asker | undefined =
    approve && (async (asks) => Promise.all(asks.map((ask) => approve(ask))));

  listeners.add((event) => {
    if (event.type === "files-change") codeIndex.changed(event.paths);
  });
  const hooks = new Hooks({
    ...{ workspace, env, flow, policy, run, execution: openExecution },
    settings: async () => {
      const own = preferences.fromWorkspace.hooks;
      const hasOwn = [own.beforeCall, own.afterCall, own.endOfRun].some((some) => some.length > 0);
      // What the person trusted is what runs: files that the hooks name may have changed since.
      const areTrusted =
        hasOwn && preferences.trusted && (await isTrusted(places.trustFile, workspace, project.root));
      const ofFolder = areTrusted ? [{ hooks: own, isPersons: false }] : [];
      return [{ hooks: preferences.user.hooks, isPersons: true }, ...ofFolder];
    },
    changed: (callId, changes) => {
      for (const { id, files } of changes)
        emit({ type: "files-change", callId, changeId: id, paths: files.map(({ path }) => path) });
    },
  });
  const hookProblems = await hooks.problems();
  const { workspace: readable } = scopeWorkspace(workspace, new AbortController().signal, {
    rules: (path) => preferences.reading("read_file", path),
    wasAsked: false,
  });
  const notes = new SessionNotes({ workspace, project, readable, places }, flow);
  const endings = new Set<Promise<void>>();
  listeners.add((event) => {
    if (event.type !== "run-end" || !event.session.startsWith(chatPrefix)) return;
    const { session: of, stop, message } = event;
    const ending = hooks.endOfRun({ session: of, stop, ...(message !== undefined && { message }) });
    endings.add(ending.finally(() => endings.delete(ending)));
  });
  const runtimeFor = (known: ToolRegistry, elsewhere?: RuntimeParts["elsewhere"]) =>
    createRuntime({
      registry: known,
      workspace,
      store,
      session,
      policy: async (of) => inSession(await preferences.currentPolicy(), of),
      run,
      asker: () => options.asker ?? approving,
      disabled: collection.disabled,
      ...(elsewhere && { elsewhere }),
      ...(flow && { flow }),
      remember: async (rules, scope, of) => preferences.remember(rules, scope, lineage.top(of)),
      emit,
      hooks,
      notes: async (of, effects) => [
        ...(await notes.after(of, effects)),
        ...(execution?.background.news(of) ?? []),
      ],
      keepUnanswered: options.keepUnanswered ?? false,
    });
  const underWay = new UnderWay();
  const runtime = underWay.runtime(runtimeFor(registry));
  const budgeted = (given: CallOptions = {}): CallOptions => ({
    budget: tokensOfCall(preferences.limits),
    ...given,
  });

  const tools = wieldTools({
    ...{ registry, collection, store },
    call: (tool, input, { callId, signal }) =>
      runtime.call({ tool, input, ref: callId }, budgeted(signal ? { signal } : {})),
    problems: () => [
      ...notes.problems,
      ...preferences.problems(),
      ...hookProblems,
      ...(telemetry?.problems() ?? []),
    ],
  });

  const callAny: Wield["callAny"] = async (tool, input, given) => {
    await collection.ready([tool]);
    return runtime.call({ tool, input }, budgeted(given));
  };
  const clients = new ClientCalls(session, callAny, (of) => processes.stopSession(of));
  const agents = async () => {
    const { ownAgents } = await import("./own-agents.ts");
    return ownAgents(project, places);
  };

  return {
    workspace,
    store,
    tools,
    ...wieldSetup({
      ...{ env, store, preferences, modes, keys, prices, policy, openExecution },
      root: workspace.root,
    }),
    approvals: {
      pending: () => approvals.list(),
      preview: async (id) => {
        const { tool, args } = await approvals.find(id);
        return runtime.preview({ tool, input: args });
      },
      answer: async (id, answer) => {
        const pending = await approvals.find(id);
        if (pending.session !== undefined) await lineage.load(pending.session);
        return runtime.answer(pending.id, answer, budgeted());
      },
    },
    sessions: wieldSessions({
      ...{ store, workspace, emit },
      ending: (of) => processes.stopSession(of),
      worktrees: () => (record ? [] : worktrees.list()),
      mayShow: isShown,
    }),
    project: project.root,
    ...(record && { worktree: record }),
    worktrees,
    mcp: new WieldMcp({
      ...{ places, workspace: project, env, flow, web: web.open },
      preferences,
      servers: collection.mcp,
    }),
    storage,
    processes,
    changes: { list: (query) => workspace.changes(query) },
    // What a tool returns was checked against the schema that the type describes.
    call: callAny as TypedCall,
    callAny,
    callsInOrder: (client) => clients.inOrder(client),
    endClient: (client) => clients.end(client),
    person: personForClients(
      (known) => underWay.runtime(runtimeFor(known)),
      () => options.elicit,
    ),
    step: async (calls, given) => {
      await collection.ready(calls.map(({ tool }) => tool));
      return runtime.step(calls, budgeted(given));
    },
    agent: agentOpener({
      ...{ options, preferences, keys, prices, flow, collection, tools, web, underWay, policy },
      ...{
        workspace,
        store,
        modes,
        lineage,
        restrictions,
        models,
        runtimeFor,
        emit,
        openCode,
        openExecution,
      },
      notes: (of) => notes.begin(of),
      mayShow: isShown,
      agents,
    }),
    agents,
    webBytes: web.received,
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
      return ownCommands(project, places);
    },
    on: (listener) => listeners.add(listener),
    listenerCount: () => listeners.size,
    close: rememberSuccess(async () => {
      await underWay.close();
      await execution?.background.close();
      await Promise.allSettled(endings);
      collection.close();
      closing.abort();
      codeIndex.close();
      web.close();
      workspace.close();
      if (project !== workspace) project.close();
      // This only saves space, so a failure does not matter.
      if (!options.store) await storage.tidyIfDue().catch(() => undefined);
      await store.close();
      await telemetry?.close();
    }),
  };
}

/** Without it much still works, so a failure is reported by what needs the folder. */
function prepareStateFolder(path: string): void {
  try {
    ensureDirectory(path);
  } catch {
    // What needs the folder says what is wrong with it.
  }
}

function namesOf(tools: WieldOptions["tools"] = builtinNames): readonly string[] {
  return typeof tools === "string" ? toolsets[tools] : tools;
}
