import { type Profile, profileNames, profiles } from "../agent/profiles.ts";
import { ToolRegistry } from "../registry/registry.ts";
import type { Tool } from "../tool/tool.ts";
import { toolsets, twins } from "../toolsets/toolsets.ts";

/** So many tools that the person or the program added are described from the start; more are found by searching. */
const mostAdded = 10;

/** What decides which tools an agent has, as it is now. */
export interface ToolsNow {
  /** Everything that may be used here: registered, switched on, not forbidden. */
  tools: readonly Tool[];
  /** Names of tools that the program or the person added. */
  added: ReadonlySet<string>;
  isFavourite(name: string): boolean;
}

/** Which of them one agent may have at all. */
export interface ToolChoice {
  /** Exactly these. */
  only: readonly string[] | undefined;
  /** No wider than these, such as those of an agent that delegates. */
  within: ((tool: Tool) => boolean) | undefined;
  /** Besides those of Wield: what only an agent has. */
  besides: readonly Tool[];
}

/**
 * The tools of one agent: which it may call, which of them are described to it from the start, and which are only in the
 * catalogue. Of two names for one engine both can be called and one is shown.
 */
export class AgentTools {
  /** Everything that the agent may call. */
  readonly callable = new ToolRegistry();
  /** Tools that are described to it or that it may find. */
  readonly shown = new ToolRegistry();
  readonly #profile: Profile;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #search: Tool;
  /** What only an agent has: it delegates and asks. */
  readonly #besides: readonly Tool[];
  readonly #within: ((tool: Tool) => boolean) | undefined;
  /** Each tool as this agent has it: its profile decides what is core. */
  readonly #own = new WeakMap<Tool, Tool>();
  #core: readonly string[] = [];
  #known: readonly Tool[] = [];

  /** `searchIn` makes the tool that searches among those that are shown. */
  constructor(
    profile: Profile,
    { only, within, besides }: ToolChoice,
    searchIn: (shown: ToolRegistry) => Tool,
  ) {
    this.#profile = profile;
    this.#besides = besides;
    this.#within = within;
    this.#only = only && new Set([...only, "read_result"]);
    this.#search = searchIn(this.shown);
  }

  /** Brings both registries up to date; what is shown, core tools first. */
  follow({ tools, added, isFavourite }: ToolsNow): Tool[] {
    const taken = new Set(tools.map(({ name }) => name));
    const besides = this.#besides.filter(({ name }) => !taken.has(name));
    this.#known = [...tools, ...besides];
    const permitted = this.#known.filter((tool) => this.#mayUse(tool));
    this.#core = this.#coreOf(permitted, added, isFavourite);
    const hidden = this.#hiddenTwins(permitted);
    const own = permitted.filter((tool) => tool.name !== this.#search.name).map((tool) => this.#asOwn(tool));
    const isDeferred = ({ loading }: Tool) => loading === "deferred";
    const all = own.some(isDeferred) ? [...own, this.#search] : own;
    const shown = all.filter(({ name }) => !hidden.has(name));
    const place = ({ name }: Tool) => {
      const index = this.#core.indexOf(name);
      return index < 0 ? this.#core.length : index;
    };
    shown.sort((a, b) => place(a) - place(b));
    replaceAll(this.callable, all);
    replaceAll(this.shown, shown);
    return shown;
  }

  /** What to say of a tool that only other profiles may use; undefined: no profile has it, or it was not chosen for this agent. */
  inOtherProfiles(name: string): string | undefined {
    const tool = this.#known.find((known) => known.name === name);
    if (!tool || this.#only || this.#within || profileMayUse(this.#profile, tool)) return undefined;
    const others = profileNames.filter((other) => profileMayUse(profiles[other], tool));
    if (others.length === 0) return undefined;
    const which = `the ${others.length === 1 ? "profile" : "profiles"} ${others.join(" and ")}`;
    return `${name} is a tool of ${which}; this conversation is in the profile ${this.#profile.name}. Only the person can switch it (/profile ${others[0]} in the terminal, the profile menu on the page): say what you would do with it.`;
  }

  #mayUse(tool: Tool): boolean {
    if (this.#only && !this.#only.has(tool.name)) return false;
    if (this.#within && !this.#within(tool)) return false;
    return profileMayUse(this.#profile, tool);
  }

  #coreOf(
    permitted: readonly Tool[],
    added: ReadonlySet<string>,
    isFavourite: ToolsNow["isFavourite"],
  ): string[] {
    if (this.#only)
      return permitted
        .filter(({ name, loading }) => loading === "core" || this.#profile.core.includes(name))
        .map(({ name }) => name);
    const there = new Set(permitted.map(({ name }) => name));
    const ofProfile = this.#profile.core.map((name) => (there.has(name) ? name : (twinOf(name) ?? name)));
    const extra = permitted.filter(({ name, loading }) => added.has(name) && loading === "core");
    const ofPerson = permitted.filter(({ name }) => isFavourite(name));
    return [
      ...new Set([
        ...ofProfile,
        ...(extra.length <= mostAdded ? extra.map(({ name }) => name) : []),
        ...ofPerson.map(({ name }) => name),
      ]),
    ];
  }

  /** Of each pair of tools, the one that is not described. */
  #hiddenTwins(permitted: readonly Tool[]): ReadonlySet<string> {
    const there = new Set(permitted.map(({ name }) => name));
    const preferred: readonly string[] = [...this.#core, ...toolsets[this.#profile.names]];
    const place = (name: string) => {
      const index = preferred.indexOf(name);
      return index < 0 ? preferred.length : index;
    };
    return new Set(
      twins
        .filter((pair) => pair.every((name) => there.has(name)))
        .map(([a, b]) => (place(a) <= place(b) ? b : a)),
    );
  }

  #asOwn(tool: Tool): Tool {
    const known = this.#own.get(tool);
    if (known) return known;
    const isCore = () => this.#core.includes(tool.name);
    const own: Tool = {
      ...tool,
      get loading() {
        return isCore() ? "core" : "deferred";
      },
    };
    this.#own.set(tool, own);
    return own;
  }
}

function profileMayUse({ may }: Profile, { can }: Tool): boolean {
  return may === "all" || can.every((kind) => may.includes(kind));
}

function twinOf(name: string): string | undefined {
  const pair = twins.find((names) => names.some((known) => known === name));
  return pair?.find((known) => known !== name);
}

function replaceAll(registry: ToolRegistry, tools: readonly Tool[]): void {
  const present = new Set(tools);
  for (const tool of registry.list()) if (!present.has(tool)) registry.unregister(tool.name);
  for (const tool of tools) if (!registry.get(tool.name)) registry.register(tool);
}
