import type { Socket } from "node:net";
import type { Captured } from "../process/process.ts";
import type { HiddenPath, HiddenPaths } from "../tool/tool.ts";
import type { LocalAddress } from "./local-port.ts";
import type { ReachedLimit, SandboxPolicy } from "./policy.ts";
import type { CallTool } from "./tool-server.ts";

/** Runs commands that nobody vouches for. The workspace itself is never written to: changes come back as a list. */
export interface Sandbox {
  /** A description for people: the backend and how limits are enforced. */
  describe(): Promise<string>;
  /** `SANDBOX_UNAVAILABLE` when nothing here can confine a command; a bare run never happens. */
  run(job: Job, policy: SandboxPolicy): Promise<JobResult>;
}

/** One command as it shall be run. Inside, the workspace is `/ws`; the only writable places are it, `/tmp` and `/out`. */
export interface Job {
  /** Real path of the directory that the command may see and change (in a copy). */
  workspace: string;
  /** Program and arguments; they stay literal. */
  command: readonly [string, ...string[]];
  /** Below the workspace, with `/`. Default: its root. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  input?: Uint8Array | string;
  /** If given, standard input stays open: it receives the function that writes to it, once the command has started. */
  onInput?: (write: (bytes: string) => void) => void;
  /** Files to put below `/run/wield`, read-only: code, helpers. */
  files?: Readonly<Record<string, string>>;
  /** Directories and files of the machine to mount read-only at a given path; missing ones are skipped. */
  mounts?: readonly Mount[];
  /** Servers on this machine that a person opened: the run finds exactly these on its own loopback. */
  localPorts?: readonly LocalAddress[];
  /** Given, the command `wield-tool` inside calls Wield's own tools. */
  tools?: CallTool;
  /** Paths of the workspace that look empty inside and cannot be changed there. */
  hidden?: HiddenPaths;
  /** Ends the run and discards its changes. */
  signal?: AbortSignal;
  /** Ends the run; its changes until then are returned as usual. */
  stop?: AbortSignal;
  /** A run that continues while the workspace changes: it sees later changes to files that it did not change itself. */
  isLive?: boolean;
  /** It works on a copy of the workspace, made when it starts, also where an overlay could be used. */
  isCopied?: boolean;
  /** Called when the command starts, with the way to servers that it starts. */
  onStart?: (inside: Inside) => void;
  onStdout?: (chunk: Buffer) => boolean | undefined;
  onStderr?: (chunk: Buffer) => void;
  /** Receives the output of both streams; all of it is kept as usual. Must not throw. */
  watch?: (chunk: Buffer, stream: "stdout" | "stderr") => void;
}

/** Servers of a running command, on its own loopback; with the network of the machine there is none to tell apart. */
export interface Inside {
  /** The ports that it listens on now. */
  ports(): number[];
  connect(port: number): Socket;
}

export interface Mount {
  from: string;
  to: string;
  /** Below it: looks empty inside. */
  hidden?: readonly HiddenPath[];
}

export interface JobResult {
  stdout: Captured;
  stderr: Captured;
  /** As a shell tells it: 128 and the signal's number when a signal ended it. */
  exitCode: number;
  durationMs: number;
  limit: ReachedLimit | null;
  changes: Harvest;
  /** What the command left in `/out`, with paths below it: for results that are no part of the workspace. */
  outbox: readonly HarvestedEntry[];
  /** Every connection that the command requested, if there is an allowlist. */
  connections: readonly Connection[];
}

export interface Connection {
  host: string;
  port: number;
  allowed: boolean;
  reason: string;
}

/** The changes of the command. Paths are relative to the workspace; nothing is applied yet. */
export interface Harvest {
  entries: readonly HarvestedEntry[];
  /** Why the list is incomplete, in which case none of it may be used; null if it is complete. */
  incomplete: string | null;
}

export type HarvestedEntry =
  | { kind: "file"; path: string; mode: number; bytes: Buffer }
  | { kind: "link"; path: string; target: string }
  /** `replaced`: previous contents that are not listed were removed. */
  | { kind: "directory"; path: string; replaced: boolean }
  | { kind: "deleted"; path: string }
  /** A FIFO, a device or a name that is not UTF-8: never applied. */
  | { kind: "special"; path: string; notText?: true };
