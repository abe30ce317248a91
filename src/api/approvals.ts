// Everything that waits for an answer of a person.
import type { FileDiffView } from "./changes.ts";
import type { RuleView } from "./settings.ts";

/** Everything that waits for a person. */
export interface OpenView {
  asks: AskView[];
  questions: QuestionView[];
  /** Asks that another process left open; answering one runs it here. */
  left: LeftView[];
}

/** A chat that waits for an answer; with its owner and project at the page of a team. */
export interface AskingChat {
  id: string;
  title: string;
  owner?: string;
  project?: string;
}

/** What a connected server wants to know in the middle of a call. */
export interface QuestionView {
  id: string;
  server: string;
  message: string;
  /** A flat object schema. */
  schema: Record<string, unknown>;
  /** The chat it belongs to, at the page of a team. */
  chat?: AskingChat;
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
  warnings: string[];
  counts: string[];
  files: AskFile[];
  notes: string[];
}

/** One open question; its id is good for one answer. */
export interface AskView {
  id: string;
  callId: string;
  /** A digest of the call and of the files that it was shown with: an answer that comes later counts for these. */
  version: string;
  stepId: string;
  /** The chat it belongs to; without one it was called from elsewhere. */
  chat?: AskingChat;
  tool: string;
  title: string;
  reason: string;
  args: Record<string, unknown>;
  /** What must not be missed; with any, no key approves it. */
  warnings: string[];
  /** Files by what happens to them and by kind, where they are many. */
  counts: string[];
  effects: string[];
  files: AskFile[];
  notes: string[];
  /** What "remember" would save, and for how long it can; left out where no rule would do. */
  remember?: RememberView & { wider: RememberView[] };
  /** Whether proposed files may be edited; the arguments always may. */
  editable: boolean;
  /** The person called the tool on this page, so a denial needs no reason. */
  byPerson: boolean;
  again?: string;
}

export interface RememberView {
  /** What it lets through. */
  words: string;
  rules: RuleView[];
  scopes: ("session" | "user")[];
}

export interface AskFile extends FileDiffView {
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
