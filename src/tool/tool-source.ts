import type { Tool } from "./tool.ts";

/** A place that tools come from while Wield runs: files, servers, descriptions of APIs. */
export interface ToolSource {
  /** Follows its place; cheap when nothing changed. Never throws: what is wrong is told by `problems`. */
  refresh(): Promise<void>;
  tools(): readonly Tool[];
  /** One line each, for the person: what, where, and what to do. */
  problems(): readonly string[];
  /** Why a tool that is there must not be used now; undefined when it may. */
  withheld(tool: string): string | undefined;
  close(): void;
}
