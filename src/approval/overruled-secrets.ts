import { sha256 } from "../text/digest.ts";
import type { Policy } from "./decide.ts";
import type { Rule } from "./rules.ts";
import type { Secret } from "./secrets.ts";

/**
 * The rule by which a person says that a value is no secret. It holds for this value in this place: another value of the same name is
 * a secret again, unless they wrote the rule without the digest.
 */
export function overrulingRule(secret: Secret): Rule {
  return { decision: "allow", secret: `${placeOf(secret)} #${sha256(secret.value).slice(0, 8)}` };
}

/** What remains when a person's own rules have their say; those of a folder have none. */
export function withoutOverruled(known: readonly Secret[], policy: Policy): readonly Secret[] {
  const said = new Set(
    [...policy.user, ...policy.session].flatMap(({ decision, secret }) =>
      decision === "allow" && secret !== undefined ? [secret] : [],
    ),
  );
  if (said.size === 0) return known;
  return known.filter(
    (secret) => !said.has(placeOf(secret)) && !said.has(overrulingRule(secret).secret ?? ""),
  );
}

function placeOf({ name, place = "this session" }: Secret): string {
  return `${name} in ${place}`;
}
