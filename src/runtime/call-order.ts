import { Failure } from "../failure/failure.ts";
import {
  type Footprint,
  invalidates,
  isChange,
  isStoppedBy,
  mustFollow,
  noFootprint,
  unknownFootprint,
} from "./footprint.ts";

/**
 * The order of calls that were written one after the other, such as those of one reply. Calls that only read run in
 * parallel; a call waits for earlier changes to what it touches, changes are made in the order in which they were
 * written, and a failed change stops the calls that depend on it, except those that only read other paths.
 */
export interface CallOrder {
  /** Adds a call after all earlier ones. */
  next(tool: string): PlaceInOrder;
}

export interface PlaceInOrder {
  /**
   * Returns when no earlier call that this one depends on is unfinished; true when it had to wait, so that what was
   * prepared before may be out of date. `ABORTED` when it depends on a change that failed.
   */
  beforePreparing(footprint: Footprint, onWait: () => void): Promise<boolean>;
  /** Returns when what was prepared may be done. */
  beforeExecuting(): Promise<void>;
  /** The call has ended; `footprint` is given if it ended before its footprint was known. */
  finish(succeeded: boolean, footprint: Footprint): void;
}

interface Place {
  tool: string;
  footprint: Footprint | undefined;
  /** It waits for an earlier call, which may change what it touches. */
  waits: boolean;
  failed: boolean;
  told: PromiseWithResolvers<void>;
  finished: PromiseWithResolvers<void>;
  isFinished: boolean;
}

/**
 * `reply`: every call counts. `connection`: calls that may touch anything, such as runs, do not delay later ones. A
 * client may have several workers on one connection, and a long run of one must not block the others.
 */
export type OrderOf = "reply" | "connection";

export function createCallOrder(of: OrderOf = "reply"): CallOrder {
  /** Those that are not over yet, in order. */
  const places = new Set<Place>();

  function footprintOf({ footprint, waits }: Place): Footprint {
    if (!footprint) return unknownFootprint(undefined);
    if (of === "connection" && footprint.reads === "everything") return noFootprint;
    if (!waits) return footprint;
    return { reads: "everything", changes: isChange(footprint) ? "everything" : "nothing" };
  }

  return {
    next: (tool) => {
      const place: Place = {
        ...{ tool, footprint: undefined, waits: false, failed: false, isFinished: false },
        told: Promise.withResolvers(),
        finished: Promise.withResolvers(),
      };
      const earlier = [...places];
      places.add(place);

      return {
        beforePreparing: async (footprint, onWait) => {
          place.footprint = footprint;
          place.told.resolve();
          await Promise.all(earlier.map(({ told }) => told.promise));
          const open = earlier.filter(
            (other) => !other.isFinished && mustFollow(footprint, footprintOf(other)),
          );
          place.waits = open.length > 0;
          if (place.waits) onWait();
          await Promise.all(open.map(({ finished }) => finished.promise));
          const failed = earlier.find((other) => other.failed && isStoppedBy(footprint, footprintOf(other)));
          if (failed) throw notRun(failed.tool);
          return open.length > 0;
        },
        beforeExecuting: async () => {
          const { footprint } = place;
          if (!footprint || !isChange(footprint)) return;
          const open = earlier.filter((other) => {
            const known = footprintOf(other);
            return !other.isFinished && (isChange(known) || invalidates(footprint, known));
          });
          await Promise.all(open.map(({ finished }) => finished.promise));
        },
        finish: (succeeded, footprint) => {
          if (place.isFinished) return;
          place.footprint ??= footprint;
          place.waits = false;
          place.failed = !succeeded && isChange(place.footprint);
          place.isFinished = true;
          places.delete(place);
          place.told.resolve();
          place.finished.resolve();
        },
      };
    },
  };
}

function notRun(tool: string): Failure {
  return new Failure(
    "ABORTED",
    `This was not run: it was to follow ${tool}, which failed or was denied. If you still want it, call it again.`,
  );
}
