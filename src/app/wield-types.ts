import type { Experimental_SandboxSession } from "ai";
import type { Agent } from "../agent/agent.ts";
import type { WorktreeView } from "../api/worktrees.ts";
import type { Answer, Ask, Asker } from "../approval/approval.ts";
import type { PermissionMode } from "../approval/modes.ts";
import type { CodeIntelligence } from "../code/code.ts";
import type { WieldEvent } from "../events/events.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import type { McpPerson } from "../mcp/host.ts";
import type { KnownModels } from "../model/known-models.ts";
import type { CallOptions, CallOutcome } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import type { AnyTool } from "../tool/tool.ts";
import type { RunInTerminal } from "../tools/run/terminal.ts";
import type { Suggest } from "../tools/studio/request-suggestions.ts";
import type { ToolsetName } from "../toolsets/toolsets.ts";
import type { WholeWorkspace, Workspace } from "../workspace/workspace.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { SharedCode } from "./code-index.ts";
import type { FindPathsOptions } from "./find-paths.ts";
import type { WieldMcp } from "./mcp.ts";
import type { OwnAgent } from "./own-agents.ts";
import type { OwnCommand } from "./own-commands.ts";
import type { SettingsInput } from "./settings.ts";
import type { Storage } from "./storage.ts";
import type {
  TypedCall,
  WieldApprovals,
  WieldChanges,
  WieldCost,
  WieldKeys,
  WieldProcesses,
  WieldProviders,
  WieldSessions,
  WieldSettings,
  WieldTools,
} from "./wield-members.ts";
import type { Worktrees } from "./worktrees.ts";

export interface WieldOptions {
  /** The folder that the tools work in. */
  workspace: string;
  /** Answers one approval request. Left out: calls that need approval fail with `APPROVAL_REQUIRED`. */
  approve?: (ask: Ask) => Answer | Promise<Answer>;
  /**
   * Answers all approval requests of a step together; used instead of `approve`. Read for each request, so it may be
   * a getter.
   */
  readonly asker?: Asker | undefined;
  /** The permission mode: what is asked about. Default: what the person chose for the folder, or `ask`. */
  mode?: PermissionMode;
  /**
   * Whoever answers does not own this machine, as on a worker of a team: commands outside the sandbox and servers of this machine
   * are refused, unless a rule in the settings of its owner allows them.
   */
  sharedMachine?: boolean;
  /** The workspace is a worktree of a repository that only Wield writes to: where git finds it. */
  gitWorktree?: { gitDir: string; commonDir: string };
  /** On top of the user's own settings. */
  settings?: SettingsInput;
  /**
   * A toolset by name: those built-in tools, and all tools that were added. A list of names: exactly those. Default: all.
   */
  tools?: ToolsetName | readonly string[];
  /** Tools of your own, made with `defineTool`. */
  customTools?: readonly AnyTool[];
  /** Reviews a document for `requestSuggestions`; usually a language model. */
  suggest?: Suggest;
  /** Answers questions that MCP servers ask in the middle of a call. */
  readonly elicit?: Elicit | undefined;
  /** The text of a file as an editor has it, saved or not; undefined: as it is on disk. Tools that read a file get this. */
  unsaved?: (path: string, onDisk: string) => Promise<string | undefined>;
  /** A terminal for commands that the person lets run outside the sandbox. Left out: they run as processes of Wield. */
  terminal?: RunInTerminal;
  /** A layer over the workspace, such as one that keeps changes elsewhere, too. */
  around?: (workspace: WholeWorkspace) => Promise<WholeWorkspace>;
  /** False for a folder that nobody uses after a crash: changes and their journal are not synced to the disk. Default: true. */
  durable?: boolean;
  /** An index of the files that the workspace began with, shared with other workspaces; it is closed with this Wield. */
  sharedCode?: SharedCode;
  /** Calls that need approval while nobody can be asked stay pending in `approvals`. Default: they are refused. */
  keepUnanswered?: boolean;
  /** Where sessions, calls and documents are kept. Default: a SQLite file among the user's state. */
  store?: Store;
  /** Default: the process environment; decides where settings and state are kept. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** Wield on one folder. What belongs together is one member; the calls themselves are here. */
export interface Wield {
  readonly workspace: Workspace;
  /** The folder whose settings, rules, trust and documents hold: the workspace, or the one that it is a worktree of. */
  readonly project: string;
  /** Given when the workspace is a worktree. */
  readonly worktree?: WorktreeView;
  /** Worktrees of the project, for sessions of their own. */
  readonly worktrees: Worktrees;
  /** What is kept between processes: sessions, calls, documents. */
  readonly store: Store;
  readonly tools: WieldTools;
  readonly settings: WieldSettings;
  readonly providers: WieldProviders;
  readonly approvals: WieldApprovals;
  /** Keys of providers that a person gave to Wield. */
  readonly keys: WieldKeys;
  readonly sessions: WieldSessions;
  /** What models cost. */
  readonly cost: WieldCost;
  readonly changes: WieldChanges;
  /** What run_code started in the background and what it printed. */
  readonly processes: WieldProcesses;
  /** MCP servers: those in use, those that other programs are set up with, and what they offer besides tools. */
  readonly mcp: WieldMcp;
  /** What is kept on this machine for all folders, and removing what is old. */
  readonly storage: Storage;
  /** Runs a built-in tool. */
  call: TypedCall;
  /** Runs any tool by name, such as one that was added; the input is checked when the call runs. */
  callAny(tool: string, input: unknown, options?: CallOptions): Promise<CallOutcome>;
  /**
   * Calls that keep their order where one changes files that another is about: for the requests of one connection. A client
   * with a name has a session of its own.
   */
  callsInOrder(client?: string): Wield["callAny"];
  /** Ends what a client's session started. */
  endClient(client: string): Promise<void>;
  /** The tool `ask_person` for clients of the MCP server. */
  readonly person: McpPerson;
  /** Several calls of one step: run side by side, asks gathered, outcomes in order. */
  step(calls: readonly { tool: string; input: unknown }[], options?: CallOptions): Promise<CallOutcome[]>;
  /** An agent with these tools, in a new session or one that it continues. */
  agent(options?: AgentOptions): Promise<Agent>;
  /** Models that an agent may be given by name; asks the providers that a key is found for. */
  models(): Promise<KnownModels>;
  /** The index of the code, opened when it is first asked for. */
  code(): Promise<CodeIntelligence>;
  /** The files that match the beginning of a path as a person types it, best first. */
  findPaths(wanted: string, options?: FindPathsOptions): Promise<string[]>;
  /** The sandbox as the AI SDK knows one (`experimental_sandbox`): tools of other people run in it, under this policy. */
  sandboxSession(): Promise<Experimental_SandboxSession>;
  /** Bytes of web pages that came in so far. */
  webBytes(): number;
  /** Messages that the person and a trusted folder keep in files and send by name. */
  commands(): Promise<OwnCommand[]>;
  /** Agents that the person and a trusted folder describe in files; tasks can be given to them by name. */
  agents(): Promise<OwnAgent[]>;
  on(listener: (event: WieldEvent) => void): () => void;
  /** How many listeners there are: nothing adds one without taking it off again. */
  listenerCount(): number;
  /** Stops calls and runs under way, waits for their end and closes everything; later calls are refused. */
  close(): Promise<void>;
}
