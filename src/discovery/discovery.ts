import type { Tool } from "../tool/tool.ts";
import { discoveryTools } from "./switches.ts";
import { documentOf } from "./tool-card.ts";
import { ToolIndex } from "./tool-index.ts";

/** What discovery needs from outside; it owns no tools and no store. */
export interface DiscoveryParts {
  /** Every tool that may be seen now: registered, switched on, not forbidden. */
  tools(): readonly Tool[];
  /** The newest requests that led to each tool. */
  uses(perTool: number): ReadonlyMap<string, readonly string[]>;
  /** A request led to a call. */
  recordUse(query: string, tool: string): void;
  /** Whether the model is told of the tool without a search. Left out: it is told of none. */
  isDescribed?(tool: Tool): boolean;
}

/** Finding tools, and what one session has found. */
export interface Discovery {
  /** Best first; several capabilities may be asked for at once, a sentence or line each. */
  search(query: string, options?: { category?: string; limit?: number }): Tool[];
  categories(): string[];
  /**
   * The same without what is described to the model already and what is hardly meant, and the tools count as found by this
   * session.
   */
  discover(query: string, options?: { category?: string; limit?: number }): Tool[];
  /** Names found in this session, in the order they were found: whoever loads definitions appends, never inserts. */
  discovered(): readonly string[];
  /** A call went well: if a search led to it, that is remembered. */
  called(tool: string): void;
}

const defaultLimit = 5;
const searchesKept = 20;
/** Against the best match: what is worth less is not meant, and every tool that is loaded costs tokens in all later requests. */
const leastOfBest = 0.4;
/** So many that are described already may come before the last one that is not. */
const mostSkipped = 15;

export function createDiscovery(parts: DiscoveryParts): Discovery {
  const index = new ToolIndex();
  const indexed = new Map<string, Tool>();
  const found = new Set<string>();
  const searches: { query: string; names: Set<string> }[] = [];

  /** Tools come and go (hot reload, servers, settings): the index follows before it answers. */
  function followed(): ReadonlyMap<string, Tool> {
    const names = new Set<string>();
    let uses: ReturnType<DiscoveryParts["uses"]> | undefined;
    for (const tool of parts.tools()) {
      names.add(tool.name);
      if (indexed.get(tool.name) === tool) continue;
      uses ??= parts.uses(ToolIndex.usesKept);
      index.add(documentOf(tool, uses.get(tool.name) ?? []));
      indexed.set(tool.name, tool);
    }
    if (names.size !== indexed.size) {
      for (const name of [...indexed.keys()].filter((known) => !names.has(known))) {
        index.remove(name);
        indexed.delete(name);
      }
    }
    return indexed;
  }

  const search = (
    query: string,
    { category, limit = defaultLimit }: { category?: string; limit?: number } = {},
    least?: number,
  ): Tool[] => {
    const tools = followed();
    const wanted = category?.toLowerCase();
    // Who searches has the searching tools already.
    const accepts = (name: string) =>
      !discoveryTools.has(name) &&
      (wanted === undefined || tools.get(name)?.category.toLowerCase() === wanted);
    return index.search(query, limit, accepts, least).flatMap((name) => tools.get(name) ?? []);
  };
  /** The best match decides what is meant, even when it is described already; what was found before is described since. */
  const searchNew: Discovery["search"] = (query, options = {}) => {
    const { isDescribed } = parts;
    if (!isDescribed) return search(query, options);
    const { limit = defaultLimit } = options;
    return search(query, { ...options, limit: limit + mostSkipped }, leastOfBest)
      .filter((tool) => !isDescribed(tool) && !found.has(tool.name))
      .slice(0, limit);
  };

  return {
    search: (query, options) => search(query, options),
    categories: () => [...new Set(parts.tools().map((tool) => tool.category))].sort(),
    discover: (query, options) => {
      const tools = searchNew(query, options);
      for (const { name } of tools) found.add(name);
      searches.unshift({ query, names: new Set(tools.map(({ name }) => name)) });
      searches.length = Math.min(searches.length, searchesKept);
      return tools;
    },
    discovered: () => {
      const tools = followed();
      return [...found].filter((name) => tools.has(name));
    },
    called: (name) => {
      const search = searches.find(({ names }) => names.has(name));
      if (!search) return;
      // One search teaches one use: the next calls of the same tool say nothing new.
      search.names.delete(name);
      parts.recordUse(search.query, name);
      indexed.delete(name);
    },
  };
}
