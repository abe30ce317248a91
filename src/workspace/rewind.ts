import { Failure } from "../failure/failure.ts";
import type { Entry, Journal, ReversalStep } from "./journal.ts";
import { isWithin } from "./path.ts";
import type { RewindPoint } from "./workspace.ts";

/**
 * What to undo and redo, in order, to return files to their state at a position in the journal. Changes that were
 * made and undone since cancel out: they need no contents and cannot conflict.
 */
export function stepsToRewind(
  journal: Journal,
  point: RewindPoint,
): { reversals: ReversalStep[]; left: Entry[] } {
  const needed: ReversalStep[] = [];
  for (const reversal of journal.stepsBackTo(point)) {
    const opposite = oppositeOf(reversal, needed);
    if (opposite === -1) needed.push(reversal);
    else needed.splice(opposite, 1);
  }
  const [left, reversals] = [needed.filter(isLost), needed.filter((reversal) => !isLost(reversal))];
  const kept = reversals.find(({ entry }) => !entry.undoable);
  if (kept) throw cannotRewind(kept.entry);
  return { reversals, left: left.map(({ entry }) => entry) };
}

/** The place of the reversal that this one reverses, if nothing after it touches the same paths. */
function oppositeOf({ entry, direction }: ReversalStep, before: readonly ReversalStep[]): number {
  const paths = pathsOf(entry);
  for (let at = before.length - 1; at >= 0; at--) {
    const other = before[at] as ReversalStep;
    if (other.entry.id === entry.id) return other.direction === direction ? -1 : at;
    if (pathsOf(other.entry).some((path) => paths.some((own) => isRelated(path, own)))) return -1;
  }
  return -1;
}

function pathsOf({ files }: Entry): string[] {
  return files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}

function isRelated(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

/** Build output is the first to lose its old contents, and can be built again. */
function isLost({ entry }: ReversalStep): boolean {
  return entry.ignored && !entry.undoable;
}

function cannotRewind(entry: Entry): Failure {
  const message = `The files cannot be rewound: change ${entry.id} (${entry.description}) cannot be undone, because what it replaced was too much to keep or was dropped to stay within the journal's quota. Rewind the conversation alone, or to a later message.`;
  return new Failure("LIMIT_EXCEEDED", [message, ...entry.notices].join(" "));
}
