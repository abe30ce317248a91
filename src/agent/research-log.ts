import type { Usage } from "../events/agent-events.ts";
import type { Limits } from "./limits.ts";
import type { Source } from "./sources.ts";

/** What a person asked a research for; a continuation keeps to it unless the person asks for something else. */
export interface ResearchGiven {
  idea: string;
  /** Sub-questions at most; 0: no plan, one run for everything. */
  questions: number;
  /** What it may read of the web without asking. */
  sites: number;
  megabytes: number;
  /** Folders and files of the workspace that it may read besides `ideas/`. */
  read: readonly string[];
  limits: Limits;
  /** The model that was asked for; left out: as in the settings. */
  model?: string;
  /** The format of the report. */
  format: string;
}

/** A finished research. */
export interface ResearchResult {
  /** The report: Markdown with numbers, and the list that they refer to at the end. */
  text: string;
  /** The list, in order. */
  sources: readonly Source[];
  /** What a reader should know about the citations, a sentence each. */
  problems: string[];
  /** Requests that were refused, with the reason, a sentence each. */
  refused: string[];
  /** The sub-questions; empty when there was no plan. */
  questions: string[];
  /** The sessions of all phases, in order. */
  sessions: string[];
  model: string;
  steps: number;
  usage: Usage;
  costUsd?: number;
}
