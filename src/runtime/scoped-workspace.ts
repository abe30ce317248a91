import { Failure } from "../events/failure.ts";
import type { Change, Workspace } from "../workspace/workspace.ts";

export interface ScopedWorkspace {
  workspace: Workspace;
  /** What this call really changed. */
  changes: Change[];
  /** Resolves when no change is under way any more. */
  settled(): Promise<void>;
}

/**
 * The workspace as one call sees it. Once the call is over (done, aborted, timed out) nothing more can be changed through
 * it, and a change that is under way at that moment is waited for: the result says what happened, not what was hoped.
 */
export function scopeWorkspace(workspace: Workspace, signal: AbortSignal): ScopedWorkspace {
  const changes: Change[] = [];
  let landing: Promise<unknown> = Promise.resolve();
  const land = async <T extends Change | Change[]>(work: () => Promise<T>): Promise<T> => {
    if (signal.aborted)
      throw new Failure("ABORTED", "The call was over before this change began; nothing was changed.");
    const change = work();
    landing = change.catch(() => undefined);
    const done = await change;
    changes.push(...(Array.isArray(done) ? done : [done]));
    return done;
  };
  return {
    changes,
    settled: async () => {
      await landing;
    },
    workspace: {
      root: workspace.root,
      stat: (path) => workspace.stat(path),
      resolve: (path) => workspace.resolve(path),
      readEach: (options, visit) => workspace.readEach(options, visit),
      survey: (before, of) => workspace.survey(before, of),
      read: (path, options) => workspace.read(path, options),
      list: (path) => workspace.list(path),
      walk: (options) => workspace.walk(options),
      plan: (operations) => workspace.plan(operations),
      apply: (operations, by) => land(() => workspace.apply(operations, by)),
      changes: (query) => workspace.changes(query),
      change: (id) => workspace.change(id),
      planReversal: (direction, which) => workspace.planReversal(direction, which),
      reverse: (direction, which, by) => land(() => workspace.reverse(direction, which, by)),
      close: () => undefined,
    },
  };
}
