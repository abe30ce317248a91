import { type Decision, decide, type Policy } from "./decide.ts";
import { mayMatch } from "./rules.ts";

/**
 * What the rules say about a tool that reads a path, for paths that a call finds instead of naming them.
 * Undefined when no rule limits this tool: then nothing needs to be looked up.
 */
export function readingRules(tool: string, policy: Policy): ((path: string) => Decision) | undefined {
  const rules = [...policy.user, ...policy.workspace.rules, ...policy.session];
  const isLimited = rules.some((rule) => rule.decision !== "allow" && mayMatch(rule, tool, "read"));
  if (!isLimited) return undefined;
  return (path) => decide({ tool, byDefault: "auto", effects: [{ kind: "read", path }] }, policy).decision;
}

/** The rules that keep files from this tool, each as text: to tell whether one was added since. */
export function denialsOfReading(tool: string, policy: Policy): string[] {
  return [...policy.user, ...policy.workspace.rules, ...policy.session]
    .filter((rule) => rule.decision === "deny" && mayMatch(rule, tool, "read"))
    .map((rule) => JSON.stringify(rule));
}
