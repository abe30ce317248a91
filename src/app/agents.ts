import { posix } from "node:path";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type AfterChanges, allAfterChanges } from "../agent/after-changes.ts";
import { type Agent, createAgent } from "../agent/agent.ts";
import type { PersonMessage } from "../agent/attachments.ts";
import { type Clock, systemClock } from "../agent/clock.ts";
import { DelegatedRuns } from "../agent/delegated-runs.ts";
import type { Limits, Spent } from "../agent/limits.ts";
import { newSession, type OpenSession, openSession } from "../agent/log.ts";
import {
  type ExploreMode,
  exploreModes,
  type Profile,
  type ProfileName,
  profileNamed,
  profiles,
} from "../agent/profiles.ts";
import { type ImportersOf, testsAfterChanges } from "../agent/test-driven.ts";
import { usageWithout } from "../agent/usage.ts";
import type { Asker } from "../approval/approval.ts";
import type { PermissionMode } from "../approval/modes.ts";
import type { Rule } from "../approval/rules.ts";
import { isCodeName } from "../code/languages/languages.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { AgentEvent, Usage } from "../events/agent-events.ts";
import { Failure } from "../failure/failure.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import type { Effort } from "../model/effort.ts";
import { chooseModel } from "../model/model.ts";
import type { Price } from "../model/prices.ts";
import { serverToolsFor } from "../model/server-tools.ts";
import { ToolRegistry } from "../registry/registry.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import { visibleLine } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";
import { describeFindings } from "../tools/run/check-code.ts";
import { searchTools } from "../tools/studio/search-tools.ts";
import { type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { AgentOwnTools, type MakeChild } from "./agent-own-tools.ts";
import type { AgentRestrictions } from "./agent-restrictions.ts";
import { AgentTools } from "./agent-tools.ts";
import type { Flow } from "./flow.ts";
import type { Lineage } from "./lineage.ts";
import type { AgentNotes } from "./notes.ts";
import type { PermissionModes } from "./permission-modes.ts";
import type { AgentSettings } from "./preferences.ts";
import { tokensOfCall } from "./settings.ts";

export interface AgentOptions {
  /** How it works. Default: as the session did before, or `code`. Another one may continue any session. */
  profile?: ProfileName;
  /** As in the settings (`provider/model`), or a model of the AI SDK. Default: the settings, then what is found. */
  model?: string | LanguageModelV4;
  /** How much the model thinks before it answers. Default: the settings, then the model's own. */
  effort?: Effort;
  /** On top of the settings and of the profile's own. */
  limits?: Limits;
  /** Exactly these tools instead of all that the profile may use: a toolset by name, or tool names. */
  tools?: ToolsetName | readonly string[];
  /** How thorough an exploration is; default: medium. */
  mode?: ExploreMode;
  /** What is asked about in this session. Default: as before in the session, or as in the folder. */
  permissionMode?: PermissionMode;
  /** Goes on with a session: its id, or `latest`. */
  session?: string;
  /** The id of a new session, where one was given out before its first message. */
  newSession?: string;
  /** After a change, run the tests that belong to it and tell the model what fails. Default: the settings. */
  testDriven?: boolean;
  /** Messages that the person wrote while the agent works, oldest first; asked for between two steps. */
  nextMessage?: () => string | PersonMessage | undefined;
  /** At a limit: whether to continue. Left out: nobody can be asked, and the run ends with the model's final words. */
  mayContinue?: (why: string, signal: AbortSignal) => Promise<boolean>;
  /** Tokens a request to the model may have. */
  contextTokens?: number;
  /** Answers the approval requests of this agent's calls; default: the asker of all calls. */
  asker?: Asker;
  /** Rules on top of the policy, which can only tighten it. */
  rules?: readonly Rule[];
  /** Whether an answer that cites ends with the list of its sources; default: yes. */
  listsSources?: boolean;
  /** Whether it gets the notes of the person and the project; default: yes. */
  notes?: boolean;
  clock?: Clock;
}

/** What agents share with everything else of one Wield. */
export interface AgentServices {
  workspace: Workspace;
  store: Store;
  /** The tools that may be used now. */
  tools(): Promise<readonly Tool[]>;
  /** Names of tools that the program or the person added. */
  added(): ReadonlySet<string>;
  /** Tools that the person wants described to every agent from the start. */
  isFavourite(tool: string): boolean;
  /** Names of the skills that can be read. */
  skills(): Promise<readonly string[]>;
  settings: AgentSettings;
  modes: Pick<PermissionModes, "of" | "load" | "set">;
  lineage: Pick<Lineage, "delegate" | "load">;
  /** Undefined: what leaves is not watched. */
  flow: Pick<Flow, "reload" | "add" | "workspace"> | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** US dollars for a million tokens; undefined: not known. */
  priceOf(model: string): Price | undefined;
  /** The notes of the person and the project; from here on, this session also gets the notes of sub-folders. */
  notes(session: string): Promise<AgentNotes>;
  /** Whether rules and mode of a session let this tool, which its provider runs, work without asking. */
  isFree(tool: string, session: string): boolean;
  /** Whether the person set up a search provider: then `web_search` is theirs, not the model provider's. */
  hasSearchProvider(): boolean;
  /** A runtime that knows only these tools, and may know why another one cannot be used. */
  runtimeFor(registry: ToolRegistry, elsewhere?: (tool: string) => string | undefined): Runtime;
  restrictions: Pick<AgentRestrictions, "set">;
  /** A finder among these tools. */
  discoveryIn(registry: ToolRegistry, isDescribed?: (tool: Tool) => boolean): Discovery;
  emit(event: AgentEvent): void;
  /** The files that import a file, by the code index. */
  importersOf: ImportersOf;
  /** Shows a form to the person; undefined: nobody can be asked. */
  elicit(): Elicit | undefined;
  /** The tool that checks changed code; undefined where the folder is not trusted. */
  checker(seconds: number): Promise<Tool | undefined>;
}

/** An agent that another one delegates to has no tool that its parent has not. */
interface Delegated {
  within(tool: Tool): boolean;
  /** The session that delegates. */
  parent: string;
  /** What others have used of the limits that it shares with its parent. */
  usedElsewhere(): Usage;
}

export async function makeAgent(
  services: AgentServices,
  options: AgentOptions,
  delegated?: Delegated,
): Promise<Agent> {
  const { workspace, store, settings, env, modes, lineage, flow } = services;
  const clock = options.clock ?? systemClock;
  const session = await sessionFor(services, options, clock, delegated !== undefined);
  const { id } = session.log.record;
  if (delegated) await lineage.delegate(id, delegated.parent);
  else await lineage.load(id);
  if (options.permissionMode) await modes.set(options.permissionMode, id);
  else await modes.load(id);
  await flow?.reload(id);
  const profile = profiles[profileNamed(session.log.record.agent)];
  const { model, name, outputTokens } = await modelOf(
    options.model ?? env["WIELD_MODEL"] ?? settings.model,
    env,
  );
  // Its steps are shown to the agent that delegated; its words are the report.
  const delegatedRuns = new DelegatedRuns();
  const makeChild: MakeChild = async (given, hear) => {
    const child: Agent = await makeAgent(
      { ...services, emit: hear },
      {
        ...given,
        model: options.model ?? model,
        limits: limitsOfChild(limits, agent.spent()),
        ...(options.clock && { clock: options.clock }),
        // It may do at most what its parent may do; the permission mode is the parent's by its lineage.
        ...(options.rules && { rules: options.rules }),
        ...(options.asker && { asker: options.asker }),
      },
      {
        within: ({ name: tool }) => agentTools.callable.get(tool) !== undefined,
        parent: id,
        // All that the parent has used, itself and by the runs beside this one.
        usedElsewhere: () => usageWithout(agent.spent().usage, child.spent().usage),
      },
    );
    delegatedRuns.add(child);
    return child;
  };
  const only = typeof options.tools === "string" ? toolsets[options.tools] : options.tools;
  let discovery: Discovery | undefined;
  const own = new AgentOwnTools(profile, delegated ? undefined : makeChild, services.elicit);
  const choice = { only, within: delegated?.within, besides: own.list };
  const agentTools = new AgentTools(profile, choice, (shown) => {
    discovery = services.discoveryIn(shown, ({ loading }) => loading === "core");
    return searchTools(discovery, {
      describesFound: true,
      inFull: profile.detailsOfFound,
    }) as unknown as Tool;
  });
  const { rules = [], asker } = options;
  const toolsNow = async () => {
    const shown = agentTools.follow({
      tools: await services.tools(),
      added: services.added(),
      isFavourite: services.isFavourite,
    });
    const callable = new Set(agentTools.callable.list().map(({ name: tool }) => tool));
    services.restrictions.set(id, { rules, asker, tools: callable });
    return shown;
  };
  const tools = await toolsNow();
  const registry = agentTools.callable;
  const limits = { ...standardLimits(profile, settings, options.mode), ...options.limits };
  const price = services.priceOf(name);
  if (outputTokens !== undefined && settings.agent.outputTokens === undefined)
    warnOnce(
      `The output limit of ${visibleLine(name)} is not known; ${outputTokens} tokens are asked for. Another number: the setting agent.outputTokens.`,
    );
  requirePrice(limits, price, name);
  const runtime = answeredBy(
    asker,
    services.runtimeFor(registry, (tool) => (delegated ? undefined : agentTools.inOtherProfiles(tool))),
  );
  const none: AgentNotes = { notes: [], facts: [], problems: [], files: [] };
  const { notes, facts } = options.notes === false ? none : await services.notes(id);
  const testDriven =
    (options.testDriven ?? settings.agent.testDriven) && registry.get("run_tests") !== undefined;
  // A search provider that the person set up is used with every model.
  const offered = services.hasSearchProvider() ? {} : await serverToolsFor(model);
  const listsSources = (profile.cites ?? false) && options.listsSources !== false;
  const budget = tokensOfCall(settings.limits);
  const diagnostics = await diagnosticsFor(services, id, budget, asker);
  const agent = createAgent({
    profile,
    model,
    modelName: name,
    tools,
    toolsNow,
    onServerTool: async (tool) => flow?.add(id, { private: [], outside: [`${tool} of ${name}`] }, []),
    onAttached: async (names) => flow?.add(id, { private: [...names], outside: [...names] }, []),
    // What the provider runs is never judged call by call: only what needs no approval may be left to it.
    serverTools: () =>
      Object.fromEntries(Object.entries(offered).filter(([tool]) => services.isFree(tool, id))),
    session,
    position: () => workspace.position(),
    limits,
    price,
    contextBudget: options.contextTokens ?? settings.agent.contextTokens,
    surroundings: {
      facts: [
        ...factsFor(workspace, clock, profile, limits),
        ...(listsSources ? ["A list of the sources you cite is added to your answer."] : []),
        ...modeFacts(modes.of(id)),
        ...facts,
      ],
      notes,
      skills: await services.skills(),
    },
    clock,
    delegatedRuns,
    usedElsewhere: delegated?.usedElsewhere,
    effort: options.effort ?? settings.agent.effort,
    emit: services.emit,
    mayContinue: options.mayContinue,
    listsSources,
    asksAtSteps: options.limits?.steps !== undefined || settings.agent.steps !== undefined,
    maxOutputTokens: settings.agent.outputTokens ?? profile.maxOutputTokens ?? outputTokens,
    ...(options.nextMessage && { nextMessage: options.nextMessage }),
    runtime: learningFrom(runtime, discovery),
    store,
    changes: async (callIds) => {
      // An undo or redo names its call only in a notice of the change.
      const [own, recent] = await Promise.all([
        workspace.changes({ callIds, limit: 1000 }),
        workspace.changes({ limit: 200 }),
      ]);
      const known = new Set(own.map(({ id }) => id));
      return [...own, ...recent.filter(({ id }) => !known.has(id))];
    },
    toolOf: (tool) => registry.get(tool),
    budget,
    afterChanges: allAfterChanges([
      ...(diagnostics ? [diagnostics] : []),
      ...(testDriven ? [testsAfterChanges(runtime, workspace, services.importersOf, id, budget)] : []),
    ]),
  });
  if (session.before !== undefined) agent.tell(switchedNotice(session.before, profile.name));
  return agent;
}

/** Runs the project's type checkers and linters after changes, as a call that the person sees and the model cannot make. */
async function diagnosticsFor(
  { settings, checker, runtimeFor }: AgentServices,
  session: string,
  budget: number,
  asker: Asker | undefined,
): Promise<AfterChanges | undefined> {
  const { diagnostics, diagnosticsSeconds } = settings.agent;
  const tool = diagnostics ? await checker(diagnosticsSeconds) : undefined;
  if (!tool) return undefined;
  const registry = new ToolRegistry();
  registry.register(tool);
  const runtime = answeredBy(asker, runtimeFor(registry));
  let isSilenceTold = false;
  return async (changes, signal) => {
    const input = { changes: changes.map(({ id }) => id) };
    const [outcome] = await runtime.step([{ tool: tool.name, input }], { signal, session, budget });
    const { result } = outcome ?? {};
    if (!result?.ok) return undefined;
    const told = describeFindings(result.value as Parameters<typeof describeFindings>[0]);
    if (told !== undefined || isSilenceTold) return told;
    const isCode = changes.some(({ files }) => files.some(({ path }) => isCodeName(posix.basename(path))));
    if (!isCode) return undefined;
    isSilenceTold = true;
    return "No type checker or linter that is set up here and installed concerns these files: nothing has checked them.";
  };
}

const warned = new Set<string>();

/** On standard error, once in a process. */
function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: "Wield" });
}

/** Tokens and cost are shared with the parent and with the runs beside it; its steps are its own. */
function limitsOfChild({ tokens, costUsd, seconds }: Limits, { seconds: passed }: Spent): Limits {
  return {
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(seconds !== undefined && { seconds: Math.max(1e-6, seconds - passed) }),
  };
}

function answeredBy(asker: Asker | undefined, runtime: Runtime): Runtime {
  if (!asker) return runtime;
  return {
    ...runtime,
    call: (request, given) => runtime.call(request, { asker, ...given }),
    step: (requests, given) => runtime.step(requests, { asker, ...given }),
  };
}

/** Remembers which search led to a call that went well. */
function learningFrom(runtime: Runtime, discovery: Discovery | undefined): Pick<Runtime, "step"> {
  return {
    step: async (calls, options) => {
      const outcomes = await runtime.step(calls, options);
      for (const { result, tool } of outcomes) if (result.ok) discovery?.called(tool);
      return outcomes;
    },
  };
}

/** A session that is continued keeps its profile, unless another is asked for; `before` is the one that it had then. */
async function sessionFor(
  { workspace, store }: AgentServices,
  { profile, session, newSession: id }: AgentOptions,
  clock: Clock,
  isDelegated: boolean,
): Promise<OpenSession & { before?: ProfileName }> {
  const about = { workspace: workspace.root, agent: profile ?? "code" };
  const isNew = session === undefined || (isDelegated && (await store.session(session)) === undefined);
  if (isNew) return newSession(store, about, clock.now, id ?? session);
  const opened = await openSession(store, session, about, clock.now);
  const before = profileNamed(opened.log.record.agent);
  opened.log.record.agent = profile ?? before;
  return profile === undefined || profile === before ? opened : { ...opened, before };
}

/** Earlier results may speak of tools and refusals of another profile. */
function switchedNotice(before: ProfileName, now: ProfileName): string {
  return `The person switched the profile from ${before} to ${now}. The instructions and tools that you have now count; what was not possible before may be possible.`;
}

async function modelOf(
  wanted: string | LanguageModelV4 | undefined,
  env: AgentServices["env"],
): Promise<{ model: LanguageModelV4; name: string; outputTokens?: number }> {
  if (wanted === undefined || typeof wanted === "string") return chooseModel(wanted, env);
  return { model: wanted, name: `${wanted.provider}/${wanted.modelId}` };
}

function standardLimits({ name, steps }: Profile, { agent }: AgentSettings, mode?: ExploreMode): Limits {
  const { tokens, costUsd, seconds } = agent;
  const asks = profiles[name].atLimit === "ask";
  return {
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(seconds !== undefined && { seconds }),
    steps: name === "explore" && mode ? exploreModes[mode] : asks ? (agent.steps ?? steps) : steps,
  };
}

function factsFor(workspace: Workspace, clock: Clock, { atLimit }: Profile, { steps }: Limits): string[] {
  return [
    `The workspace is ${visibleLine(workspace.root)}; all paths are relative to it, also those after an @ in a message.`,
    `Today is ${clock.now().toISOString().slice(0, 10)}.`,
    ...(atLimit === "report" ? [`You have ${steps} steps, the last one for your answer.`] : []),
  ];
}

/** Only plan mode changes what the agent should do; the others only change what is asked. */
export function modeFacts(mode: PermissionMode): string[] {
  return mode === "plan"
    ? ["Plan mode: calls that change or send something are refused. Read, then propose a plan."]
    : [];
}

function requirePrice(limits: Limits, price: Price | undefined, model: string): void {
  if (limits.costUsd === undefined || price || model === "offline") return;
  throw new Failure(
    "UNAVAILABLE",
    `A limit on cost needs the price of ${model}. Add it to the settings, in US dollars for a million tokens: {"prices": {"${model}": {"input": 3, "output": 15}}}`,
  );
}
