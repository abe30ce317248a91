import { Failure } from "../failure/failure.ts";
import { cannotBeUndone, type Effect } from "../tool/effects.ts";
import { trackedPaths } from "../workspace/git-index.ts";
import { protectedFirst } from "../workspace/protected-first.ts";
import { isDependency, protectionOf } from "../workspace/protected-names.ts";
import { isRepositoryData } from "../workspace/repository-data.ts";
import type { Change, FileOperation, Plan, PlannedFile, Workspace } from "../workspace/workspace.ts";
import { acceptable, operationsFor, pathOf, type Refusal } from "./change-list.ts";
import { describeRepository, withoutLostObjects } from "./git-changes.ts";
import { bytesOf, type HeldChanges, mostHeldBytes } from "./held-changes.ts";
import type { Harvest } from "./sandbox.ts";

/** The policy's decision on one change of a file and the reason; the application gives its approval rules. */
export type Judge = (tool: string, effect: Effect) => { decision: "allow" | "ask" | "deny"; because: string };

export interface ApplyParts {
  workspace: Workspace;
  judge: Judge;
  held: HeldChanges;
  by: { callId: string; tool: string; description: string };
  /** When the run started: files that somebody else changed since are not overwritten without asking. */
  startedAt: Date;
  /**
   * A person is asked right after the run: then changes that need no approval wait with the rest, and the run is one
   * change.
   */
  attended: boolean;
  /** The person has approved the run with all that it changes; files that git ignores are part of that one change. */
  approved?: boolean;
}

export interface AppliedChanges {
  /** What was applied, in the journal. */
  change: Change | null;
  /** The same for files that git ignores: applied without asking, undone by id. */
  ignored: Change | null;
  held: { id: string; files: PlannedFile[]; reasons: string[] } | null;
  refused: Refusal[];
}

/** Brings the changes of a run into the workspace, as far as policy allows: applied, held for a person, or refused. */
export async function applyChanges(harvest: Harvest, parts: ApplyParts): Promise<AppliedChanges> {
  if (harvest.incomplete !== null) {
    const reason = `${harvest.incomplete}, so no change of this run was applied`;
    return { change: null, ignored: null, held: null, refused: [{ path: ".", reason }] };
  }
  const wanted = await operationsFor(harvest.entries, parts.workspace);
  const { accepted, plan, refused } = await acceptable(
    await withoutLostObjects(wanted.operations, parts.workspace),
    parts.workspace,
  );
  const sorted = sortOperations(accepted, await judgeFiles(plan, parts));
  if (!plan.undoable && !parts.approved)
    askAboutLasting(sorted, await parts.workspace.plan(sorted.free, { contents: false }));
  if (parts.attended) joinIfAsked(sorted);

  const ignored = await applyGroup(sorted.ignored, sorted, plan, parts, true);
  const change = await applyGroup(sorted.free, sorted, plan, parts, false);
  const tooLarge = bytesOf(sorted.ask) > mostHeldBytes ? sorted.ask.splice(0) : [];
  return {
    change,
    ignored,
    held: await hold(sorted, parts),
    refused: [
      ...wanted.refused,
      ...refused,
      ...refusalsOf(sorted.deny, "the policy does not allow it"),
      ...refusalsOf(tooLarge, "it needs approval, and it is too large to be held until then"),
    ],
  };
}

/** The operations of a run in a valid order, grouped by what happens to them. */
interface Sorted {
  free: FileOperation[];
  ignored: FileOperation[];
  ask: FileOperation[];
  deny: FileOperation[];
  /** Why there is something to ask. */
  reasons: Set<string>;
}

interface Verdict {
  path: string;
  type: PlannedFile["type"];
  kind: "free" | "ignored" | "ask" | "deny";
  reason: string;
}

/** Strictest first: an operation that touches several files is treated as the strictest of them. */
const kinds = ["deny", "ask", "free", "ignored"] as const;

function sortOperations(operations: readonly FileOperation[], verdicts: readonly Verdict[]): Sorted {
  const asked = protectedFirst(verdicts).filter(({ kind, path }) => kind === "ask" && protectionOf(path));
  const guarded = asked.filter(({ path }) => !isRepositoryData(path)).map(({ reason }) => reason);
  const sorted: Sorted = { free: [], ignored: [], ask: [], deny: [], reasons: new Set(guarded) };
  const exact = Map.groupBy(verdicts, ({ path }) => path);
  for (const operation of operations) {
    const path = pathOf(operation);
    const itself = exact.get(path) ?? [];
    const isTree = operation.op === "delete" && itself.every(({ type }) => type === "directory");
    const below = isTree ? verdicts.filter((file) => file.path.startsWith(`${path}/`)) : [];
    const touched = [...itself, ...below];
    const kind = kinds.find((one) => touched.some((verdict) => verdict.kind === one));
    if (kind === undefined) continue;
    sorted[kind].push(operation);
    if (kind === "ask" && !isRepositoryData(path)) {
      for (const { kind: one, reason } of touched) if (one === "ask") sorted.reasons.add(reason);
    }
  }
  return sorted;
}

/** What could not be undone is asked about first. */
function askAboutLasting(sorted: Sorted, free: Plan): void {
  if (free.undoable || sorted.free.length === 0) return;
  sorted.ask.unshift(...sorted.free.splice(0));
  sorted.reasons.add(cannotBeUndone);
}

/** One question and one change for the whole run. */
function joinIfAsked(sorted: Sorted): void {
  if (sorted.ask.length === 0 || bytesOf(sorted.ask) + bytesOf(sorted.free) > mostHeldBytes) return;
  sorted.ask.unshift(...sorted.free.splice(0));
  sorted.ask.sort((one, other) => rank[one.op] - rank[other.op]);
}

/** As `operationsFor` orders them; the sort is stable. */
const rank: Record<FileOperation["op"], number> = { delete: 0, move: 1, mkdir: 2, write: 3, link: 4 };

async function hold(sorted: Sorted, { workspace, held, by }: ApplyParts): Promise<AppliedChanges["held"]> {
  if (sorted.ask.length === 0) return null;
  const { files, seen } = await workspace.plan(sorted.ask);
  const repository = await describeRepository(sorted.ask, workspace);
  const reasons = [...(repository === undefined ? [] : [repository]), ...sorted.reasons];
  const change = { operations: sorted.ask, description: by.description, repository };
  const id = await held.hold(change, { reasons, files, seen });
  return { id, files: protectedFirst(files.filter(({ path }) => !isRepositoryData(path))), reasons };
}

function refusalsOf(operations: readonly FileOperation[], reason: string): Refusal[] {
  return operations.map((operation) => ({ path: pathOf(operation), reason }));
}

async function judgeFiles(plan: Plan, parts: ApplyParts): Promise<Verdict[]> {
  const { workspace, judge, by, startedAt } = parts;
  const isIgnored = await gitIgnores(workspace);
  return Promise.all(
    plan.files.map(async ({ path, change, before, after, type }): Promise<Verdict> => {
      const ignored = isIgnored(type === "directory" ? `${path}/.` : path);
      const effect: Effect =
        change === "delete"
          ? { kind: "delete", path, ignored }
          : { kind: "write", path, replaces: before !== "absent", ignored };
      const { decision, because } = judge(by.tool, effect);
      if (decision === "deny" || (decision === "ask" && !parts.approved))
        return { path, type, kind: decision, reason: because };
      if (after.startsWith("link:") && isDependency(after) && !isDependency(path) && !parts.approved)
        return { path, type, kind: "ask", reason: `${path} becomes a link into installed packages` };
      if (before.startsWith("file:") && new Date((await workspace.stat(path)).modified) > startedAt) {
        return { path, type, kind: "ask", reason: `${path} was changed by somebody else during the run` };
      }
      if (ignored) return { path, type, kind: parts.approved ? "free" : "ignored", reason: "" };
      return { path, type, kind: "free", reason: "" };
    }),
  );
}

/** Whether git ignores a path, by the ignore files as they were before the run; tracked paths are never ignored. */
async function gitIgnores(workspace: Workspace): Promise<(path: string) => boolean> {
  const byRules = await workspace.ignoring(".", [".gitignore"]);
  const index = await workspace.read(".git/index", { maxBytes: maxIndexBytes }).catch(() => undefined);
  if (!index) return byRules;
  const tracked = trackedPaths(index.bytes);
  return (path) => tracked !== undefined && byRules(path) && !tracked.has(path);
}

const maxIndexBytes = 256 * 1024 * 1024;

/** One change in the journal, so one undo reverses it. Operations that depend on held ones are held with them. */
async function applyGroup(
  operations: FileOperation[],
  sorted: Sorted,
  plan: Plan,
  { workspace, by }: ApplyParts,
  ignored: boolean,
): Promise<Change | null> {
  if (operations.length === 0) return null;
  const paths = new Set(operations.map(pathOf));
  const expect = new Map([...plan.seen].filter(([path]) => paths.has(path)));
  try {
    return await workspace.apply(operations, { ...by, expect, ignored });
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "ABORTED") throw error;
    sorted.ask.unshift(...operations);
    sorted.reasons.add(error.message);
    return null;
  }
}
