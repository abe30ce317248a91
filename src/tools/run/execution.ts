import type { LocalAddress } from "../../sandbox/local-port.ts";
import type { ChosenLimits } from "../../sandbox/machine-limits.ts";
import type { NetworkPolicy } from "../../sandbox/policy.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { CallTool } from "../../sandbox/tool-server.ts";
import type { FolderCache } from "../../workspace/folder-cache.ts";
import type { Judging } from "./applied-run.ts";
import type { BackgroundProcesses } from "./background.ts";
import type { PackageManager, Registry } from "./packages.ts";
import type { RunInTerminal } from "./terminal.ts";

/** What tools that run code need from outside. */
export interface Execution extends Judging {
  sandbox(): Sandbox;
  /** Where programs of the machine are found, and the variables that they need. */
  env: Readonly<Record<string, string>>;
  /** All variables of the person, for a command that they let run outside the sandbox. */
  outsideEnv: Readonly<Record<string, string>>;
  /** Where such a command runs before the person's eyes. Left out: as a process of Wield. */
  terminal?: RunInTerminal | undefined;
  /** Commands that the person's settings name. */
  configured: { test: readonly string[] | undefined; format: readonly string[] | undefined };
  /** What the person set for runs in this folder. */
  limits: ChosenLimits;
  /** Notes about the environment that the session has not seen yet; without a session: all. */
  notesOnce(session: string | undefined, notes: readonly string[]): string[];
  /** What run_code and executeCode may reach; the person's own settings say so, never the workspace's. */
  network: NetworkPolicy;
  /** Whether rules keep files of the workspace from runs. */
  hidesFiles(session: string | undefined): boolean;
  /** Servers on this machine that the rules open in a session, as they are now; `closed`: not to runs, which are not seen in parts. */
  localServers(session: string | undefined): { open: readonly LocalAddress[]; closed: readonly string[] };
  registry(manager: PackageManager): Promise<Registry>;
  /** Packages that code may use. */
  packages: FolderCache;
  /** Calls Wield's tools for code that runs inside; undefined while the person has not switched it on. */
  tools: CallTool | undefined;
  /** Commands that run on after their call. */
  background: BackgroundProcesses;
}
