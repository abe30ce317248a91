import type { Tool } from "./tool.ts";

/** A place that tools come from while Wield runs: files, servers, descriptions of APIs. */
export interface ToolSource {
  /**
   * Updates the tools; cheap if nothing changed. Never throws: `problems` reports errors. Does not wait for a slow
   * source, whose tools appear later.
   */
  refresh(): Promise<void>;
  /** What is still waited for, of all or of what could bring this tool. Each ends with an answer or a problem, never a throw. */
  pending(tool?: string): readonly Promise<void>[];
  tools(): readonly Tool[];
  /** One line each, for the person: what, where, and what to do. */
  problems(): readonly string[];
  /** A slower, thorough check on a person's request: its findings besides `problems`, one line each. */
  check(): Promise<readonly string[]>;
  /** Why a tool that is there must not be used now; undefined when it may. */
  withheld(tool: string): string | undefined;
  close(): void;
}
