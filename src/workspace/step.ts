import { type FileNode, type Node, nodesOf, sameTree } from "./node.ts";
import { isWithin, parentOf } from "./path.ts";

/** One reversible transition of the workspace from one state to another. Paths contain no symlinks. */
export type Step = SetStep | MoveStep;

/** Replaces the state at `path`; null means that nothing exists. Directories are whole trees. */
export interface SetStep {
  path: string;
  before: Node | null;
  after: Node | null;
}

/** A rename. For a directory only its own state counts, not its contents. */
export interface MoveStep {
  from: string;
  to: string;
  moved: Node;
  replaced: Node | null;
}

export function isMove(step: Step): step is MoveStep {
  return "from" in step;
}

/** The steps that reverse these steps. */
export function reversed(steps: readonly Step[]): Step[] {
  return steps.toReversed().flatMap((step): Step[] => {
    if (!isMove(step)) return [{ path: step.path, before: step.after, after: step.before }];
    const back: Step = { from: step.to, to: step.from, moved: step.moved, replaced: null };
    return step.replaced ? [back, { path: step.to, before: null, after: step.replaced }] : [back];
  });
}

/** Steps as they are added: one at the path of an earlier one joins it when nothing between them depends on it. */
export class StepList {
  readonly steps: Step[] = [];
  /** Where the last step at a path is, and the last one below it. */
  readonly #at = new Map<string, number>();
  readonly #below = new Map<string, number>();
  #lastMove = -1;

  add(step: Step): void {
    if (isMove(step)) {
      this.#lastMove = this.steps.push(step) - 1;
      return;
    }
    const index = this.#at.get(step.path) ?? -1;
    const between = [...above(step.path)].map((path) => this.#at.get(path) ?? -1);
    const earlier = this.steps[index];
    if (
      earlier &&
      !isMove(earlier) &&
      index > Math.max(this.#lastMove, this.#below.get(step.path) ?? -1, ...between)
    ) {
      this.steps[index] = { ...earlier, after: step.after };
      if (sameTree(earlier.before, step.after)) this.#remove(index);
    } else if (!sameTree(step.before, step.after)) {
      this.#note(step, this.steps.push(step) - 1);
    }
  }

  #note(step: SetStep, index: number): void {
    this.#at.set(step.path, index);
    for (const path of above(step.path)) this.#below.set(path, index);
  }

  #remove(index: number): void {
    this.steps.splice(index, 1);
    this.#at.clear();
    this.#below.clear();
    this.#lastMove = this.steps.findLastIndex(isMove);
    for (const [at, step] of this.steps.entries()) if (!isMove(step)) this.#note(step, at);
  }
}

/** The folders that a path is in, innermost first. */
function* above(path: string): Generator<string> {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
    yield path.slice(0, end);
}

/** Contents that the steps remove, which must be stored to reverse them. Each once. */
export function contentsRemoved(steps: readonly Step[]): FileNode[] {
  return filesIn(steps.map(lostBy));
}

/** Contents that the steps write. Each once. */
export function contentsAdded(steps: readonly Step[]): FileNode[] {
  return filesIn(steps.map((step) => (isMove(step) ? null : step.after)));
}

/** Whether everything the steps remove can be recreated. */
export function isReversible(steps: readonly Step[]): boolean {
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

/** The location of an earlier step's path after the later steps. */
export function whereNow(path: string, later: readonly Step[]): string {
  let [parent, name] = [parentOf(path), path.slice(path.lastIndexOf("/") + 1)];
  for (const step of later) {
    if (isMove(step) && isWithin(parent, step.from)) parent = step.to + parent.slice(step.from.length);
  }
  return parent === "." ? name : `${parent}/${name}`;
}
