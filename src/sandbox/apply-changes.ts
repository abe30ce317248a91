import { Failure } from "../failure/failure.ts";
import type { Effect } from "../tool/effects.ts";
import type { Change, FileOperation, Plan, PlannedFile, Workspace } from "../workspace/workspace.ts";
import { acceptable, operationsFor, pathOf, type Refusal } from "./change-list.ts";
import { bytesOf, type HeldChanges, mostHeldBytes } from "./held-changes.ts";
import type { Harvest } from "./sandbox.ts";

/** The policy's word on one effect; the application gives its approval rules. */
export type Judge = (tool: string, effect: Effect) => "allow" | "ask" | "deny";

export interface ApplyParts {
  workspace: Workspace;
  judge: Judge;
  held: HeldChanges;
  by: { callId: string; tool: string; description: string };
  /** When the run began: what somebody else has changed since is not written over unasked. */
  startedAt: Date;
}

export interface AppliedChanges {
  /** What was applied, in the journal. */
  change: Change | null;
  held: { id: string; files: PlannedFile[]; reasons: string[] } | null;
  refused: Refusal[];
}

/** Brings the changes of a run into the workspace, as far as policy allows: applied, held for a person, or refused. */
export async function applyChanges(harvest: Harvest, parts: ApplyParts): Promise<AppliedChanges> {
  const { workspace, held, by } = parts;
  if (harvest.incomplete !== null) {
    const reason = `${harvest.incomplete}, so no change of this run was applied`;
    return { change: null, held: null, refused: [{ path: ".", reason }] };
  }
  const wanted = await operationsFor(harvest.entries, workspace);
  const { accepted, refused } = await acceptable(wanted.operations, workspace);
  const plan = await workspace.plan(accepted);
  const verdicts = await judgeFiles(plan, parts);

  const exact = Map.groupBy(verdicts, ({ path }) => path);
  const sorted: Record<"allow" | "ask" | "deny", FileOperation[]> = { allow: [], ask: [], deny: [] };
  const reasons = new Set<string>();
  for (const operation of accepted) {
    const path = pathOf(operation);
    const below =
      operation.op === "delete" ? verdicts.filter((file) => file.path.startsWith(`${path}/`)) : [];
    const touched = [...(exact.get(path) ?? []), ...below];
    if (touched.length === 0) continue;
    const strictest = touched.find(is("deny")) ?? touched.find(is("ask"));
    sorted[strictest?.word ?? "allow"].push(operation);
    if (strictest?.word === "ask") reasons.add(strictest.reason);
  }
  const denied = refusalsOf(sorted.deny, "the policy does not allow it");

  const change = await applyTogether(sorted, plan, parts, reasons);
  const tooLarge = bytesOf(sorted.ask) > mostHeldBytes ? sorted.ask.splice(0) : [];
  denied.push(...refusalsOf(tooLarge, "a person must agree, and it is too large to wait for one"));
  const waiting = sorted.ask.length > 0 ? await workspace.plan(sorted.ask) : undefined;
  return {
    change,
    held: waiting
      ? {
          id: held.hold({ operations: sorted.ask, description: by.description }),
          files: waiting.files,
          reasons: [...reasons],
        }
      : null,
    refused: [...wanted.refused, ...refused, ...denied],
  };
}

function refusalsOf(operations: readonly FileOperation[], reason: string): Refusal[] {
  return operations.map((operation) => ({ path: pathOf(operation), reason }));
}

interface Verdict {
  path: string;
  word: "allow" | "ask" | "deny";
  reason: string;
}

const is = (word: Verdict["word"]) => (verdict: Verdict) => verdict.word === word;

async function judgeFiles(plan: Plan, { workspace, judge, by, startedAt }: ApplyParts): Promise<Verdict[]> {
  return Promise.all(
    plan.files.map(async ({ path, change, before }): Promise<Verdict> => {
      const effect: Effect =
        change === "delete"
          ? { kind: "delete", path }
          : { kind: "write", path, replaces: before !== "absent" };
      const word = judge(by.tool, effect);
      if (word !== "allow")
        return { path, word, reason: `${path} can run code by itself or is guarded by a rule` };
      if (before.startsWith("file:") && new Date((await workspace.stat(path)).modified) > startedAt) {
        return { path, word: "ask", reason: `${path} was changed by somebody else during the run` };
      }
      return { path, word, reason: "" };
    }),
  );
}

/** One change in the journal, so that one undo takes back the run. What cannot be done without the rest waits with it. */
async function applyTogether(
  sorted: { allow: FileOperation[]; ask: FileOperation[] },
  plan: Plan,
  { workspace, by }: ApplyParts,
  reasons: Set<string>,
): Promise<Change | null> {
  if (sorted.allow.length === 0) return null;
  try {
    return await workspace.apply(sorted.allow, { ...by, expect: plan.seen });
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "ABORTED") throw error;
    sorted.ask.unshift(...sorted.allow);
    reasons.add(error.message);
    return null;
  }
}
