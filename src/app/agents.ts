import type { LanguageModelV4 } from "@ai-sdk/provider";
import { allAfterChanges } from "../agent/after-changes.ts";
import { type Agent, createAgent } from "../agent/agent.ts";
import { type Clock, systemClock } from "../agent/clock.ts";
import { DelegatedRuns } from "../agent/delegated-runs.ts";
import type { Limits } from "../agent/limits.ts";
import { newSession, type OpenSession, openSession } from "../agent/log.ts";
import { type Profile, type ProfileName, profileNamed, profiles } from "../agent/profiles.ts";
import { testsAfterChanges } from "../agent/test-driven.ts";
import { usageWithout } from "../agent/usage.ts";
import type { PermissionMode } from "../approval/modes.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { Usage } from "../events/agent-events.ts";
import { chooseModel } from "../model/model.ts";
import { serverToolsFor } from "../model/server-tools.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { profileNotice } from "../text/notice.ts";
import { visibleLine } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";
import { namedAgents } from "../tools/agent/delegate.ts";
import { searchTools } from "../tools/studio/search-tools.ts";
import { toolsets } from "../toolsets/toolsets.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { diagnosticsFor } from "./agent-diagnostics.ts";
import { limitsOfChild, requirePrice, standardLimits } from "./agent-limits.ts";
import type { AgentOptions, AgentServices } from "./agent-options.ts";
import { AgentOwnTools, type MakeChild } from "./agent-own-tools.ts";
import { AgentTools } from "./agent-tools.ts";
import { answeredBy } from "./answered-by.ts";
import type { AgentNotes } from "./notes.ts";
import { tokensOfCall } from "./settings.ts";
import { withoutWithheld } from "./withheld.ts";

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
  const chosen = await modelOf(options.model ?? env["WIELD_MODEL"] ?? settings.model, env);
  const { name, outputTokens } = chosen;
  const model = options.aroundModel?.(chosen.model, name) ?? chosen.model;
  services.models.set(id, { model, name });
  // Its steps are shown to the agent that delegated; its words are the report.
  const delegatedRuns = new DelegatedRuns();
  const makeChild: MakeChild = async (given, hear) => {
    const child: Agent = await makeAgent(
      { ...services, emit: hear },
      {
        ...given,
        model: options.model ?? chosen.model,
        ...(options.aroundModel && { aroundModel: options.aroundModel }),
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
  const agents = delegated ? [] : await services.agents();
  const own = new AgentOwnTools(profile, delegated ? undefined : makeChild, services.elicit, agents);
  const choice = { only, within: delegated?.within, besides: own.list };
  const agentTools = new AgentTools(profile, choice, (shown) => {
    discovery = services.discoveryIn(shown, ({ loading }) => loading === "core");
    return searchTools(discovery, {
      describesFound: true,
      inFull: profile.detailsOfFound,
      readsSkills: () => agentTools.callable.get("readSkill") !== undefined,
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
        ...(agents.length > 0 ? [`Agents for task: ${namedAgents(agents)}.`] : []),
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
  if (session.before !== undefined) agent.tell(profileNotice(session.before, profile.name));
  return agent;
}

const warned = new Set<string>();

/** On standard error, once in a process. */
function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: "Wield" });
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
  { workspace, store, mayShow }: AgentServices,
  { profile, session, newSession: id }: AgentOptions,
  clock: Clock,
  isDelegated: boolean,
): Promise<OpenSession & { before?: ProfileName }> {
  const about = { workspace: workspace.root, agent: profile ?? "code" };
  const isNew = session === undefined || (isDelegated && (await store.session(session)) === undefined);
  if (isNew) return newSession(store, about, clock.now, id ?? session);
  const { log, entries } = await openSession(store, session, about, clock.now);
  const opened = { log, entries: await withoutWithheld(entries, log.record.id, mayShow) };
  const before = profileNamed(opened.log.record.agent);
  opened.log.record.agent = profile ?? before;
  return profile === undefined || profile === before ? opened : { ...opened, before };
}

async function modelOf(
  wanted: string | LanguageModelV4 | undefined,
  env: AgentServices["env"],
): Promise<{ model: LanguageModelV4; name: string; outputTokens?: number }> {
  if (wanted === undefined || typeof wanted === "string") return chooseModel(wanted, env);
  return { model: wanted, name: `${wanted.provider}/${wanted.modelId}` };
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
