import type { Effect } from "../tool/effects.ts";
import type { Preview } from "../tool/tool.ts";
import type { Rule } from "./rules.ts";

/** What a person is asked. `id` names this ask; `stepId` joins the asks that are shown and answered together. */
export interface ApprovalRequest {
  stepId: string;
  tool: string;
  args: Record<string, unknown>;
  reason: string;
}

export interface Ask extends ApprovalRequest {
  id: string;
  title: string;
  effects: readonly Effect[];
  preview: Preview | undefined;
  /** What "remember" would save, shown before it is saved. */
  rule: Rule;
  /** The arguments after the person edited proposed files (path to content); undefined where that cannot be. */
  amend: ((contents: ReadonlyMap<string, string>) => Record<string, unknown>) | undefined;
  /** The person made this call themselves: nobody reads why they say no to it. */
  byPerson: boolean;
  /** Why it is asked again, when an earlier answer could not be used. */
  again: string | undefined;
}

export interface ApprovalResponse {
  approved: boolean;
  modifiedArgs?: Record<string, unknown>;
}

export interface Answer extends ApprovalResponse {
  /** Why not, or a word to the model. */
  reason?: string;
  /** Save the rule: for this session only, or in the user's settings. */
  remember?: { rule: Rule; scope: "session" | "user" };
}

/** Each place that runs tools has one: terminal, web page, MCP elicitation, callback of the library. */
export type Asker = (asks: readonly Ask[], signal: AbortSignal) => Promise<readonly Answer[]>;

/** The narrowest rule that would have made this ask unnecessary. */
export function ruleFor(tool: string, effects: readonly Effect[]): Rule {
  const outgoing = effects.find((e) => e.kind === "fetch");
  if (outgoing?.kind === "fetch")
    return { decision: "allow", tool, url: URL.parse(outgoing.url)?.host ?? outgoing.url };
  const command = effects.find((e) => e.kind === "run");
  if (command?.kind === "run") return { decision: "allow", tool, command: command.command };
  const changed = effects.filter((e) => e.kind === "write" || e.kind === "delete");
  const touched = changed.length > 0 ? changed : effects.filter((e) => e.kind === "read");
  const paths = [...new Set(touched.map(({ path }) => path))];
  return paths.length === 0 ? { decision: "allow", tool } : { decision: "allow", tool, path: globOf(paths) };
}

/** More names than this nobody reads: the folder that holds them all stands for them. */
const mostNames = 20;

function globOf(paths: readonly string[]): string {
  const names = paths.map(escapeGlob);
  if (names.length === 1) return names[0] ?? "";
  const folder = commonFolder(paths);
  return names.length > mostNames && folder !== "" ? `${escapeGlob(folder)}**` : `@(${names.join("|")})`;
}

/** With its `/`; empty where they share none. */
function commonFolder([first = "", ...others]: readonly string[]): string {
  let folder = first;
  do folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  while (folder !== "" && !others.every((path) => path.startsWith(folder)));
  return folder;
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, "\\$&");
}
