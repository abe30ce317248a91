import { decide, type Policy } from "../approval/decide.ts";
import { type FlowControl, provenanceOf, watchReason } from "../approval/provenance.ts";
import { readingRules } from "../approval/reading.ts";
import type { RunCommand } from "../process/process.ts";
import { scopeWorkspace } from "../runtime/scoped-workspace.ts";
import type { FollowUp } from "../runtime/stages.ts";
import { workspaceInside } from "../sandbox/confine.ts";
import type { NetworkPolicy } from "../sandbox/policy.ts";
import type { Effect } from "../tool/effects.ts";
import { type AppliedValue, applyRun, askAboutHeld, describeApplied } from "../tools/run/applied-run.ts";
import { runScript } from "../tools/run/confined-script.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { Change, Workspace } from "../workspace/workspace.ts";

export interface ConfinedHookParts {
  workspace: Workspace;
  run: RunCommand;
  execution(): Promise<Execution>;
  policy(session: string): Policy;
  flow: FlowControl | undefined;
}

export interface HookRun {
  command: string;
  seconds: number;
  event: object;
  session: string;
  /** Of the call, or of the hook itself. */
  callId: string;
  signal: AbortSignal;
  /** Left out, or undefined when it is called: nobody can be asked about its changes now. */
  followUp?: (() => FollowUp | undefined) | undefined;
}

export interface HookEnd {
  exitCode: number | null;
  isTimeout: boolean;
  stdout: string;
  stderr: string;
  /** What it changed and what became of it, for the model; empty when it changed nothing. */
  changed: string[];
  changes: readonly Change[];
}

/** What a hook changes is judged as the change of a tool with this name. */
const asTool = "hook";

/**
 * A hook in the sandbox, on the workspace as the calls left it. The command is the person's, but what it runs may be what an
 * agent wrote, so all of it is treated like a run: hidden files, network, and changes by the same rules.
 */
export async function runConfinedHook(hook: HookRun, parts: ConfinedHookParts): Promise<HookEnd> {
  const { command, seconds, event, session, callId, signal } = hook;
  const followUp = hook.followUp?.();
  const execution = await parts.execution();
  const policy = await watched(parts, session);
  const network = networkOf(command, execution, policy);
  const rules = readingRules("run_code", policy);
  const scope = scopeWorkspace(parts.workspace, signal, rules && { rules, wasAsked: false });
  const startedAt = new Date();
  const result = await runScript(
    execution,
    {
      shell: "/bin/sh",
      script: command,
      input: JSON.stringify({ workspace: workspaceInside, ...event }),
      ...{ seconds, network },
    },
    { workspace: scope.workspace, run: parts.run, signal, hiddenPaths: scope.hiddenPaths },
  );
  const effects: Effect[] = [{ kind: "run", command, network: network.mode }];
  if (parts.flow) {
    const seen = provenanceOf(
      { tool: asTool, reveals: undefined, effects, value: null },
      parts.flow.workspace,
    );
    await parts.flow.add(session, seen, []);
  }
  const what = { tool: asTool, description: `hook: ${command}` };
  const context = { workspace: scope.workspace, callId, session, attended: followUp !== undefined };
  const applied = await applyRun(result, startedAt, what, execution, context);
  const answered = await answerHeld(applied, followUp);
  return {
    exitCode: result.exitCode,
    isTimeout: result.limit === "time",
    stdout: result.stdout.text,
    stderr: result.stderr.text,
    // Caches that git ignores are nobody's news.
    changed: describeApplied({ ...answered.value, ignored: null }, false),
    changes: [...scope.changes, ...answered.changes],
  };
}

async function answerHeld(
  value: AppliedValue,
  followUp: FollowUp | undefined,
): Promise<{ value: AppliedValue; changes: readonly Change[] }> {
  const request = followUp && askAboutHeld.request(value);
  if (!followUp || !request) return { value, changes: [] };
  const { result, details } = await followUp({ tool: askAboutHeld.tool, ...request });
  return { value: askAboutHeld.merge(value, result), changes: details.changes };
}

async function watched({ policy, flow }: ConfinedHookParts, session: string): Promise<Policy> {
  const watch = flow && watchReason(await flow.seen(session));
  const current = policy(session);
  return watch === undefined ? current : { ...current, watch };
}

/** What a run would be asked about, a hook does without: the whole network, and any once private data could leave. */
function networkOf(command: string, { network }: Pick<Execution, "network">, policy: Policy): NetworkPolicy {
  const effect: Effect = { kind: "run", command, network: network.mode };
  const isAsked = decide({ tool: asTool, byDefault: "auto", effects: [effect] }, policy).decision !== "allow";
  return network.mode === "full" || isAsked ? { mode: "off" } : network;
}
