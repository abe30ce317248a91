import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type Agent, createAgent } from "../agent/agent.ts";
import { type Clock, systemClock } from "../agent/clock.ts";
import type { Profile } from "../agent/instructions.ts";
import type { Limits, Price } from "../agent/limits.ts";
import { newSession, openSession } from "../agent/log.ts";
import {
  coding,
  type ExploreMode,
  explore,
  exploreModes,
  research,
  researchLimits,
} from "../agent/profiles.ts";
import type { AgentEvent } from "../events/agent-events.ts";
import { Failure } from "../events/failure.ts";
import { chooseModel } from "../model/model.ts";
import { serverToolsFor } from "../model/server-tools.ts";
import { ToolRegistry } from "../registry/registry.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import type { Tool } from "../tool/tool.ts";
import { type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Settings, type SettingsInput, settingsSchema } from "./settings.ts";

export type AgentKind = "coding" | "explore" | "research";

export interface AgentOptions {
  /** Default: coding. */
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
  /** At a limit: whether to go on. Left out: nobody is there, and the run stops. */
  mayContinue?: (why: string, signal: AbortSignal) => Promise<boolean>;
  /** Tokens a request to the model may have. */
  contextTokens?: number;
  clock?: Clock;
}

/** What agents share with everything else of one Wield. */
export interface AgentHouse {
  workspace: Workspace;
  store: Store;
  tools: readonly Tool[];
  /** Names of tools that the program or the person added. */
  custom: ReadonlySet<string>;
  settings: AgentSettings;
  env: Readonly<Record<string, string | undefined>>;
  /** A runtime that knows only these tools. */
  runtimeFor(registry: ToolRegistry): Runtime;
  emit(event: AgentEvent): void;
}

type AgentSettings = Pick<Settings, "model" | "agent" | "prices" | "limits">;

/** The user's settings with a program's own on top. */
export function agentSettings(user: Settings, own: SettingsInput): AgentSettings {
  return settingsSchema.parse({
    model: own.model ?? user.model,
    agent: { ...user.agent, ...own.agent },
    prices: { ...user.prices, ...own.prices },
    limits: { ...user.limits, ...own.limits },
  });
}

const profiles: Readonly<Record<AgentKind, Profile>> = { coding, explore, research };

export async function makeAgent(house: AgentHouse, options: AgentOptions): Promise<Agent> {
  const { workspace, store, settings, env } = house;
  const kind = options.kind ?? "coding";
  const clock = options.clock ?? systemClock;
  const { model, name } = await modelOf(options.model ?? env["WIELD_MODEL"] ?? settings.model, env);
  const tools = toolsOf(kind, options.tools, house);
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const limits = { ...standardLimits(kind, settings, options.mode), ...options.limits };
  const price = settings.prices[name];
  requirePrice(limits, price, name);
  const about = { workspace: workspace.root, agent: kind };
  const session =
    options.session === undefined
      ? newSession(store, about, clock.now)
      : openSession(store, options.session, about, clock.now);
  return createAgent({
    profile: profiles[kind],
    model,
    modelName: name,
    tools,
    serverTools: await serverToolsFor(model),
    session,
    limits,
    price,
    contextBudget: options.contextTokens ?? settings.agent.contextTokens,
    facts: [
      `The workspace is ${workspace.root}; paths are relative to it.`,
      `Today is ${clock.now().toISOString().slice(0, 10)}.`,
    ],
    clock,
    emit: house.emit,
    mayContinue: options.mayContinue,
    runtime: house.runtimeFor(registry),
    store,
    changes: () => workspace.changes({ limit: 200 }),
    toolOf: (tool) => registry.get(tool),
    budget: settings.limits.tokensPerCall,
  });
}

async function modelOf(
  wanted: string | LanguageModelV4 | undefined,
  env: AgentHouse["env"],
): Promise<{ model: LanguageModelV4; name: string }> {
  if (wanted === undefined || typeof wanted === "string") return chooseModel(wanted, env);
  return { model: wanted, name: `${wanted.provider}/${wanted.modelId}` };
}

/** The kind's toolset, as far as its tools are there and switched on, and what was added to it. */
function toolsOf(kind: AgentKind, wanted: AgentOptions["tools"], { tools, custom }: AgentHouse): Tool[] {
  const sets: Readonly<Record<string, readonly string[]>> = toolsets;
  const listed = typeof wanted === "object" ? wanted : (sets[wanted ?? kind] ?? sets["coding"] ?? []);
  const names = new Set([...listed, ...(wanted === undefined ? custom : []), "read_result"]);
  const chosen = tools.filter((tool) => names.has(tool.name));
  // Whoever only looks gets nothing that acts, whatever is in the list.
  return kind === "coding" ? chosen : chosen.filter(({ can }) => can.every((effect) => looking.has(effect)));
}

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

function requirePrice(limits: Limits, price: Price | undefined, model: string): void {
  if (limits.costUsd === undefined || price || model === "offline") return;
  throw new Failure(
    "UNAVAILABLE",
    `A limit on cost needs the price of ${model}. Add it to the settings, in US dollars for a million tokens: {"prices": {"${model}": {"input": 3, "output": 15}}}`,
  );
}
