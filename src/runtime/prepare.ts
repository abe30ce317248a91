import { decide, type Policy } from "../approval/decide.ts";
import { reachOf, readingRules } from "../approval/reading.ts";
import type { Effect } from "../tool/effects.ts";
import { manifestPart, protectedPart } from "../workspace/protected-names.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { callEnded, untilAborted, withDeadline } from "./abort.ts";
import { contextFor } from "./context.ts";
import { showingWhatLeaves, watching, withoutSecrets } from "./flow-control.ts";
import { deniedNames, placesRead } from "./places-read.ts";
import { scopeWorkspace } from "./scoped-workspace.ts";
import type { Call, Parsed, Prepared, RuntimeParts } from "./stages.ts";

/** A workspace with this signal accepts no changes. */
const noChanges = AbortSignal.abort(callEnded);

/** States what the call would touch, judges it by the rules, and previews it. Changes nothing. */
export async function prepare(parts: RuntimeParts, call: Call, { tool, input }: Parsed): Promise<Prepared> {
  return withDeadline(tool, call.signal, async (signal) => {
    const policy = await watching(parts.flow, call, policyFor(call, await parts.policy(call.session)));
    const rules = readingRules(tool.name, policy);
    // A context that cannot change anything: previewing comes before asking.
    const readOnly = scopeWorkspace(parts.workspace, noChanges, rules && { rules, wasAsked: true });
    await readOnly.look();
    const context = contextFor(parts, call, readOnly, signal, new Map());
    const effects = await untilAborted(Promise.resolve(tool.effects(input, context)), signal);
    const judged = [
      ...effects,
      ...(rules ? await placesRead(effects, parts.workspace) : []),
      ...(rules ? await deniedNames(effects, parts.workspace, readOnly) : []),
      ...(await movedAlong(effects, parts.workspace, rules !== undefined)),
    ];
    const throughFolders = await looksThroughFolders(effects, parts.workspace);
    const byDefault = tool.approval(effects, input);
    const byRules = decide({ tool: tool.name, byDefault, effects: judged }, policy);
    const sends = parts.flow && byRules.decision !== "deny" ? tool.sends : undefined;
    const sent = sends ? { text: await untilAborted(sends(input, context), signal) } : undefined;
    const judgement = await withoutSecrets(parts.flow, call, { tool, input }, effects, byRules, policy, sent);
    // A denied call is not previewed.
    const shown =
      judgement.decision !== "deny" && tool.preview
        ? await untilAborted(tool.preview(input, context), signal)
        : undefined;
    const preview = showingWhatLeaves(shown, { tool, input }, effects, policy);
    return {
      ...{ tool, input, effects, judged, byDefault, judgement, policy, preview },
      seen: preview?.seen ?? new Map(),
      mayMissHidden: rules !== undefined && throughFolders,
      reach: reachOf(tool, judged, policy, throughFolders),
    };
  });
}

/** Plan mode restricts the agent, not the calls that a person makes. */
function policyFor({ personDecides }: Call, policy: Policy): Policy {
  return personDecides && policy.mode === "plan" ? { ...policy, mode: "ask" } : policy;
}

/** Moving a folder moves everything in it, possibly from or to protected names or paths that a rule covers. */
async function movedAlong(
  effects: readonly Effect[],
  workspace: Workspace,
  hasRules: boolean,
): Promise<Effect[]> {
  const found: Effect[] = [];
  for (const effect of effects) {
    if (effect.kind !== "write" || effect.from === undefined) continue;
    const { from, path: to } = effect;
    if ((await workspace.stat(from)).type !== "directory") continue;
    const all = { hidden: true, ignored: true, directories: true, everything: true };
    for await (const { path } of workspace.walk({ under: from, ...all })) {
      const target = `${to}${path.slice(from.length)}`;
      if (!hasRules && ![path, target].some(isGuarded)) continue;
      found.push({ kind: "delete", path });
      found.push({ kind: "write", path: target, replaces: false });
    }
  }
  return found;
}

function isGuarded(path: string): boolean {
  return protectedPart(path) !== undefined || manifestPart(path) !== undefined;
}

/** Whether the effect names a folder to search, so it may find more than it names. */
async function looksThroughFolders(effects: readonly Effect[], workspace: Workspace): Promise<boolean> {
  const reads = effects.filter((effect) => effect.kind === "read");
  const types = reads.map(({ path }) =>
    workspace.resolve(path).then(
      ({ type }) => type,
      () => undefined,
    ),
  );
  return (await Promise.all(types)).includes("directory");
}
