// Types of the local server's API. Types only: the page shares no code with the rest.
import type { ChatChunk } from "./chat.ts";
import type { TeamStatusView } from "./team.ts";
import type { WorktreeView } from "./worktrees.ts";

/** On the event stream: the message of the session that is followed, and announcements of what to fetch again. */
export type PageEvent =
  | { type: "chunk"; chunk: ChatChunk }
  | { type: Announcement }
  /** Events were missed: fetch everything again. */
  | { type: "resync" };

export type Announcement =
  | "approvals-change"
  | "sessions-change"
  | "queue-change"
  | "settings-change"
  | "files-change"
  | "processes-change"
  | "documents-change";

/** A background process of a session. */
export interface ProcessView {
  id: string;
  command: string;
  started: string;
  /** `stopped`: somebody ended it. */
  state: "running" | "ended" | "stopped";
  /** Null while it runs. */
  exitCode: number | null;
  /** Ports that it listens on. */
  ports: number[];
  /** Those that the person opened on this machine, for their own browser. */
  opened: { port: number; address: string }[];
}

/** A part of what a process printed; `next` is the offset of what comes after it. */
export interface ProcessOutputView {
  text: string;
  offset: number;
  next: number;
}

export interface StatusView {
  /** Addresses on the local network; left out: reachable from this machine only. */
  lan?: string[];
  /** The permission modes, and the one of the folder. */
  permissionModes: ModeView[];
  permissionMode: PermissionModeName;
  /** The profiles that a conversation can have, the usual one first. */
  profiles: ProfileView[];
  workspace: string;
  /** Given when the folder is a worktree. */
  worktree?: WorktreeView;
  /** What became of that worktree, in a sentence, once it has ended. */
  worktreeEnd?: string;
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

/** Which calls a person is asked about. */
export type PermissionModeName = "ask" | "edits" | "plan" | "auto";

export interface ModeView {
  name: PermissionModeName;
  label: string;
  hint: string;
}

/** How the agent works in a conversation. */
export type ProfileName = "code" | "explore" | "research" | "assistant";

export interface ProfileView {
  name: ProfileName;
  label: string;
  hint: string;
}
