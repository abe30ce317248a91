import { canonicalJson } from "../text/digest.ts";
import type { Fingerprint } from "../workspace/workspace.ts";
import type { Judgement } from "./decide.ts";

/** How a call came to be allowed: kept with its record. */
export type Approval = "auto" | "approved" | "edited";

declare const minted: unique symbol;

/** Permission for one call: this tool, exactly this input, these file states. Only `mintGrant` makes one. */
export interface Grant {
  readonly [minted]: true;
  readonly tool: string;
  /** Canonical, so that equal inputs are equal texts. */
  readonly input: string;
  readonly seen: ReadonlyMap<string, Fingerprint>;
  readonly approval: Approval;
}

const live = new WeakSet<Grant>();

export function mintGrant(
  call: { tool: string; input: unknown; seen: ReadonlyMap<string, Fingerprint> },
  on: { judgement: Judgement & { decision: "allow" } } | { answer: { approved: true; edited: boolean } },
): Grant {
  const approval: Approval = "judgement" in on ? "auto" : on.answer.edited ? "edited" : "approved";
  const grant = Object.freeze({
    tool: call.tool,
    input: canonicalJson(call.input),
    seen: new Map(call.seen),
    approval,
  }) as unknown as Grant;
  live.add(grant);
  return grant;
}

/** Uses a grant up. Throws when it was not minted here, was used, or belongs to another call: a defect of the caller. */
export function redeemGrant(grant: Grant, call: { tool: string; input: unknown }): Grant {
  if (!live.delete(grant)) throw new Error("This grant was not minted by approval/, or was used already.");
  if (grant.tool !== call.tool || grant.input !== canonicalJson(call.input)) {
    throw new Error("This grant belongs to another call.");
  }
  return grant;
}
