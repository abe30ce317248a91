import type { Effect } from "../tool/effects.ts";
import { matches, type Rule, type RuleExample } from "./rules.ts";

export interface PolicyProblem {
  rule: number;
  message: string;
}

/** Tests every rule against the examples it carries. */
export function checkPolicy(rules: readonly Rule[]): PolicyProblem[] {
  return rules.flatMap((rule, index) => [
    ...(rule.match ?? [])
      .filter((example) => !matchesExample(rule, example))
      .map((example) => ({ rule: index, message: `should match ${JSON.stringify(example)}, but does not` })),
    ...(rule.notMatch ?? [])
      .filter((example) => matchesExample(rule, example))
      .map((example) => ({ rule: index, message: `should not match ${JSON.stringify(example)}, but does` })),
  ]);
}

function matchesExample(rule: Rule, example: RuleExample): boolean {
  return matches(rule, example.tool, effectOf(example));
}

function effectOf({ path, url, command }: RuleExample): Effect | undefined {
  if (path !== undefined) return { kind: "write", path, replaces: true };
  if (url !== undefined) return { kind: "fetch", url, method: "GET" };
  if (command !== undefined) return { kind: "run", command, network: "off" };
  return undefined;
}
