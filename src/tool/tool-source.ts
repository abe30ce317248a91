import type { Tool } from "./tool.ts";

/** A place that tools come from while Wield runs: files, servers, descriptions of APIs. */
export interface ToolSource {
  /**
   * Follows its place; cheap when nothing changed. Never throws: what is wrong is told by `problems`. Does not wait for a
   * place that has to answer first: what it brings comes later.
   */
  refresh(): Promise<void>;
  /** What is still waited for, of all or of what could bring this tool. Each ends with an answer or a problem, never a throw. */
  pending(tool?: string): readonly Promise<void>[];
  tools(): readonly Tool[];
  /** One line each, for the person: what, where, and what to do. */
  problems(): readonly string[];
  /** A closer look that takes its time, for a person who wants to know: what it found beside `problems`, a line each. */
  check(): Promise<readonly string[]>;
  /** Why a tool that is there must not be used now; undefined when it may. */
  withheld(tool: string): string | undefined;
  close(): void;
}
