import type { ToolSet } from "ai";
import type { CostView } from "../api/cost.ts";
import type { KeyView } from "../api/keys.ts";
import type { RewindMessage, RewindView, RewoundView } from "../api/rewind.ts";
import type { ProviderView } from "../api/settings.ts";
import type { Answer } from "../approval/approval.ts";
import type { Policy } from "../approval/decide.ts";
import type { PermissionMode } from "../approval/modes.ts";
import type { Rule } from "../approval/rules.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { Skills } from "../discovery/skills.ts";
import type { Price } from "../model/prices.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { CallOptions, CallOutcome } from "../runtime/runtime.ts";
import type { LogEntry, PendingApproval, SessionRecord } from "../store/store.ts";
import type { ToolResult } from "../tool/result.ts";
import type { Preview, Tool } from "../tool/tool.ts";
import type { ProcessOutput, ProcessView } from "../tools/run/background.ts";
import type { BuiltinName, ToolInput, ToolValue } from "../toolsets/toolsets.ts";
import type { Change, ChangeQuery } from "../workspace/workspace.ts";
import type { ProviderCheck } from "./providers.ts";
import type { RewindWhat } from "./rewind.ts";
import type { Settings, SettingsInput } from "./settings.ts";

/** The outcome of a tool whose value is known when the program is compiled. */
export type TypedOutcome<T> = Omit<CallOutcome, "result"> & { result: ToolResult<T> };

/** Calls of built-in tools: names, inputs and values are checked by the compiler. */
export type TypedCall = <N extends BuiltinName>(
  tool: N,
  input: ToolInput<N>,
  options?: CallOptions,
) => Promise<TypedOutcome<ToolValue<N>>>;

/** Lists and finds tools, and provides them for your own model. */
export interface WieldTools {
  /** The tools that may be used now: registered, switched on, not forbidden by a rule. */
  list(): Tool[];
  /** Everything that is registered, switched on or not. */
  readonly registry: ToolRegistry;
  /** Finding tools, and what this session has found. */
  readonly discovery: Discovery;
  readonly skills: Skills;
  /** For a system prompt: which deferred tools there are, by category. */
  catalogue(): string;
  /** For `generateText` and `streamText` of the AI SDK. */
  forAiSdk(): ToolSet;
  /**
   * The same, with deferred tools left out until the model finds them with searchTools: their definitions are loaded on
   * demand. What this session has found before stays loaded.
   */
  forAiSdkOnDemand(): Promise<ToolSet>;
  /** Deferred tools that are used so often that they might as well be known from the start; the person decides. */
  favouritesToPropose(): Promise<{ tool: string; calls: number }[]>;
  /** Follows tool files that changed; every call does so, too. */
  refresh(): Promise<void>;
  /** The same, and new MCP servers have answered or given up; a call waits only for its own server. */
  ready(): Promise<void>;
  /** What is wrong with added tools, and which notes the last agent did not get; a line each. */
  problems(): string[];
  /** The same after a closer look, which may take seconds: new servers have answered, the types of tool files are checked. */
  check(): Promise<string[]>;
}

/** The user's settings and the rules in force. */
export interface WieldSettings {
  /** Whether the person trusts this workspace's own settings, tools and skills. */
  readonly trusted: boolean;
  /** The user's own settings. */
  user(): Settings;
  /** The model that this process was started with, by WIELD_MODEL or --model: it comes before the setting. */
  readonly startedWithModel: string | undefined;
  /** Changes the user's settings file; calls and agents that start afterwards follow it. */
  change(change: (settings: SettingsInput) => SettingsInput): void;
  /** The rules in force. */
  policy(): Policy;
  /** The permission mode of a session that is open here; without one, of the folder. */
  mode(session?: string): PermissionMode;
  /** The permission mode of any session of this folder. */
  modeOf(session: string): Promise<PermissionMode>;
  /** Sets the permission mode of a session (from its next call on), of the folder, or of both. */
  setMode(mode: PermissionMode, where: { session?: string; folder?: boolean }): Promise<void>;
  /** Whether the rules let a tool read a path without asking: paths that it may not read are left out of listings, searches and runs. */
  mayRead(tool: string, path: string): boolean;
  /** Drops a rule that was remembered, from this session and from the user's file; or puts another in its place. */
  forget(rule: Rule, instead?: Rule): void;
}

/** What Wield can use from outside: models, search, weather, GitHub, programs of this machine. */
export interface WieldProviders {
  /** What is set up and what is missing; uses no network. */
  list(): ProviderView[];
  /** The model that is used where none is named, and why that one; fails where that one cannot be had. */
  model(): Promise<{ name: string; from: string }>;
  /** Programs of this machine, and whether code can be confined here. */
  machine(): Promise<ProviderView[]>;
  /** Asks everything that is set up for something small. */
  check(signal: AbortSignal): Promise<ProviderCheck[]>;
}

/** Questions that an earlier process left open in this workspace. */
export interface WieldApprovals {
  pending(): Promise<PendingApproval[]>;
  /** What one of them would do now, such as the diff; undefined where there is nothing to look at. */
  preview(pendingId: string): Promise<Preview | undefined>;
  /** Answers one of them, named by its id or the beginning of it, and runs the call if the answer is yes. */
  answer(pendingId: string, answer: Answer): Promise<CallOutcome>;
}

/** Conversations with agents in this workspace. */
export interface WieldSessions {
  /** Pinned ones, then newest first; with those in worktrees of this folder. `query`: words in their text. */
  list(limit?: number, query?: string): Promise<SessionRecord[]>;
  /** Named by its id or the beginning of it, in this folder or in a worktree of it. */
  find(id: string): Promise<SessionRecord>;
  /** Its log, without results that show what the rules deny by now. */
  log(session: string): Promise<LogEntry[]>;
  /** Named by its id or the beginning of it. Gone from disk, too; what its calls changed in files stays, and so do their figures. */
  remove(id: string): Promise<SessionRecord>;
  /** The person's messages, which a conversation can be rewound to; oldest first. */
  messages(session: string): Promise<RewindMessage[]>;
  /** What a rewind to before a message (its `entry`) would do to files. */
  planRewind(session: string, to: number): Promise<RewindView>;
  /**
   * Takes the conversation, the files or both back to before a message. `CONFLICT` when someone else changed a file since:
   * then nothing happens. Not during a run of the session; open its agent again afterwards.
   */
  rewind(session: string, to: number, what: RewindWhat): Promise<RewoundView>;
  /** A new session that begins with everything before a message. */
  fork(session: string, before: number): Promise<SessionRecord>;
}

/** Keys that `wield login` or the page stored: in a file that only the person can read, and never shown again. */
export interface WieldKeys {
  /** What each provider needs, and where its key comes from. */
  list(): KeyView[];
  /** Checks a key with one small request, then stores it. */
  set(provider: string, key: string, options?: { check?: boolean; signal?: AbortSignal }): Promise<KeyView>;
  remove(provider: string): Promise<KeyView & { wasStored: boolean }>;
}

/** What models cost, by the price list. */
export interface WieldCost {
  /** Of this folder: today, by day, model and session; and of one session. */
  view(session?: string): Promise<CostView>;
  /** US dollars for a million tokens; undefined: not known. */
  priceOf(model: string): Price | undefined;
  /** Fetches a new price list; how many prices it has. */
  refreshPrices(signal?: AbortSignal): Promise<number>;
}

/** Processes in the background: they end with their session and with Wield. */
export interface WieldProcesses {
  /** Of a session, or all; oldest first. */
  list(session?: string): ProcessView[];
  /** From an offset on, or the end of what it printed. `INVALID_INPUT` where there is no such process. */
  read(id: string, options?: { offset?: number | undefined; most?: number }): ProcessOutput;
  /** Ends it; what it changed is applied, held for a person, or refused. */
  stop(id: string): Promise<ProcessView>;
  /** For a person's own browser: one of its ports (left out: the first) on the loopback of this machine. Gives the address. */
  open(id: string, port?: number): Promise<string>;
  /** Ends all of a session. */
  stopSession(session: string): Promise<void>;
}

/** What tools changed in this workspace; `undo` and `redo` are tools. */
export interface WieldChanges {
  list(query?: ChangeQuery): Promise<Change[]>;
}
