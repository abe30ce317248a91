import { cannotBeUndone, type Effect, leaves } from "../tool/effects.ts";
import { manifestPart, protectionOf } from "../workspace/protected-names.ts";
import type { PermissionMode } from "./modes.ts";
import { namesInPattern } from "./path-pattern.ts";
import { matches, type Rule } from "./rules.ts";

export type Decision = "allow" | "ask" | "deny";

/** Rules by origin, weakest first. A workspace that nobody trusted may only tighten. */
export interface Policy {
  user: readonly Rule[];
  workspace: { rules: readonly Rule[]; trusted: boolean };
  session: readonly Rule[];
  /** Left out: `ask`. */
  mode?: PermissionMode;
  /** Why all that leaves is asked about, unless a rule names where it goes. Left out: it is not. */
  watch?: string;
  /**
   * The person who answers does not own this machine: decisions that only its owner may make are denied instead of
   * asked.
   */
  sharedMachine?: boolean;
}

export interface Judgement {
  decision: Decision;
  /** Why, for the person or the model. */
  because: string;
  effect?: Effect;
  rule?: Rule;
  /** A denial that a person may lift, by this rule alone: that what was taken for a secret is none. */
  overrule?: Rule;
}

/** Each effect is judged by the last rule that matches it; the strictest judgement decides the call. Pure. */
export function decide(
  call: { tool: string; byDefault: "auto" | "ask"; effects: readonly Effect[]; alsoAs?: readonly string[] },
  policy: Policy,
): Judgement {
  const effects = call.effects.length > 0 ? call.effects : [undefined];
  const names = [call.tool, ...(call.alsoAs ?? [])];
  const judgements = effects.map((effect) => judgeEffect(names, call.byDefault, effect, policy));
  return judgements.reduce((strictest, next) =>
    rank(next) > rank(strictest) || tellsMore(next, strictest) ? next : strictest,
  );
}

/**
 * Of two requests, the reason is the one at which more is at stake: a protected name or a server of this machine or network, then
 * what is replaced, deleted or run, then a new file.
 */
function tellsMore(next: Judgement, first: Judgement): boolean {
  return next.decision === "ask" && first.decision === "ask" && stakeOf(next) > stakeOf(first);
}

function stakeOf({ effect, because }: Judgement): number {
  if (effect?.kind === "fetch" && effect.local !== undefined) return 2;
  const isChange = effect?.kind === "write" || effect?.kind === "delete";
  if (isChange && protectionOf(effect.path)) return 2;
  const isNew = effect?.kind === "write" && !effect.replaces;
  return isNew && because === needsApproval(effect) ? 0 : 1;
}

/** `names`: the tool, and others whose rules hold for it as well. */
function judgeEffect(
  names: readonly string[],
  byDefault: "auto" | "ask",
  effect: Effect | undefined,
  policy: Policy,
): Judgement {
  const { mode = "ask" } = policy;
  let current: Judgement = { ...defaultJudgement(names, byDefault, effect, mode), ...(effect && { effect }) };
  const isChange = effect?.kind === "write" || effect?.kind === "delete";
  const protection = isChange ? protectionOf(effect.path) : undefined;
  const guarded = protection?.part;
  const isManifest = isChange && !effect.ignored && mode === "ask";
  const manifest = isManifest ? manifestPart(effect.path) : undefined;
  if (protection) {
    current = { ...current, decision: "ask", because: `${guarded} ${protection.why}` };
  } else if (manifest !== undefined && current.decision === "allow") {
    current = { ...current, decision: "ask", because: `${manifest} can name commands that others run` };
  }
  const local = effect?.kind === "fetch" ? effect.local : undefined;
  if (local !== undefined && current.decision === "allow")
    current = {
      ...current,
      decision: "ask",
      because: `May tools reach ${local}? It is a server on this machine`,
    };
  const apply = (rules: readonly Rule[], origin: string, mayLoosen: boolean, isPersons = true) => {
    for (const rule of rules) {
      if (!names.some((name) => matches(rule, name, effect))) continue;
      // A folder's own rules open nothing on this machine.
      const opens = local === undefined || (isPersons && namesOrigin(rule, local));
      if (rule.decision === "allow" && !opens) continue;
      if (rule.decision === "allow" && guarded !== undefined && !namesPart(rule, guarded)) continue;
      // Outside the sandbox only the person's own decision counts, and in auto mode nobody may be there to make it.
      if (rule.decision === "allow" && isOutside(effect) && (mode === "auto" || !isPersons)) continue;
      const next: Judgement = {
        ...current,
        decision: rule.decision,
        // Text from an untrusted folder must not appear as the policy's own words.
        because: (mayLoosen ? rule.reason : undefined) ?? `a rule of ${origin}`,
        rule,
      };
      // An answer is about what was asked, and what is denied is never asked.
      const isLoose = mayLoosen && !(origin === session && current.decision === "deny");
      if (isLoose || rank(next) > rank(current)) current = next;
    }
  };
  apply(policy.user, "your settings", true);
  apply(policy.workspace.rules, "the workspace settings", policy.workspace.trusted, false);
  apply(policy.session, session, true);
  if (policy.watch !== undefined && effect && leaves(effect) && current.decision !== "deny")
    current = watched(current, policy.watch);
  // No rule and no mode speaks for what cannot be taken back.
  if (isChange && effect.lasting && current.decision === "allow")
    current = { ...current, decision: "ask", because: cannotBeUndone };
  if (policy.sharedMachine && current.decision === "ask" && (isOutside(effect) || local !== undefined))
    return { ...current, decision: "deny", because: ofItsOwner };
  if (mode === "plan" && current.decision !== "deny" && changesOrLeaves(effect, byDefault))
    return { ...current, decision: "deny", because: planned };
  return current;
}

/** Only a rule that names the host or the exact command allows data to leave. */
function watched(current: Judgement, why: string): Judgement {
  const isNamed = current.rule?.url !== undefined || current.rule?.command !== undefined;
  if (current.decision === "allow" && isNamed) return current;
  return { ...current, decision: "ask", because: why };
}

/** The decision without any rule: the tool's default, adjusted by the mode. */
function defaultJudgement(
  names: readonly string[],
  byDefault: "auto" | "ask",
  effect: Effect | undefined,
  mode: PermissionMode,
): Judgement {
  const isJudgedByItsChanges = effect?.kind === "run" && effect.confined === true;
  if (byDefault === "auto" || isJudgedByItsChanges)
    return { decision: "allow", because: `${names[0]} needs no approval here` };
  const isChange = effect?.kind === "write" || effect?.kind === "delete";
  if ((mode === "edits" && isChange) || (mode === "auto" && !isOutside(effect)))
    return { decision: "allow", because: `the permission mode is ${mode}` };
  const local = effect?.kind === "fetch" ? effect.local : undefined;
  if (local !== undefined)
    return { decision: "ask", because: `May tools reach ${local}? It is a server on this machine` };
  return { decision: "ask", because: needsApproval(effect) };
}

export function isOutside(effect: Effect | undefined): boolean {
  return effect?.kind === "run" && effect.outside === true;
}

const ofItsOwner =
  "commands outside the sandbox and servers of this machine are for its owner to allow, in the settings there";

const planned =
  "in plan mode nothing is changed and nothing is sent; read what you need and say what you would do (the person can change the mode)";

/** A run that needs no approval is confined, has no network, and what it changes is judged as its own effects. */
function changesOrLeaves(effect: Effect | undefined, byDefault: "auto" | "ask"): boolean {
  switch (effect?.kind) {
    case "read":
    case "record":
      return false;
    case "write":
    case "delete":
    case "fetch":
      return true;
    case "run":
      return effect.network !== "off" || (byDefault === "ask" && effect.confined !== true);
    default:
      return byDefault === "ask";
  }
}

const session = "this session";

/** A broad allow (`**`) does not reach a protected name; a rule that spells it out does. */
function namesPart(rule: Rule, part: string): boolean {
  return rule.path !== undefined && namesInPattern(rule.path).includes(part);
}

/** Only a rule with the scheme, the host and the port of a local server opens it; a host alone or a pattern does not. */
function namesOrigin({ url = "" }: Rule, origin: string): boolean {
  return url === origin || url.startsWith(`${origin}/`);
}

function rank({ decision }: { decision: Decision }): number {
  return { allow: 0, ask: 1, deny: 2 }[decision];
}

function needsApproval(effect: Effect | undefined): string {
  return `${wouldDo(effect)}, which needs your approval`;
}

function wouldDo(effect: Effect | undefined): string {
  switch (effect?.kind) {
    case "read":
      return `it reads ${effect.path}`;
    case "write":
      return `it ${effect.replaces ? "changes" : "creates"} ${effect.path}`;
    case "delete":
      return `it deletes ${effect.path}`;
    case "fetch":
      return `it contacts ${URL.parse(effect.url)?.host ?? effect.url}`;
    case "run":
      return effect.outside ? "it runs a command outside the sandbox" : "it runs a command";
    default:
      return "it acts";
  }
}
