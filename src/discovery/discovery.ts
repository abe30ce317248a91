import type { Tool } from "../tool/tool.ts";
import { discoveryTools } from "./switches.ts";
import { documentOf } from "./tool-card.ts";
import { ToolIndex } from "./tool-index.ts";

/** What discovery needs; it owns neither tools nor a store. */
export interface DiscoveryParts {
  /** Every tool that may be seen now: registered, switched on, not forbidden. */
  tools(): readonly Tool[];
  /** The newest requests that led to each tool. */
  uses(perTool: number): ReadonlyMap<string, readonly string[]>;
  /** A request led to a call. */
  recordUse(query: string, tool: string): void;
  /** Whether the tool is described to the model without a search. Omitted: none is. */
  isDescribed?(tool: Tool): boolean;
}

/** Finding tools, and what one session has found. */
export interface Discovery {
  /** Best first; a request may name several capabilities, one per sentence or line. */
  search(query: string, options?: { category?: string; limit?: number }): Tool[];
  categories(): string[];
  /**
   * The same without tools that are already described to the model and poor matches; the tools count as found by this
   * session.
   */
  discover(query: string, options?: { category?: string; limit?: number }): Tool[];
  /** Names found in this session, in the order they were found, so definitions can be appended, never inserted. */
  discovered(): readonly string[];
  /** Records a successful call: if a search led to it, that is remembered. */
  called(tool: string): void;
}

const defaultLimit = 5;
const searchesKept = 20;
/** The minimum score relative to the best match: every tool that is loaded costs tokens in all later requests. */
const leastOfBest = 0.4;
/** At most this many already described tools may rank before the last one that is not. */
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
    // A model that searches already has the search tools.
    const accepts = (name: string) =>
      !discoveryTools.has(name) &&
      (wanted === undefined || tools.get(name)?.category.toLowerCase() === wanted);
    return index.search(query, limit, accepts, least).flatMap((name) => tools.get(name) ?? []);
  };
  /** The best match sets the threshold even if it is already described; tools found earlier count as described. */
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
      // One search counts as one use: further calls of the same tool add no information.
      search.names.delete(name);
      parts.recordUse(search.query, name);
      indexed.delete(name);
    },
  };
}
