// Sessions as a page shows them.
import type { PermissionModeName, ProfileName } from "./api.ts";
import type { ChatChunk, ChatMessage } from "./chat.ts";

export interface SessionModeView {
  mode: PermissionModeName;
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
  /** The worktree it works in, where that is one of this folder. */
  worktree?: string;
  /** What became of that worktree, in a sentence: the session can be read, and not continued. */
  worktreeEnd?: string;
  /** Of a team: who started it, where that is somebody else; only they continue it. */
  owner?: string;
  /** Of a team: everybody can read it. */
  shared?: boolean;
  /** Of a team: what it works on. */
  project?: string;
  /** Of a team: it has not begun, or its next run has not: another session has its place. */
  queued?: boolean;
  /** Of a team: how its last run ended, where that was not with an answer, or that it could not begin. */
  failed?: "failed" | "stopped" | "at a limit" | "not begun";
}

export interface SessionView {
  session: SessionSummary;
  /** All but that of the present run. */
  messages: ChatMessage[];
  /** The message of the present run, as streamed so far; empty when it has not begun. */
  chunks?: ChatChunk[];
  /** Where the stream continues after these. */
  cursor: string;
  /** An earlier process left a run unfinished. */
  unfinished: boolean;
  /** Of a team: why it has not begun yet. */
  queued?: string;
}

/** Where a report was saved, in the workspace. */
export interface ReportView {
  report: string;
  log: string;
}

/** A message that is kept in a file and sent by its name. */
export interface CommandView {
  name: string;
  description: string;
  /** The folder of another program that it comes from. */
  from?: string;
}

/** Which model a session was given; null: that of the settings. */
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
  /** The run did not end well: it is not sent, and goes back into the person's input. */
  held: boolean;
}

/** How full the context of a session is; empty before its first step in this process. */
export interface ContextView {
  tokens?: number;
  budget?: number;
}
