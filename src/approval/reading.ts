import type { Reach } from "../store/store.ts";
import { digestOf } from "../text/digest.ts";
import type { Effect } from "../tool/effects.ts";
import type { Tool } from "../tool/tool.ts";
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

/**
 * Which files the result of a call may show, to judge it again when it is shown later. A tool that names each file it
 * reads or changes shows these; any other may show all that it was not kept from.
 */
export function reachOf(
  { name, can }: Pick<Tool, "name" | "can">,
  effects: readonly Effect[],
  policy: Policy,
  looksThroughFolders: boolean,
): Reach {
  const paths = effects.flatMap((effect) => ("path" in effect ? [effect.path] : []));
  const isOnlyOutside = can.length > 0 && can.every((kind) => kind === "fetch");
  const namesAll =
    paths.length > 0 &&
    !looksThroughFolders &&
    can.every((kind) => kind === "read" || kind === "write" || kind === "delete");
  if (isOnlyOutside || namesAll) return { paths: [...new Set(paths)] };
  return { denials: denialsOfReading(name, policy).map((rule) => digestOf([rule])) };
}

/** Whether rules deny now what such a result may show; `isDenied` judges one path. */
export function isWithheld(
  tool: string,
  reach: Reach | undefined,
  policy: Policy,
  isDenied: (path: string) => boolean,
): boolean {
  if (reach && "paths" in reach) return reach.paths.some(isDenied);
  const known = new Set(reach?.denials);
  return denialsOfReading(tool, policy).some((rule) => !known.has(digestOf([rule])));
}
