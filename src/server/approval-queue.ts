import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { AskAnswer, AskView, RememberView } from "../api/approvals.ts";
import type { Answer, Ask, Asker, RememberWidth } from "../approval/approval.ts";
import { reasonBesides } from "../approval/ask-facts.ts";
import { exactly } from "../approval/widths.ts";
import { Failure } from "../failure/failure.ts";
import { parseInput } from "../runtime/parse-input.ts";
import type { PendingApproval } from "../store/store.ts";
import { canonicalJson, sha256 } from "../text/digest.ts";
import { visibleLine } from "../text/visible.ts";
import type { Effect } from "../tool/effects.ts";
import type { Tool } from "../tool/tool.ts";

export const answerSchema: z.ZodType<AskAnswer> = z.strictObject({
  approved: z.boolean(),
  reason: z.string().max(2000).optional(),
  contents: z.record(z.string(), z.string()).optional(),
  modifiedArgs: z.record(z.string(), z.unknown()).optional(),
  remember: z.enum(["session", "user"]).optional(),
  width: z.int().min(0).max(9).optional(),
});

interface OpenAsk {
  ask: Ask;
  resolve(answer: Answer): void;
}

export interface ApprovalQueueParts {
  toolOf(name: string): Tool | undefined;
  chatOf(callId: string): Promise<{ id: string; title: string } | undefined>;
  changed(): void;
}

/**
 * Approval requests that the page answers. The proposal stays here: an answer names a pending request by an id that is valid
 * for one answer to the version that was shown, so a client cannot make anything run that it remembers, repeats or invents.
 */
export class ApprovalQueue {
  readonly #open = new Map<string, OpenAsk>();
  readonly #parts: ApprovalQueueParts;

  constructor(parts: ApprovalQueueParts) {
    this.#parts = parts;
  }

  readonly asker: Asker = async (asks, signal) => {
    // A signal that fired already fires no event: the questions would stay open for ever.
    if (signal.aborted) throw new Failure("ABORTED", "The run was stopped before anybody was asked.");
    const ids: string[] = [];
    const answers = asks.map((ask) => {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const id = randomBytes(16).toString("base64url");
      ids.push(id);
      this.#open.set(id, { ask, resolve });
      return promise;
    });
    const withdrawn = Promise.withResolvers<never>();
    const withdraw = () =>
      withdrawn.reject(new Failure("ABORTED", "The run was stopped before the request was answered."));
    signal.addEventListener("abort", withdraw, { once: true });
    this.#parts.changed();
    try {
      return await Promise.race([Promise.all(answers), withdrawn.promise]);
    } finally {
      signal.removeEventListener("abort", withdraw);
      for (const id of ids) this.#open.delete(id);
      this.#parts.changed();
    }
  };

  async list(): Promise<AskView[]> {
    return Promise.all(
      [...this.#open].map(async ([id, { ask }]) => viewOf(id, ask, await this.#parts.chatOf(ask.id))),
    );
  }

  /** Checked before the request is closed: an invalid answer must not end the call. */
  answer(id: string, given: AskAnswer): void {
    const open = this.#open.get(id);
    if (!open) {
      throw new Failure(
        "CONFLICT",
        "This request is no longer pending: it was answered elsewhere, withdrawn, or asked again.",
      );
    }
    const { ask, resolve } = open;
    const remembered = given.approved ? rememberedBy(ask, given) : undefined;
    const modifiedArgs = given.approved ? this.#edited(ask, given) : undefined;
    this.#open.delete(id);
    resolve({
      approved: given.approved,
      ...(given.reason !== undefined && { reason: given.reason }),
      ...(modifiedArgs && { modifiedArgs }),
      ...(remembered && { remember: remembered }),
    });
    this.#parts.changed();
  }

  #edited(ask: Ask, { contents, modifiedArgs }: AskAnswer): Record<string, unknown> | undefined {
    const edited = modifiedArgs ?? (contents && amended(ask, contents));
    const tool = this.#parts.toolOf(ask.tool);
    if (edited && tool) parseInput(tool, edited);
    return edited;
  }
}

function amended(ask: Ask, contents: Record<string, string>): Record<string, unknown> | undefined {
  const proposed = new Map(
    ask.preview?.files.flatMap((file) => (file.proposed === undefined ? [] : [[file.path, file.proposed]])),
  );
  const changed = Object.entries(contents).filter(([path, text]) => proposed.get(path) !== text);
  if (changed.length === 0) return undefined;
  const foreign = changed.find(([path]) => !proposed.has(path));
  if (foreign || !ask.amend)
    throw new Failure("INVALID_INPUT", `${foreign?.[0] ?? "This call"} has no proposed text to edit.`);
  return ask.amend(new Map(changed));
}

function viewOf(id: string, ask: Ask, chat: AskView["chat"]): AskView {
  const { stepId, tool, title, args, preview, warnings, counts, remember, byPerson, again } = ask;
  return {
    id,
    callId: ask.id,
    version: versionOf({ tool, args, seen: Object.fromEntries(preview?.seen ?? []) }),
    stepId,
    ...(chat && { chat }),
    tool,
    title: visibleLine(title),
    reason: visibleLine(reasonBesides(ask)),
    warnings: warnings.map(visibleLine),
    counts: counts.map(visibleLine),
    args,
    effects: [...new Set(ask.effects.map((effect) => visibleLine(effectText(effect))))],
    files: preview?.files ?? [],
    notes: preview?.notes.map(visibleLine) ?? [],
    ...(remember && {
      remember: {
        ...rememberView({ words: exactly(remember), ...remember }),
        wider: remember.wider?.map(rememberView) ?? [],
      },
    }),
    byPerson,
    editable: ask.amend !== undefined,
    ...(again !== undefined && { again }),
  };
}

/** The version of a request that a person answers. */
export function versionOf({ tool, args, seen }: Pick<PendingApproval, "tool" | "args" | "seen">): string {
  return sha256(canonicalJson({ tool, args, seen }));
}

/** The rules that were shown, never some that a client sends. */
function rememberedBy(ask: Ask, { remember: scope, width = 0 }: AskAnswer): Answer["remember"] {
  if (!scope) return undefined;
  const chosen = width === 0 ? ask.remember : ask.remember?.wider?.[width - 1];
  if (!chosen?.scopes.includes(scope))
    throw new Failure("INVALID_INPUT", "This answer cannot be remembered; approve it only this once.");
  return { rules: chosen.rules, scope };
}

function rememberView({ words, rules, scopes }: RememberWidth): RememberView {
  return { words: visibleLine(words), rules: [...rules], scopes: [...scopes] };
}

function effectText(effect: Effect): string {
  switch (effect.kind) {
    case "read":
      return `reads ${effect.path}`;
    case "write":
      return `${effect.replaces ? "changes" : "creates"} ${effect.path}`;
    case "delete":
      return `deletes ${effect.path}`;
    case "fetch":
      return `${effect.method} ${effect.url}`;
    case "run":
      if (effect.outside) return "runs a command on your machine, outside the sandbox";
      return `runs a command${effect.network === "off" ? "" : " with network"}`;
    case "record":
      return effect.what;
  }
}
