import { decide, type Policy } from "../approval/decide.ts";
import type { CodeIntelligence } from "../code/code.ts";
import type { Tool } from "../tool/tool.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { AgentServices } from "./agent-options.ts";
import type { Flow } from "./flow.ts";
import type { Keys } from "./keys.ts";
import type { Preferences } from "./preferences.ts";
import type { PriceList } from "./price-list.ts";
import type { ToolCollection } from "./tool-collection.ts";
import type { UnderWay } from "./under-way.ts";
import type { WebServices } from "./web.ts";
import type { Wield, WieldOptions } from "./wield-types.ts";

/** What agents need of one Wield, besides what they are handed as it is. */
interface AgentParts
  extends Pick<
    AgentServices,
    | "workspace"
    | "store"
    | "modes"
    | "lineage"
    | "restrictions"
    | "models"
    | "notes"
    | "agents"
    | "runtimeFor"
    | "emit"
    | "mayShow"
  > {
  options: Pick<WieldOptions, "customTools" | "elicit">;
  preferences: Preferences;
  keys: Keys;
  prices: PriceList;
  flow: Flow | undefined;
  collection: ToolCollection;
  tools: Wield["tools"];
  web: WebServices;
  underWay: UnderWay;
  policy(session?: string): Policy;
  openCode(): Promise<CodeIntelligence>;
  openExecution(): Promise<Execution>;
}

/** Opens agents, new ones and those of earlier sessions. */
export function agentOpener(parts: AgentParts): Wield["agent"] {
  const { options, preferences, keys, prices, flow, collection, tools, web, underWay } = parts;
  const { workspace, store, modes, lineage, restrictions, models, notes, agents, runtimeFor, emit, mayShow } =
    parts;
  const added = () =>
    new Set([...(options.customTools?.map((tool) => tool.name) ?? []), ...collection.added()]);
  const services = (): AgentServices => ({
    ...{
      workspace,
      store,
      modes,
      lineage,
      flow,
      restrictions,
      models,
      notes,
      agents,
      runtimeFor,
      emit,
      mayShow,
      added,
    },
    settings: preferences.forAgents(),
    env: keys.env,
    priceOf: (model) => prices.of(model),
    tools: async () => {
      await collection.refresh();
      return tools.list();
    },
    skills: async () => (await collection.skills.list()).map((skill) => skill.name),
    isFavourite: collection.isFavourite,
    discoveryIn: collection.discoveryIn,
    hasSearchProvider: web.hasSearchProvider,
    elicit: () => options.elicit,
    isFree: (tool, session) => {
      // Its requests are not seen before they leave, and what they bring may lead to the next one.
      if (flow && flow.known(session).private.length > 0) return false;
      const effect = { kind: "fetch", url: "https://api.anthropic.com/", method: "POST" } as const;
      const call = { tool, byDefault: "auto", effects: [effect] } as const;
      return decide(call, parts.policy(session)).decision === "allow";
    },
    checker: async (seconds) => {
      if (!preferences.trusted) return undefined;
      const { checkCode } = await import("../tools/run/check-code.ts");
      return checkCode(await parts.openExecution(), seconds) as unknown as Tool;
    },
    importersOf: async (path, signal) => {
      const { importers } = await (await parts.openCode()).importers(path, { signal });
      return [...new Set(importers.map(({ file }) => file))];
    },
  });
  return async (given = {}) => {
    // Loaded with the first agent: everything else works without a model.
    const { makeAgent } = await import("./agents.ts");
    // A server that is new may be about to answer; one that is not joins at a later step.
    await Promise.race([collection.ready(), soon()]);
    return underWay.agent(await makeAgent(services(), given));
  };
}

/** How long an agent that starts waits for new servers. */
function soon(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, 1_000).unref();
  return promise;
}
