// Tools, skills, and single calls.
import type { CallFile, CallRecord } from "../events/events.ts";
import type { ToolError } from "../failure/failure.ts";

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
