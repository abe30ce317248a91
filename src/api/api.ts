import type { Usage } from "../events/agent-events.ts";
import type { CallFile, CallRecord } from "../events/events.ts";
import type { ToolError } from "../failure/failure.ts";
import type { ChatChunk, ChatMessage } from "./chat.ts";
import type { TeamStatusView } from "./team.ts";

/** What the local server tells a page. Types only: the page shares no code with the rest. */

/** On the event stream: the message of the session that is followed, and a word that something else is worth fetching again. */
export type PageEvent =
  | { type: "chunk"; chunk: ChatChunk }
  | { type: Announcement }
  /** Events were missed: fetch everything again. */
  | { type: "resync" };

/** Something that Wield can use from outside. */
export interface ProviderView {
  group: "Model" | "Search" | "Weather" | "GitHub" | "Machine";
  name: string;
  /** `ready`: set up, but another is used. */
  state: "used" | "ready" | "missing";
  /** What sets it up: a variable, a setting or a program. */
  by?: string;
  /** How to set it up. */
  how: string;
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

export type Announcement =
  | "approvals-change"
  | "sessions-change"
  | "queue-change"
  | "settings-change"
  | "files-change"
  | "documents-change";

export interface StatusView {
  /** The permission modes, and the one of the folder. */
  permissionModes: ModeView[];
  permissionMode: PermissionModeName;
  /** The profiles that a conversation can have, the usual one first. */
  profiles: ProfileView[];
  workspace: string;
  trusted: boolean;
  version: string;
  /** The model's name, or why there is none. */
  model: string;
  modelError: boolean;
  /** What is left out of tools and notes, and why. */
  problems: string[];
  /** Only at the page of a team, which has fewer pages. */
  team?: TeamStatusView;
}

/** What is asked about. */
export type PermissionModeName = "ask" | "edits" | "plan" | "auto";

export interface ModeView {
  name: PermissionModeName;
  label: string;
  hint: string;
}

export interface SessionModeView {
  mode: PermissionModeName;
}

/** How the agent works in a conversation. */
export type ProfileName = "code" | "explore" | "research" | "assistant";

export interface ProfileView {
  name: ProfileName;
  label: string;
  hint: string;
}

export interface SessionSummary {
  id: string;
  agent: ProfileName;
  title: string;
  at: string;
  updated: string;
  running: boolean;
  pinned: boolean;
  /** The folder it belongs to, where that is another one: it can be read here, and continued there. */
  folder?: string;
}

export interface SessionView {
  session: SessionSummary;
  /** All but that of a run that goes on. */
  messages: ChatMessage[];
  /** The message of a run that goes on, as the stream told it so far; empty when it has not begun. */
  chunks?: ChatChunk[];
  /** Where the stream goes on after these. */
  cursor: string;
  /** An earlier process left a run unfinished. */
  unfinished: boolean;
}

/** Which model a session was given; null: that of the settings. */
/** Where a report was saved, in the workspace. */
export interface ReportView {
  report: string;
  log: string;
}

export interface SessionModelView {
  model: string | null;
}

export interface ModelsView {
  names: string[];
}

/** A file that the person attaches to a message: text as it is, an image or a PDF in base64. */
export type AttachmentBody = { name: string; mediaType: string } & ({ text: string } | { base64: string });

/** A message that waits until the agent is done. */
export interface QueuedView {
  id: string;
  text: string;
  /** Names of attached files. */
  attached: string[];
  /** The run did not end well: it is not sent by itself, and belongs into the person's input again. */
  held: boolean;
}

/** Everything that waits for a person. */
export interface OpenView {
  asks: AskView[];
  questions: QuestionView[];
  /** Asks that another process left open; answering one runs it here. */
  left: LeftView[];
}

/** What a connected server wants to know in the middle of a call. */
export interface QuestionView {
  id: string;
  server: string;
  message: string;
  /** A flat object schema. */
  schema: Record<string, unknown>;
}

export type QuestionAnswer =
  | { action: "accept"; content: Record<string, string | number | boolean | string[]> }
  | { action: "decline" | "cancel" };

export interface LeftView {
  id: string;
  tool: string;
  args: Record<string, unknown>;
  reason: string;
  at: string;
}

/** What a request that was left open would do to the files as they are now. */
export interface LeftPreviewView {
  files: AskFile[];
  notes: string[];
}

/** One open question; its id is good for one answer. */
export interface AskView {
  id: string;
  callId: string;
  stepId: string;
  /** The chat it belongs to; without one it was called from elsewhere. */
  chat?: { id: string; title: string };
  tool: string;
  title: string;
  reason: string;
  args: Record<string, unknown>;
  effects: string[];
  files: AskFile[];
  notes: string[];
  /** What "remember" would save, and for how long it can; left out where no rule would do. */
  remember?: RememberView & { wider: RememberView[] };
  /** Whether proposed files may be edited; the arguments always may. */
  editable: boolean;
  /** Called with the person's own hands on this page: nobody reads why they say no. */
  byPerson: boolean;
  again?: string;
}

export interface RememberView {
  /** What it lets through. */
  words: string;
  rules: RuleView[];
  scopes: ("session" | "user")[];
}

export interface AskFile {
  path: string;
  change: "create" | "modify" | "delete" | "move";
  from?: string;
  diff: string;
  added: number;
  removed: number;
  proposed?: string;
  current?: string;
}

export interface AskAnswer {
  approved: boolean;
  reason?: string | undefined;
  /** Proposed files as the person left them, by path. */
  contents?: Record<string, string> | undefined;
  /** Or the arguments. */
  modifiedArgs?: Record<string, unknown> | undefined;
  remember?: "session" | "user" | undefined;
  /** Which of the wider rules to remember, counted from 1; left out or 0: the narrowest. */
  width?: number | undefined;
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

export interface ToolView {
  name: string;
  title: string;
  description: string;
  category: string;
  loading: "core" | "deferred";
  can: readonly string[];
  on: boolean;
  /** Cannot be switched off. */
  locked: boolean;
  /** A favourite of the user: described to models from the start. */
  pinned: boolean;
  /** Used so often this month that it might be one. */
  proposed?: number;
  input: Record<string, unknown>;
  examples: readonly { title: string; input: Record<string, unknown> }[];
}

export interface SkillView {
  name: string;
  description: string;
  source: "built-in" | "user" | "workspace";
  /** Files beside its SKILL.md. */
  files: string[];
}

export interface SkillsView {
  skills: SkillView[];
  /** Folders that look like a skill and are none, each with the reason. */
  problems: string[];
}

/** One file of a skill, by default its SKILL.md without front matter. */
export interface SkillTextView extends SkillView {
  content: string;
}

export interface CallView {
  id: string;
  tool: string;
  result: { ok: true; value: unknown } | { ok: false; error: ToolError };
  text: string;
  images: readonly { mediaType: string; base64: string }[];
  record: CallRecord;
  files: readonly CallFile[];
}

export interface ChangeView {
  id: string;
  callId: string;
  tool: string;
  description: string;
  at: string;
  state: "done" | "undone";
  undoable: boolean;
  notices: string[];
  files: { path: string; change: "create" | "modify" | "delete" | "move"; from?: string; diff: string }[];
}

/** What a call of a session changed, as far as it can still be turned over. */
export interface CallChangeView {
  id: string;
  callId: string;
  state: "done" | "undone";
  /** Its paths. */
  files: string[];
  /** Lines, in all its files. */
  added: number;
  removed: number;
}

/** What the rules say about an example. */
export interface RuleTestView {
  decision: "allow" | "ask" | "deny";
  reason: string;
}

/** How the tools of a server differ from what was approved. */
export interface McpReviewView {
  drift: { tool: string; change: string; diff: string }[];
  /** Tools that the server declares read-only: they will run without asking. */
  readers: string[];
}

/** How full the context of a session is; empty before its first step in this process. */
export interface ContextView {
  tokens?: number;
  budget?: number;
}

export interface SettingsView {
  model: string | null;
  /** The model that the process was started with (WIELD_MODEL or --model); it is used in the place of `model`. */
  startedWithModel: string | null;
  steps: number;
  /** How much the model thinks before it answers; null: as it does by itself. */
  effort: "none" | "low" | "medium" | "high" | "max" | null;
  /** From 80 % of it on, there is a warning. */
  costUsdPerDay: number | null;
  /** Tools and categories that are switched off, and exceptions from that. */
  off: string[];
  on: string[];
  rules: { user: RuleView[]; workspace: RuleView[]; session: RuleView[] };
}

export interface DocumentSummaryView {
  id: string;
  title: string;
  kind: "text" | "code" | "sheet";
  version: number;
  updated: string;
  /** Of a search: the part that matches, the words in «guillemets». */
  snippet?: string;
}

/** A page of documents, the last changed first, or what a search found, best first. */
export interface DocumentsView {
  documents: DocumentSummaryView[];
  /** Of all documents. */
  total: number;
  /** The next page begins before this one. */
  next?: string;
}

/** One version of a document; `updated` and `description` are of this version. */
export interface DocumentView extends DocumentSummaryView {
  content: string;
  description: string;
  /** All, newest first. */
  versions: { version: number; description: string; at: string }[];
  /** Those that are open. */
  suggestions: { id: string; original: string; suggested: string; reason: string }[];
  /** What it can be saved as, the usual format first. */
  formats: ("md" | "docx" | "csv" | "source")[];
}

export interface DocumentDiffView {
  from: number;
  to: number;
  /** Unified; empty when there is no difference, or too much of it. */
  diff: string;
  added: number;
  removed: number;
}

export interface IndexView {
  /** Files of code, and how many of them are indexed. */
  code: number;
  parsed: number;
  building: boolean;
  languages: Record<string, number>;
}

export interface StatsView {
  tools: ToolStatisticsView[];
  /** Newest first. */
  calls: CallRecord[];
}

export interface ToolStatisticsView {
  tool: string;
  calls: number;
  failures: number;
  p50Ms: number;
  p95Ms: number;
  tokensIn: number;
  tokensOut: number;
  asked: number;
  approved: number;
  edited: number;
}

export type { CallFile, CallRecord, ToolError, Usage };

/** What Wield keeps of one kind, and how much of it is beyond its limits. */
export interface StorageView {
  kind: "sessions" | "calls" | "documents" | "plans" | "approvals" | "journal" | "caches" | "set aside";
  about: string;
  count: number;
  bytes: number;
  removable: { count: number; bytes: number };
}
