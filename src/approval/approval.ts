import type { Effect } from "../tool/effects.ts";
import type { Preview } from "../tool/tool.ts";
import type { Rule } from "./rules.ts";

/** What a person is asked. `stepId` joins the asks that are shown and answered together. */
export interface ApprovalRequest {
  stepId: string;
  tool: string;
  args: Record<string, unknown>;
  reason: string;
}

/** What a person must see before they answer, most dangerous first. */
export interface AskFacts {
  /** Protected names and when they run, commands outside the sandbox, folders that go: with any, yes is never the default. */
  warnings: readonly string[];
  /** How many files of which kind, where they are more than one sees at a glance. */
  counts: readonly string[];
}

export interface Ask extends ApprovalRequest, AskFacts {
  id: string;
  title: string;
  effects: readonly Effect[];
  preview: Preview | undefined;
  /** What "remember" would save, shown before it is saved; undefined where no rule would let the same call through. */
  remember: Remembering | undefined;
  /** The arguments after the person edited proposed files (path to content); undefined where that cannot be. */
  amend: ((contents: ReadonlyMap<string, string>) => Record<string, unknown>) | undefined;
  /** The person made this call themselves, so a denial needs no reason. */
  byPerson: boolean;
  /** Why it is asked again, when an earlier answer could not be used. */
  again: string | undefined;
}

export type RememberScope = "session" | "user";

/** Rules that together let the same call through next time, and for how long they can be kept. */
export interface Remembering {
  rules: readonly Rule[];
  scopes: readonly RememberScope[];
  /** Wider ones that a person may choose instead, narrowest first. */
  wider?: readonly RememberWidth[];
}

export interface RememberWidth {
  /** What it lets through, in words: `every change in src/ by any tool`. */
  words: string;
  rules: readonly Rule[];
  scopes: readonly RememberScope[];
}

export interface ApprovalResponse {
  approved: boolean;
  modifiedArgs?: Record<string, unknown>;
}

export interface Answer extends ApprovalResponse {
  /** Why not, or a message to the model. */
  reason?: string;
  /** Denied by a limit that the person set: only the reason is reported. */
  byLimit?: boolean;
  /** No person looked at it, such as with `--yes`: it says nothing about what they would answer. */
  automatic?: boolean;
  /** Save these rules: for this session only, or in the user's settings. */
  remember?: { rules: readonly Rule[]; scope: RememberScope };
}

/**
 * An approval that no person gave. It does not allow servers on this machine: that needs a person, or a rule that
 * names the server.
 */
export function automaticApproval({ effects }: Pick<Ask, "effects">): Answer {
  const local = effects.flatMap((effect) => (effect.kind === "fetch" ? (effect.local ?? []) : []))[0];
  if (local === undefined) return { approved: true, automatic: true };
  const reason = `${local} is on this machine, and is not opened without a person. A rule in the settings opens it: {"decision": "allow", "url": "${local}"}`;
  return { approved: false, byLimit: true, reason };
}

/** Each place that runs tools has one: terminal, web page, MCP elicitation, callback of the library. */
export type Asker = (asks: readonly Ask[], signal: AbortSignal) => Promise<readonly Answer[]>;
