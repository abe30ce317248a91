import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type Agent, createAgent } from "../agent/agent.ts";
import { type Clock, systemClock } from "../agent/clock.ts";
import type { Profile } from "../agent/instructions.ts";
import type { Limits, Price } from "../agent/limits.ts";
import { newSession, type OpenSession, openSession } from "../agent/log.ts";
import {
  coding,
  type ExploreMode,
  explore,
  exploreModes,
  research,
  researchLimits,
} from "../agent/profiles.ts";
import { testsAfterChanges } from "../agent/test-driven.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { AgentEvent } from "../events/agent-events.ts";
import { Failure } from "../failure/failure.ts";
import { chooseModel } from "../model/model.ts";
import { serverToolsFor } from "../model/server-tools.ts";
import { ToolRegistry } from "../registry/registry.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import { visibleLine } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";
import { searchTools } from "../tools/studio/search-tools.ts";
import { type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AgentNotes } from "./notes.ts";
import type { AgentSettings } from "./preferences.ts";
import { tokensOfCall } from "./settings.ts";

export type AgentKind = "coding" | "explore" | "research";

export interface AgentOptions {
  /** Default: that of the session, or coding. */
  kind?: AgentKind;
  /** As in the settings (`provider/model`), or a model of the AI SDK. Default: the settings, then what is found. */
  model?: string | LanguageModelV4;
  /** On top of the settings and of the kind's own. */
  limits?: Limits;
  /** Other tools than the kind's own: a toolset by name, or tool names. */
  tools?: ToolsetName | readonly string[];
  /** How thorough the explore agent is; default: medium. */
  mode?: ExploreMode;
  /** Goes on with a session: its id, or `latest`. */
  session?: string;
  /** After a change, run the tests that belong to it and tell the model what fails. Default: the settings. */
  testDriven?: boolean;
  /** At a limit: whether to go on. Left out: nobody is there, and the run stops. */
  mayContinue?: (why: string, signal: AbortSignal) => Promise<boolean>;
  /** Tokens a request to the model may have. */
  contextTokens?: number;
  clock?: Clock;
}

/** What agents share with everything else of one Wield. */
export interface AgentServices {
  workspace: Workspace;
  store: Store;
  /** The tools that may be used now. */
  tools(): Promise<readonly Tool[]>;
  /** Names of tools that the program or the person added. */
  custom(): ReadonlySet<string>;
  settings: AgentSettings;
  env: Readonly<Record<string, string | undefined>>;
  /** What the person and the project tell every agent. */
  notes(): Promise<AgentNotes>;
  /** Whether the rules let this tool run without asking. */
  isFree(tool: string): boolean;
  /** A runtime that knows only these tools. */
  runtimeFor(registry: ToolRegistry): Runtime;
  /** A finder among these tools. */
  discoveryIn(registry: ToolRegistry): Discovery;
  emit(event: AgentEvent): void;
}

const profiles: Readonly<Record<AgentKind, Profile>> = { coding, explore, research };

export async function makeAgent(services: AgentServices, options: AgentOptions): Promise<Agent> {
  const { workspace, store, settings, env } = services;
  const clock = options.clock ?? systemClock;
  const session = await sessionFor(services, options, clock);
  const kind = kindOf(session.log.record.agent);
  const { model, name } = await modelOf(options.model ?? env["WIELD_MODEL"] ?? settings.model, env);
  const registry = new ToolRegistry();
  const discovery = services.discoveryIn(registry);
  const search = searchTools(discovery) as unknown as Tool;
  const toolsNow = async () => {
    const tools = withOwnSearch(
      toolsOf(kind, options.tools, await services.tools(), services.custom()),
      search,
    );
    follow(registry, tools);
    return tools;
  };
  const tools = await toolsNow();
  const limits = { ...standardLimits(kind, settings, options.mode), ...options.limits };
  const price = settings.prices[name];
  requirePrice(limits, price, name);
  const runtime = services.runtimeFor(registry);
  const { notes, facts } = await services.notes();
  const testDriven =
    (options.testDriven ?? settings.agent.testDriven) && registry.get("run_tests") !== undefined;
  return createAgent({
    profile: profiles[kind],
    model,
    modelName: name,
    tools,
    toolsNow,
    serverTools: Object.fromEntries(
      // What the provider runs never comes to the gate: only what needs no asking may be left to it.
      Object.entries(await serverToolsFor(model)).filter(([tool]) => services.isFree(tool)),
    ),
    session,
    limits,
    price,
    contextBudget: options.contextTokens ?? settings.agent.contextTokens,
    facts: [...factsFor(workspace, clock, profiles[kind], limits), ...facts],
    notes,
    clock,
    emit: services.emit,
    mayContinue: options.mayContinue,
    runtime: learningFrom(runtime, discovery),
    store,
    changes: () => workspace.changes({ limit: 200 }),
    toolOf: (tool) => registry.get(tool),
    budget: tokensOfCall(settings.limits),
    ...(testDriven && {
      afterChanges: testsAfterChanges(
        runtime,
        workspace,
        session.log.record.id,
        tokensOfCall(settings.limits),
      ),
    }),
  });
}

/** Remembers which search led to a call that went well. */
function learningFrom(runtime: Runtime, discovery: Discovery): Pick<Runtime, "step"> {
  return {
    step: async (calls, options) => {
      const outcomes = await runtime.step(calls, options);
      for (const { result, tool } of outcomes) if (result.ok) discovery.called(tool);
      return outcomes;
    },
  };
}

/** A session that is gone on with stays with its kind of agent, unless another is asked for. */
async function sessionFor(
  { workspace, store }: AgentServices,
  { kind, session }: AgentOptions,
  clock: Clock,
): Promise<OpenSession> {
  const about = { workspace: workspace.root, agent: kind ?? "coding" };
  if (session === undefined) return newSession(store, about, clock.now);
  const opened = await openSession(store, session, about, clock.now);
  if (kind !== undefined) opened.log.record.agent = kind;
  return opened;
}

function kindOf(agent: string): AgentKind {
  return Object.hasOwn(profiles, agent) ? (agent as AgentKind) : "coding";
}

async function modelOf(
  wanted: string | LanguageModelV4 | undefined,
  env: AgentServices["env"],
): Promise<{ model: LanguageModelV4; name: string }> {
  if (wanted === undefined || typeof wanted === "string") return chooseModel(wanted, env);
  return { model: wanted, name: `${wanted.provider}/${wanted.modelId}` };
}

/** The kind's toolset, as far as its tools are there and switched on, and what was added to it. */
function toolsOf(
  kind: AgentKind,
  wanted: AgentOptions["tools"],
  tools: readonly Tool[],
  custom: ReadonlySet<string>,
): Tool[] {
  const listed = typeof wanted === "object" ? wanted : toolsets[wanted ?? kind];
  const added = wanted === undefined ? [...custom, ...(kind === "coding" ? alsoForCoding : [])] : [];
  const names = new Set([...listed, ...added, "read_result"]);
  const chosen = tools.filter((tool) => names.has(tool.name));
  // Whoever only looks gets nothing that acts, whatever is in the list.
  return kind === "coding" ? chosen : chosen.filter(({ can }) => can.every((effect) => looking.has(effect)));
}

/** An agent searches among its own tools, and only where some of them are not described to it from the start. */
function withOwnSearch(tools: readonly Tool[], search: Tool): Tool[] {
  const others = tools.filter((tool) => tool.name !== search.name);
  return others.some((tool) => tool.loading === "deferred") ? [...others, search] : others;
}

function follow(registry: ToolRegistry, tools: readonly Tool[]): void {
  const present = new Set(tools);
  for (const tool of registry.list()) if (!present.has(tool)) registry.unregister(tool.name);
  for (const tool of tools) if (!registry.get(tool.name)) registry.register(tool);
}

/** Beside its toolset, the coding agent plans and tries out what it wrote, where these tools are there. */
const alsoForCoding = [
  "createPlan",
  "updatePlan",
  "readPlan",
  "searchSkills",
  "readSkill",
  "run_code",
  "run_tests",
];
const looking: ReadonlySet<string> = new Set(["read", "fetch"]);

function standardLimits(kind: AgentKind, { agent }: AgentSettings, mode: ExploreMode = "medium"): Limits {
  const { tokens, costUsd, seconds } = agent;
  const common = {
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(seconds !== undefined && { seconds }),
  };
  const steps = { coding: agent.steps, explore: exploreModes[mode], research: researchLimits.steps };
  return { ...common, steps: steps[kind] };
}

function factsFor(workspace: Workspace, clock: Clock, { atLimit }: Profile, { steps }: Limits): string[] {
  return [
    `The workspace is ${visibleLine(workspace.root)}; paths are relative to it. What the person writes after an @ is such a path.`,
    `Today is ${clock.now().toISOString().slice(0, 10)}.`,
    ...(atLimit === "report" ? [`You have ${steps} steps in all, the last one for your answer.`] : []),
  ];
}

function requirePrice(limits: Limits, price: Price | undefined, model: string): void {
  if (limits.costUsd === undefined || price || model === "offline") return;
  throw new Failure(
    "UNAVAILABLE",
    `A limit on cost needs the price of ${model}. Add it to the settings, in US dollars for a million tokens: {"prices": {"${model}": {"input": 3, "output": 15}}}`,
  );
}
