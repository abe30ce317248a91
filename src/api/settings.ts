// What can be set up and looked after: settings, rules, providers, MCP servers, index and storage.

export interface SettingsView {
  model: string | null;
  /** The model that the process was started with (WIELD_MODEL or --model); it overrides `model`. */
  startedWithModel: string | null;
  steps: number;
  /** How much the model thinks before it answers; null: the model's own default. */
  effort: "none" | "low" | "medium" | "high" | "max" | null;
  /** From 80 % of it on, there is a warning. */
  costUsdPerDay: number | null;
  /** Tools and categories that are switched off, and exceptions from that. */
  off: string[];
  on: string[];
  rules: { user: RuleView[]; workspace: RuleView[]; session: RuleView[] };
}

export interface RuleView {
  decision: "allow" | "ask" | "deny";
  tool?: string | undefined;
  path?: string | undefined;
  url?: string | undefined;
  command?: string | undefined;
  /** Only in this folder; left out: everywhere. */
  workspace?: string | undefined;
  reason?: string | undefined;
}

/** What the rules say about an example. */
export interface RuleTestView {
  decision: "allow" | "ask" | "deny";
  reason: string;
}

/** MCP servers: in use here, and those that other programs are set up with. */
export interface McpServersView {
  used: {
    name: string;
    /** The command or the address; null: a server of the folder's own settings. */
    how: string | null;
    /** How many of its tools can be used now. */
    tools: number;
    problem: string | null;
    signIn: boolean;
  }[];
  found: { id: string; name: string; from: string; what: string }[];
  problems: string[];
}

/** How the tools of a server differ from what was approved. */
export interface McpReviewView {
  drift: { tool: string; change: string; diff: string }[];
  /** Tools that the server declares read-only: they will run without asking. */
  readers: string[];
}

/** Something that Wield can use from outside. */
export interface ProviderView {
  group: "Model" | "Search" | "Weather" | "GitHub" | "Telemetry" | "Machine";
  name: string;
  /** `ready`: set up, but another is used. */
  state: "used" | "ready" | "missing";
  /** What sets it up: a variable, a setting or a program. */
  by?: string;
  /** How to set it up. */
  how: string;
}

export interface IndexView {
  /** Files of code, and how many of them are indexed. */
  code: number;
  parsed: number;
  building: boolean;
  languages: Record<string, number>;
}

/** What Wield keeps of one kind, and how much of it is beyond its limits. */
export interface StorageView {
  kind:
    | "sessions"
    | "calls"
    | "documents"
    | "plans"
    | "approvals"
    | "journal"
    | "worktrees"
    | "caches"
    | "set aside";
  about: string;
  count: number;
  bytes: number;
  removable: { count: number; bytes: number };
}
