import { canonicalJson } from "../text/digest.ts";
import type { Fingerprint } from "../workspace/workspace.ts";
import type { Judgement } from "./decide.ts";

/** How a call came to be allowed: kept with its record. */
export type Approval = "auto" | "automatic" | "approved" | "edited";

declare const minted: unique symbol;

/**
 * Permission for one call: this tool, exactly this input, these file states. Only `mintGrant` makes one, and nothing runs
 * without one: the executor redeems it once, and the workspace of the call changes no file that is in another state.
 */
export interface Grant {
  readonly [minted]: true;
  readonly tool: string;
  /** Canonical, so that equal inputs are equal texts. */
  readonly input: string;
  readonly seen: ReadonlyMap<string, Fingerprint>;
  readonly approval: Approval;
}

/** Why a call may run: the rules allow it, or a person approved it, perhaps after an edit. */
export type Evidence =
  | { by: "rules"; judgement: Judgement & { decision: "allow" } }
  | { by: "person"; edited: boolean; automatic?: boolean };

const unused = new WeakSet<Grant>();

export function mintGrant(
  call: { tool: string; input: unknown; seen: ReadonlyMap<string, Fingerprint> },
  evidence: Evidence,
): Grant {
  const approval = approvalOf(evidence);
  const grant = Object.freeze({
    tool: call.tool,
    input: canonicalJson(call.input),
    seen: new Map(call.seen),
    approval,
  }) as unknown as Grant;
  unused.add(grant);
  return grant;
}

function approvalOf(evidence: Evidence): Approval {
  if (evidence.by === "rules") return "auto";
  if (evidence.automatic) return "automatic";
  return evidence.edited ? "edited" : "approved";
}

/** Uses a grant up. Throws when it was not minted here, was used, or belongs to another call: a defect of the caller. */
export function redeemGrant(grant: Grant, call: { tool: string; input: unknown }): Grant {
  if (!unused.delete(grant)) throw new Error("This grant was not minted by approval/, or was used already.");
  if (grant.tool !== call.tool || grant.input !== canonicalJson(call.input)) {
    throw new Error("This grant belongs to another call.");
  }
  return grant;
}
