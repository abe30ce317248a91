import { catalogueText } from "../discovery/catalogue.ts";
import type { CallTool, ToolRegistry } from "../registry/registry.ts";
import type { Store } from "../store/store.ts";
import type { ToolCollection } from "./tool-collection.ts";
import type { WieldTools } from "./wield-members.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A deferred tool that was called so often in this time might as well be known from the start. */
const proposed = { days: 30, calls: 5, tools: 3 };

export interface WieldToolsParts {
  registry: ToolRegistry;
  collection: ToolCollection;
  store: Store;
  call: CallTool;
  /** What is wrong with notes and settings. */
  problems(): readonly string[];
}

/** The tools of one Wield, for programs that pass them to their own model. */
export function wieldTools({ registry, collection, store, call, problems }: WieldToolsParts): WieldTools {
  const { discovery, isVisible } = collection;
  const list = () => registry.list().filter(isVisible);
  const forAiSdk = () => registry.toAISDKTools(call, isVisible);
  return {
    registry,
    discovery,
    list,
    forAiSdk,
    skills: collection.skills,
    catalogue: () => catalogueText(list()),
    forAiSdkOnDemand: async () => {
      await collection.refresh();
      const { toolSearch } = await import("ai");
      const found = new Set(discovery.discovered());
      const tools = forAiSdk();
      for (const [name, tool] of Object.entries(tools))
        if (registry.get(name)?.loading === "deferred" && !found.has(name)) tool.deferLoading = true;
      const search = ({ query }: { query: string }) => discovery.discover(query).map(({ name }) => name);
      return Object.assign(tools, { searchTools: toolSearch({ search }) });
    },
    favouritesToPropose: async () => {
      const deferred = new Set(list().flatMap(({ name, loading }) => (loading === "deferred" ? name : [])));
      const since = new Date(Date.now() - proposed.days * dayMs).toISOString();
      return (await store.statistics(since))
        .filter(({ tool, calls }) => deferred.has(tool) && calls >= proposed.calls)
        .slice(0, proposed.tools);
    },
    refresh: collection.refresh,
    ready: () => collection.ready(),
    problems: () => [...collection.problems(), ...problems()],
    check: collection.check,
  };
}
