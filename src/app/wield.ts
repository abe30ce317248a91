import { chatPrefix } from "../agent/log.ts";
import type { Asker } from "../approval/approval.ts";
import { decide, type Policy } from "../approval/decide.ts";
import type { PermissionMode } from "../approval/modes.ts";
import type { WieldEvent } from "../events/events.ts";
import { Listeners } from "../events/listeners.ts";
import { rememberSuccess } from "../failure/remember-success.ts";
import { ToolRegistry } from "../registry/registry.ts";
import { createCallOrder } from "../runtime/call-order.ts";
import { noFootprint } from "../runtime/footprint.ts";
import { type CallOptions, createRuntime } from "../runtime/runtime.ts";
import { scopeWorkspace } from "../runtime/scoped-workspace.ts";
import type { RuntimeParts } from "../runtime/stages.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import { newId } from "../text/ids.ts";
import type { Tool } from "../tool/tool.ts";
import type { Execution } from "../tools/run/execution.ts";
import { builtinNames, loadTools, toolsets } from "../toolsets/toolsets.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { ensureDirectory } from "../workspace/state-files.ts";
import { AgentRestrictions } from "./agent-restrictions.ts";
import { CodeIndex } from "./code-index.ts";
import { confinedServers } from "./confined-servers.ts";
import { forgeVariables, gitVariables, variablesOf } from "./environment.ts";
import { Flow } from "./flow.ts";
import { handedOverIn } from "./handed-over.ts";
import { Hooks, rulesForHooks } from "./hooks.ts";
import { Keys } from "./keys.ts";
import { Lineage } from "./lineage.ts";
import { WieldMcp } from "./mcp.ts";
import { FolderNotes, notesFor } from "./notes.ts";
import { OpenApprovals } from "./open-approvals.ts";
import { PermissionModes } from "./permission-modes.ts";
import { personForClients } from "./person-questions.ts";
import { placesFrom } from "./places.ts";
import { plannedIn } from "./planned-in.ts";
import { Preferences } from "./preferences.ts";
import { PriceList, usualPriceList } from "./price-list.ts";
import { checkProviders, describeSandbox, listPrograms, listProviders, usualModel } from "./providers.ts";
import { requireOutside } from "./require-outside.ts";
import { readUserSettings, tokensOfCall } from "./settings.ts";
import { Storage } from "./storage.ts";
import { indexing, openTelemetry, watchedSandbox } from "./telemetry.ts";
import { openToolCollection } from "./tool-collection.ts";
import { isTrusted } from "./trust.ts";
import { UnderWay } from "./under-way.ts";
import { withUnsavedText } from "./unsaved-text.ts";
import { composeWeb } from "./web.ts";
import type { TypedCall } from "./wield-members.ts";
import { wieldSessions } from "./wield-sessions.ts";
import { wieldTools } from "./wield-tools.ts";
import type { Wield, WieldOptions } from "./wield-types.ts";
import { workspaceSecrets } from "./workspace-secrets.ts";

export type { Wield, WieldOptions };

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
    ...(options.sharedMachine && { sharedMachine: true }),
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
    handedOver: handedOverIn(store),
    plans: () => store.plans(workspace.root),
    plannedIn: plannedIn(store),
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
  const runtimeFor = (known: ToolRegistry, elsewhere?: RuntimeParts["elsewhere"]) =>
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
      ...(elsewhere && { elsewhere }),
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
      startedWithModel: env["WIELD_MODEL"] || undefined,
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
    sessions: wieldSessions({ store, workspace, emit }),
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
        hasSearchProvider: web.hasSearchProvider,
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
