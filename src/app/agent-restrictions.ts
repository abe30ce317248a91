import type { Asker } from "../approval/approval.ts";
import type { Policy } from "../approval/decide.ts";
import type { Rule } from "../approval/rules.ts";

/** What an agent was given beside the policy. */
export interface Restriction {
  /** Those that allow are left out: they can only tighten the policy. */
  rules: readonly Rule[];
  /** Undefined: the asker of all calls. */
  asker: Asker | undefined;
  /** Names of the tools that it has. */
  tools: ReadonlySet<string>;
}

/** By session, so that they hold for all that is done in it: calls, code that it runs, tools that such code calls. */
export class AgentRestrictions {
  readonly #ofSession = new Map<string, Restriction>();

  set(session: string, { rules, ...rest }: Restriction): void {
    const tighter = rules.filter(({ decision }) => decision !== "allow");
    this.#ofSession.set(session, { ...rest, rules: tighter });
  }

  of(session: string | undefined): Restriction | undefined {
    return session === undefined ? undefined : this.#ofSession.get(session);
  }

  applyTo(policy: Policy, session: string | undefined): Policy {
    const rules = this.of(session)?.rules ?? [];
    return rules.length === 0 ? policy : { ...policy, session: [...policy.session, ...rules] };
  }
}
