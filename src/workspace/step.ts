import { type FileNode, type Node, nodesOf, sameTree } from "./node.ts";
import { isWithin } from "./path.ts";

/** One reversible move of the workspace from one state to another. Paths are free of symlinks. */
export type Step = SetStep | MoveStep;

/** What is at `path` becomes something else; null is nothing. Directories are whole trees. */
export interface SetStep {
  path: string;
  before: Node | null;
  after: Node | null;
}

/** A rename. Of a directory only its own state counts, not what is in it. */
export interface MoveStep {
  from: string;
  to: string;
  moved: Node;
  replaced: Node | null;
}

export function isMove(step: Step): step is MoveStep {
  return "from" in step;
}

/** The steps that lead back. */
export function reversed(steps: readonly Step[]): Step[] {
  return steps.toReversed().flatMap((step): Step[] => {
    if (!isMove(step)) return [{ path: step.path, before: step.after, after: step.before }];
    const back: Step = { from: step.to, to: step.from, moved: step.moved, replaced: null };
    return step.replaced ? [back, { path: step.to, before: null, after: step.replaced }] : [back];
  });
}

/** Appends a step, or joins it to an earlier one at the same path when nothing between them depends on it. */
export function addStep(steps: Step[], step: Step): void {
  if (!isMove(step)) {
    for (let i = steps.length - 1; i >= 0; i--) {
      const earlier = steps[i];
      if (!earlier || isMove(earlier)) break;
      if (earlier.path === step.path) {
        steps[i] = { ...earlier, after: step.after };
        if (sameTree(earlier.before, step.after)) steps.splice(i, 1);
        return;
      }
      if (isWithin(earlier.path, step.path) || isWithin(step.path, earlier.path)) break;
    }
    if (sameTree(step.before, step.after)) return;
  }
  steps.push(step);
}

/** Contents that the steps take away: what must be kept to take them back. Each once. */
export function filesLost(steps: readonly Step[]): FileNode[] {
  return filesIn(steps.map(lostBy));
}

/** Contents that the steps put into place. Each once. */
export function filesArriving(steps: readonly Step[]): FileNode[] {
  return filesIn(steps.map((step) => (isMove(step) ? null : step.after)));
}

/** Whether everything the steps take away can be made again. */
export function canReturn(steps: readonly Step[]): boolean {
  return steps.every((step) => [...nodesOf(".", lostBy(step))].every(([, node]) => node.type !== "other"));
}

export function totalSize(files: readonly FileNode[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function lostBy(step: Step): Node | null {
  return isMove(step) ? step.replaced : step.before;
}

function filesIn(nodes: readonly (Node | null)[]): FileNode[] {
  const files = new Map<string, FileNode>();
  for (const node of nodes) {
    for (const [, found] of nodesOf(".", node)) if (found.type === "file") files.set(found.hash, found);
  }
  return [...files.values()];
}
