import { renameSync } from "node:fs";
import { captureAt, captureShallow } from "./capture.ts";
import type { Directory } from "./directory.ts";
import type { Jail } from "./jail.ts";
import { fingerprintOf, type Node, sameTree } from "./node.ts";
import { osFailure } from "./os-failure.ts";
import { freshName, type Intent, oldName } from "./perform.ts";
import { removeTree } from "./remove-tree.ts";
import { isMove, type MoveStep, type SetStep, whereNow } from "./step.ts";
import { createYielder } from "./yielder.ts";

/**
 * Rolls back the part of the steps that was performed; running it twice has no further effect. Files that others
 * created in the same place since are kept, and the old content is then saved beside them as `<name>.before-<id>`.
 */
export async function rollBack(jail: Jail, intent: Intent): Promise<void> {
  for (const [index, step] of [...intent.steps.entries()].reverse()) {
    const [fresh, old] = [freshName(intent, index), oldName(intent, index)];
    try {
      await (isMove(step)
        ? moveBack(jail, step, old, intent.id)
        : setBack(jail, step, fresh, old, intent.id));
    } catch (error) {
      throw osFailure(error, isMove(step) ? step.to : step.path);
    }
  }
}

/** Removes what the steps kept aside, once they are all done and recorded. */
export async function cleanUp(jail: Jail, intent: Intent): Promise<void> {
  const areMoves = intent.steps.some(isMove);
  const yieldNow = createYielder();
  using places = jail.cursor();
  for (const [index, step] of intent.steps.entries()) {
    const later = areMoves ? intent.steps.slice(index + 1) : [];
    await yieldNow();
    using place = places.findExact(whereNow(isMove(step) ? step.to : step.path, later));
    if (!place) continue;
    const isNew = !isMove(step) && step.before === null;
    removeTree(place.directory, isNew ? freshName(intent, index) : oldName(intent, index));
  }
}

async function setBack(jail: Jail, step: SetStep, fresh: string, old: string, id: string): Promise<void> {
  using place = jail.findExact(step.path);
  if (!place) return;
  const { directory, name } = place;
  const present = await captureAt(directory, name, step.path);
  const ours = sameTree(present, step.after) && isOurs(directory, fresh, name, step);
  if (!directory.stats(old)) {
    if (step.before === null && ours) removeTree(directory, name);
    removeTree(directory, fresh);
    return;
  }
  removeTree(directory, fresh);
  if (present && !ours && !sameTree(present, step.before)) return setAside(directory, old, name, id);
  // A directory cannot be renamed over an existing name, so that one is moved away first.
  if (present && isTree(step)) renameSync(directory.at(name), directory.at(fresh));
  renameSync(directory.at(old), directory.at(name));
  removeTree(directory, fresh);
  // Two names of one file: renaming one over the other does nothing.
  removeTree(directory, old);
}

async function moveBack(jail: Jail, step: MoveStep, old: string, id: string): Promise<void> {
  using source = jail.findExact(step.from);
  using target = jail.findExact(step.to);
  if (!source || !target) return;
  const arrived = await captureShallow(target.directory, target.name, step.to);
  if (!source.directory.stats(source.name) && isSame(arrived, step.moved)) {
    renameSync(target.directory.at(target.name), source.directory.at(source.name));
  }
  if (!target.directory.stats(old)) return;
  const present = await captureAt(target.directory, target.name, step.to);
  if (present === null) renameSync(target.directory.at(old), target.directory.at(target.name));
  else if (sameTree(present, step.replaced)) removeTree(target.directory, old);
  else setAside(target.directory, old, target.name, id);
}

/**
 * A new file is Wield's if it is still linked to its temporary name; where it never was, equal content has to
 * suffice.
 */
function isOurs(directory: Directory, fresh: string, name: string, step: SetStep): boolean {
  const mark = directory.stats(fresh);
  if (!mark || step.before !== null) return true;
  return mark.ino === directory.stats(name)?.ino;
}

function isTree(step: SetStep): boolean {
  return step.before?.type === "directory" || step.after?.type === "directory";
}

function isSame(a: Node | null, b: Node | null): boolean {
  return fingerprintOf(a) === fingerprintOf(b);
}

function setAside(directory: Directory, old: string, name: string, id: string): void {
  renameSync(directory.at(old), directory.at(`${name}.before-${id}`));
}
