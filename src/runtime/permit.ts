import type { Answer, Ask } from "../approval/approval.ts";
import { factsOf } from "../approval/ask-facts.ts";
import { type Evidence, mintGrant } from "../approval/grant.ts";
import { isSameRule, rulesToRemember } from "../approval/remembered-rules.ts";
import type { Rule } from "../approval/rules.ts";
import { fail } from "../tool/result.ts";
import type { Fingerprint } from "../workspace/workspace.ts";
import { answeredElsewhere, outcomeElsewhere } from "./answered-elsewhere.ts";
import type { BatchMember } from "./approval-batch.ts";
import { differs, editedNotice } from "./edited-notice.ts";
import { parseInput } from "./parse-input.ts";
import { touchesMore } from "./shown-effects.ts";
import {
  type Again,
  type Attempt,
  type Call,
  millisecondsSince,
  type Parsed,
  type Permitted,
  type Prepared,
  type RuntimeParts,
} from "./stages.ts";

const filesChanged = "The files changed since you were asked; this is the call on their current content.";
const noSecret = "You said that what was found is no secret; this is the call as the other rules judge it.";
const editReachesMore = "You changed what this call touches; this is the call as you edited it.";

interface Permitting {
  parts: RuntimeParts;
  call: Call;
  /** The call as its caller made it, before any edits by a person. */
  proposed: Parsed;
  asks: BatchMember;
  prepare(parsed: Parsed): Promise<Prepared>;
}

/** Decides whether a prepared call may run: by the rules, or by a person's answer. */
export async function permit(given: Permitting, prepared: Prepared, attempt: Attempt): Promise<Permitted> {
  const { call, asks } = given;
  const { judgement, tool } = prepared;
  if (judgement.decision === "deny")
    return judgement.overrule && call.asker() && !attempt.given
      ? unlessNoSecret(given, prepared, attempt, judgement.overrule)
      : deniedByRules(given, prepared, 0);
  if (judgement.decision === "allow" && !attempt.mustAsk) {
    asks.leave();
    return granted(given, prepared, { by: "rules", judgement: { ...judgement, decision: "allow" } }, 0);
  }
  if (attempt.given) {
    // An answer is valid only for the file states that were shown.
    const shown = new Map(Object.entries(attempt.given.pending.seen));
    if (!wasShown(prepared.seen, shown)) return again(attempt.input, "files", 0);
    return afterAnswer(given, prepared, attempt.given.answer, 0);
  }
  const remember = rulesToRemember(tool, prepared);
  if (!call.asker()) {
    const rules = remember?.rules ?? [];
    const texts = rules.map((rule) => JSON.stringify(rule)).join(", ");
    const remedy =
      rules.length > 0 ? `, or have them allow it: ${texts} among "rules" in their settings.` : ".";
    const { parts } = given;
    const isKept = parts.keepUnanswered === true && !call.byPerson && (await keep(given, prepared));
    const message = `${tool.name} needs a person's approval (${judgement.because}), and nobody is here to give it. ${isKept ? "It stays open until they answer it with wield approvals." : "Run it where a person can answer"}${isKept ? "" : remedy}`;
    return refused("required", fail("APPROVAL_REQUIRED", message, { rules }), 0);
  }
  const asked = process.hrtime();
  const answer = await asks.ask(question(given, prepared, attempt, remember));
  return afterAnswer(given, prepared, answer, millisecondsSince(asked));
}

/** Stores the request for a later answer. Returns false if that failed. */
async function keep(
  { parts, call }: Permitting,
  { tool, input, judgement, seen }: Prepared,
): Promise<boolean> {
  const pending = {
    ...{ id: call.id, tool: tool.name, args: asRecord(input), reason: judgement.because },
    workspace: parts.workspace.root,
    seen: Object.fromEntries(seen),
    at: call.at,
    session: call.session,
  };
  return parts.store.savePending(pending).then(
    () => true,
    () => false,
  );
}

/**
 * What was taken for a secret is shown to the person. A plain yes does not send it; with the answer that it is none, the call is prepared
 * and judged again.
 */
async function unlessNoSecret(
  given: Permitting,
  prepared: Prepared,
  attempt: Attempt,
  rule: Rule,
): Promise<Permitted> {
  const { parts, call, asks } = given;
  const asked = process.hrtime();
  const because = `${prepared.judgement.because}. A plain yes does not send it: if it is no secret, say so in the answer that is remembered`;
  const shown = { ...prepared, judgement: { ...prepared.judgement, because } };
  const offered: Ask["remember"] = { rules: [rule], scopes: ["session", "user"] };
  const answer = await asks.ask(question(given, shown, attempt, offered));
  const waitedMs = millisecondsSince(asked);
  if (answer === answeredElsewhere) return endedElsewhere(given, prepared, waitedMs);
  if (!answer.approved) return reject(parts, call, prepared, answer, waitedMs);
  tellAnswer(parts, call, answer);
  const { remember, modifiedArgs } = answer;
  const isNone = remember?.rules.some((one) => isSameRule(one, rule)) === true;
  if (isNone) await parts.remember([rule], remember.scope, call.session);
  if (modifiedArgs !== undefined) return again(parseInput(prepared.tool, modifiedArgs), "edit", waitedMs);
  return isNone ? again(attempt.input, "secret", waitedMs) : deniedByRules(given, prepared, waitedMs);
}

async function afterAnswer(
  given: Permitting,
  prepared: Prepared,
  answer: Answer,
  waitedMs: number,
): Promise<Permitted> {
  const { parts, call } = given;
  const edited = answer.modifiedArgs !== undefined;
  if (answer === answeredElsewhere) return endedElsewhere(given, prepared, waitedMs);
  if (!answer.approved) return reject(parts, call, prepared, answer, waitedMs);
  tellAnswer(parts, call, answer);
  if (!edited) return granted(given, prepared, { by: "person", answer }, waitedMs);
  const { tool } = prepared;
  const final = await given.prepare({ tool, input: parseInput(tool, answer.modifiedArgs) });
  if (final.judgement.decision === "deny") return deniedByRules(given, final, waitedMs);
  if (touchesMore(final.judged, prepared.judged)) return again(final.input, "edit", waitedMs);
  if (!wasShown(final.seen, prepared.seen)) return again(final.input, "files", waitedMs);
  return granted(given, final, { by: "person", answer }, waitedMs);
}

/** A person's denial. Data held for the call is dropped, so no later call can use it. */
export async function reject(
  parts: RuntimeParts,
  call: Call,
  { tool, input }: Parsed,
  answer: Answer,
  waitedMs: number,
): Promise<Extract<Permitted, { kind: "refused" }>> {
  tellAnswer(parts, call, answer);
  const { reason, byLimit } = answer;
  const rejected = reason ? `User rejected changes: ${reason}` : "User rejected changes";
  const message = byLimit && reason ? reason : rejected;
  await tool.rejected?.(input);
  return refused("denied", fail("APPROVAL_DENIED", message), waitedMs);
}

/** Another process got the answer and has run or rejected the call. */
async function endedElsewhere(
  { parts, call }: Permitting,
  { tool }: Prepared,
  waitedMs: number,
): Promise<Permitted> {
  const { record, result } = await outcomeElsewhere(parts.store, call, tool);
  const approved = record !== undefined && record.approval !== "denied";
  const edited = record?.approval === "edited";
  parts.emit({ type: "approval-answer", callId: call.id, approved, edited, elsewhere: true });
  return { kind: "elsewhere", record, result, waitedMs };
}

function tellAnswer(
  parts: RuntimeParts,
  { id: callId }: Call,
  { approved, reason, modifiedArgs }: Answer,
): void {
  const edited = modifiedArgs !== undefined;
  parts.emit({ type: "approval-answer", callId, approved, edited, ...(reason !== undefined && { reason }) });
}

async function granted(
  { parts, proposed, call }: Permitting,
  prepared: Prepared,
  evidence: Extract<Evidence, { by: "rules" }> | { by: "person"; answer: Answer },
  waitedMs: number,
): Promise<Permitted> {
  const { tool, input, seen } = prepared;
  const edited = differs(proposed.input, input);
  const notices = edited ? [editedNotice(asRecord(proposed.input), asRecord(input))] : [];
  const remember = evidence.by === "person" ? evidence.answer.remember : undefined;
  const problem =
    remember && (await parts.remember(remember.rules, remember.scope, call.session).catch(messageOf));
  if (problem)
    notices.push(`The person's answer applies to this call, but could not be remembered: ${problem}`);
  const grant = mintGrant(
    { tool: tool.name, input, seen },
    evidence.by === "rules"
      ? evidence
      : {
          by: "person",
          edited: edited || evidence.answer.modifiedArgs !== undefined,
          automatic: evidence.answer.automatic ?? false,
        },
  );
  return { kind: "granted", grant, prepared, notices, waitedMs };
}

function question(
  { parts, call }: Permitting,
  prepared: Prepared,
  { again }: Attempt,
  remember: Ask["remember"],
): Ask {
  const { tool, input, judgement, preview, effects, judged } = prepared;
  const because = judgement.decision === "allow" ? undefined : judgement.because;
  const reason = [preview?.summary, because].filter(Boolean).join(" — ");
  parts.emit({ type: "approval-ask", callId: call.id, stepId: call.stepId, tool: tool.name, reason });
  return {
    id: call.id,
    stepId: call.stepId,
    tool: tool.name,
    title: tool.title,
    args: asRecord(input),
    reason,
    effects,
    preview,
    ...factsOf(judged, preview?.files ?? []),
    remember,
    amend: amendmentOf(prepared),
    byPerson: call.byPerson,
    again,
  };
}

/** The arguments after a person edited proposed files; undefined if the tool cannot take edited files. */
function amendmentOf({ tool, input, preview }: Prepared): Ask["amend"] {
  const { amend } = tool;
  if (!amend) return undefined;
  const proposed = new Map(preview?.files.map((file) => [file.path, file.proposed]));
  return (contents) =>
    asRecord(
      [...contents].reduce(
        (amended, [path, content]) => amend(amended, path, content, proposed.get(path) ?? ""),
        input,
      ),
    );
}

function refused(
  approval: "denied" | "required",
  { error }: ReturnType<typeof fail>,
  waitedMs: number,
): Extract<Permitted, { kind: "refused" }> {
  return { kind: "refused", approval, error, waitedMs };
}

function deniedByRules({ call }: Permitting, { judgement }: Prepared, waitedMs: number): Permitted {
  const denied = `The policy does not allow this call: ${judgement.because}.`;
  const message = call.byPerson ? denied : `${denied} Do not retry it; find another way or ask the person.`;
  return refused("denied", fail("APPROVAL_DENIED", message), waitedMs);
}

function again(input: unknown, because: Again, waitedMs: number): Permitted {
  return { kind: "again", attempt: nextAttempt(input, because), because, waitedMs };
}

/** The attempt that follows when an answer cannot be used. */
export function nextAttempt(input: unknown, because: Again): Attempt {
  if (because === "secret") return { input, again: noSecret };
  return because === "files"
    ? { input, again: filesChanged }
    : { input, again: editReachesMore, mustAsk: true };
}

/** Whether everything that the call touches now was shown in its current state. It may touch less than was shown. */
function wasShown(now: ReadonlyMap<string, Fingerprint>, shown: ReadonlyMap<string, Fingerprint>): boolean {
  return [...now].every(([path, state]) => shown.get(path) === state);
}

function asRecord(value: unknown): Record<string, unknown> {
  return value as Record<string, unknown>;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
