import { randomBytes } from "node:crypto";
import { Failure } from "../failure/failure.ts";
import { conflict } from "./conflict.ts";
import { Contents } from "./contents.ts";
import { Draft } from "./draft.ts";
import { expectStates } from "./expected.ts";
import type { Jail } from "./jail.ts";
import type { Entry, Journal, PreImages, ReversalStep } from "./journal.ts";
import { type NetChange, netChanges } from "./net-changes.ts";
import { fingerprintOf } from "./node.ts";
import { hasCode, osFailure } from "./os-failure.ts";
import { type Intent, perform } from "./perform.ts";
import { changedFiles, plannedFiles } from "./planned-files.ts";
import { keepPreImages, whyIrreversible } from "./pre-images.ts";
import { reversalConflict, selectEntries } from "./reversal.ts";
import { stepsToRewind } from "./rewind.ts";
import { cleanUp, rollBack } from "./roll-back.ts";
import { Mismatch, Simulation } from "./simulation.ts";
import { contentsAdded, contentsRemoved, reversed, type Step } from "./step.ts";
import type {
  Authorship,
  Change,
  ChangeQuery,
  FileOperation,
  Fingerprint,
  Plan,
  PlanOptions,
  Reversal,
  Rewind,
  RewindPoint,
  Which,
} from "./workspace.ts";

/** Steps that were simulated successfully. Disposing it closes the folders that it reads contents from. */
interface Prepared extends Disposable {
  steps: Step[];
  contents: Contents;
  net: NetChange[];
  seen: Map<string, Fingerprint>;
}

/** Changes to the workspace: planned, applied, recorded, undone. */
export class ChangeSets {
  readonly #jail: Jail;
  readonly #journal: Journal;
  readonly #capBytes: number;
  #swept = false;

  constructor(jail: Jail, journal: Journal, capBytes: number) {
    this.#jail = jail;
    this.#journal = journal;
    this.#capBytes = capBytes;
  }

  async plan(operations: readonly FileOperation[], options?: PlanOptions): Promise<Plan> {
    return mismatchAsConflict(async () => {
      using prepared = await this.#prepare(operations, false);
      return this.#planOf(prepared, options);
    });
  }

  async apply(operations: readonly FileOperation[], by: Authorship): Promise<Change> {
    return this.#exclusively(async () => {
      try {
        return await this.#apply(operations, by, false);
      } catch (error) {
        if (!hasCode(error, "EXDEV")) throw error;
        return this.#apply(operations, by, true);
      }
    });
  }

  async changes(query: ChangeQuery = {}): Promise<Change[]> {
    return this.#journal.list(query).map(asChange);
  }

  async change(id: string): Promise<Change | undefined> {
    const entry = this.#journal.lookUp(id);
    return entry && asChange(entry);
  }

  async planReversal(direction: "undo" | "redo", which: Which): Promise<Reversal> {
    return this.#planReversal(reversalStepsFor(this.#journal, direction, which));
  }

  async reverse(direction: "undo" | "redo", which: Which, by: Authorship): Promise<Change[]> {
    return this.#exclusively(async () => {
      await expectStates(this.#jail, by.expect ?? new Map());
      const reversals = reversalStepsFor(this.#journal, direction, which);
      await this.#applyReversals(reversals, by);
      return this.#changesOf(reversals);
    });
  }

  position(): number {
    return this.#journal.position();
  }

  async planRewind(point: RewindPoint): Promise<Rewind> {
    const { reversals, left } = stepsToRewind(this.#journal, point);
    return { ...(await this.#planReversal(reversals)), left: left.map(asChange) };
  }

  async rewind(point: RewindPoint, by: Authorship): Promise<Rewind> {
    return this.#exclusively(async () => {
      await expectStates(this.#jail, by.expect ?? new Map());
      const { reversals, left } = stepsToRewind(this.#journal, point);
      const { plan } = await this.#planReversal(reversals);
      if (reversals.length > 0) await this.#applyReversals(reversals, by);
      return { plan, changes: this.#changesOf(reversals), left: left.map(asChange) };
    });
  }

  async #planReversal(reversals: readonly ReversalStep[]): Promise<Reversal> {
    return namingDamaged(reversals, async () => {
      using prepared = await this.#prepareReversal(reversals);
      return { changes: this.#changesOf(reversals), plan: this.#planOf(prepared) };
    });
  }

  /** Undoes and redoes changes, all or nothing. */
  async #applyReversals(reversals: readonly ReversalStep[], by: Authorship): Promise<void> {
    using prepared = await this.#prepareReversal(reversals);
    const { steps, contents, net } = prepared;
    requireShown(net, by.shown);
    const spare = reversals.map(({ entry }) => entry);
    const records: (() => void)[] = [];
    for (const reversal of reversals) {
      const preImages = await this.#keepPreImages(stepsOf(reversal), contents, spare);
      const notice = `${reversal.direction === "undo" ? "Undone" : "Done again"} at ${new Date().toISOString()} by ${by.tool} (${by.callId}).`;
      records.push(() => this.#journal.reverse(reversal, preImages, notice, by.callId));
    }
    await namingDamaged(reversals, () =>
      this.#performAndRecord(steps, contents, () => {
        for (const record of records) record();
      }),
    );
  }

  /** As they are now, each once. */
  #changesOf(reversals: readonly ReversalStep[]): Change[] {
    return [...new Set(reversals.map(({ entry }) => entry.id))]
      .map((id) => this.#journal.find(id))
      .filter((entry) => entry !== undefined)
      .map(asChange);
  }

  /**
   * Completes or rolls back changes of processes that died. A living process holds the lock, so its changes are not
   * touched.
   */
  async recover(): Promise<void> {
    await this.#journal.lock.holdIfFree(() => this.#recoverNow());
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#journal.lock.hold(async () => {
      await this.#recoverNow();
      return mismatchAsConflict(work);
    });
  }

  async #recoverNow(): Promise<void> {
    for (const { intent, committed } of this.#journal.leftovers()) {
      if (committed) await this.#finish(intent);
      else await this.#takeBack(intent);
    }
    if (!this.#swept) this.#journal.sweep();
    this.#swept = true;
  }

  async #prepare(operations: readonly FileOperation[], copyMoves: boolean): Promise<Prepared> {
    const simulation = new Simulation(this.#jail);
    const draft = new Draft(this.#jail, simulation, copyMoves);
    return disposingOnFailure(simulation, async () => {
      for (const operation of operations) {
        try {
          await draft.add(operation);
        } catch (error) {
          throw osFailure(error, operation.op === "move" ? operation.from : operation.path);
        }
      }
      return this.#prepared(draft.steps, simulation, draft.contents);
    });
  }

  async #prepareReversal(reversals: readonly ReversalStep[]): Promise<Prepared> {
    const simulation = new Simulation(this.#jail);
    return disposingOnFailure(simulation, async () => {
      const steps: Step[] = [];
      for (const reversal of reversals) {
        for (const step of stepsOf(reversal)) {
          try {
            await simulation.take(step);
          } catch (error) {
            throw error instanceof Mismatch
              ? await reversalConflict(this.#jail, this.#journal, reversal.direction, reversal.entry, error)
              : error;
          }
          steps.push(step);
        }
      }
      return this.#prepared(steps, simulation, new Map());
    });
  }

  async #prepared(steps: Step[], simulation: Simulation, given: Map<string, Uint8Array>): Promise<Prepared> {
    const { originals, sources } = simulation.tree;
    return {
      steps,
      contents: new Contents(simulation.places, this.#journal.blobs, given, sources),
      net: await netChanges(simulation),
      seen: new Map([...originals].map(([path, node]) => [path, fingerprintOf(node)])),
      [Symbol.dispose]: () => simulation[Symbol.dispose](),
    };
  }

  /** Prepares what finds every path as it is expected; the states that it has just read are not read a second time. */
  async #prepareExpected(
    operations: readonly FileOperation[],
    expected: ReadonlyMap<string, Fingerprint>,
    copyMoves: boolean,
  ): Promise<Prepared> {
    let prepared: Prepared;
    try {
      prepared = await this.#prepare(operations, copyMoves);
    } catch (error) {
      // What has changed since is the better reason.
      await expectStates(this.#jail, expected);
      throw error;
    }
    const { seen } = prepared;
    return disposingOnFailure(prepared, async () => {
      await expectStates(
        this.#jail,
        new Map([...expected].filter(([path, state]) => seen.get(path) !== state)),
      );
      return prepared;
    });
  }

  async #apply(operations: readonly FileOperation[], by: Authorship, copyMoves: boolean): Promise<Change> {
    using prepared = await this.#prepareExpected(operations, by.expect ?? new Map(), copyMoves);
    const { steps, contents, net } = prepared;
    // A folder that is deleted may hold more by now. What is new replaces nothing.
    requireShown(
      net.filter(({ before }) => before !== null),
      by.shown,
    );
    const change = {
      id: by.changeId ?? randomBytes(4).toString("hex"),
      callId: by.callId,
      tool: by.tool,
      description: by.description,
      at: new Date().toISOString(),
      state: "done" as const,
      ignored: by.ignored ?? false,
      files: await changedFiles(net, contents),
    };
    // Not recorded: undoing it would undo nothing.
    if (steps.length === 0)
      return {
        ...change,
        undoable: false,
        notices: ["Nothing changed: the files already had this content."],
      };
    const preImages = await this.#keepPreImages(steps, contents, []);
    const made = { ...change, undoable: preImages.complete, notices: preImages.notices };
    await this.#performAndRecord(steps, contents, () => this.#journal.add(made, steps, preImages.files));
    return made;
  }

  /** Performs the steps, all or none, and records them with the last one. */
  async #performAndRecord(steps: Step[], contents: Contents, record: () => void): Promise<void> {
    for (const file of contentsAdded(steps)) if (!contents.isGiven(file)) contents.keep(file);
    await this.#journal.blobs.sync();
    const intent = this.#journal.begin(steps);
    try {
      await perform(this.#jail, intent, contents, this.#journal.durable);
      this.#journal.commit(intent, record);
    } catch (error) {
      await this.#takeBack(intent);
      throw error;
    }
    await this.#finish(intent);
  }

  async #takeBack(intent: Intent): Promise<void> {
    await rollBack(this.#jail, intent);
    this.#journal.forget(intent);
  }

  /** The change is committed; a clean-up that fails is tried again at the next use. */
  async #finish(intent: Intent): Promise<void> {
    try {
      await cleanUp(this.#jail, intent);
      this.#journal.forget(intent);
    } catch {
      // The intent stays in the journal.
    }
  }

  #keepPreImages(steps: readonly Step[], contents: Contents, spare: readonly Entry[]): Promise<PreImages> {
    return keepPreImages(this.#journal, contents, steps, this.#capBytes, spare);
  }

  #planOf({ steps, contents, net, seen }: Prepared, options?: PlanOptions): Plan {
    return {
      files: plannedFiles(net, contents, options),
      seen,
      undoable:
        whyIrreversible(steps, this.#capBytes) === undefined &&
        this.#journal.hasSpaceFor(contentsRemoved(steps)),
    };
  }
}

/** What is opened for a result closes with the result; where there is none, at once. */
async function disposingOnFailure<T>(opened: Disposable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    opened[Symbol.dispose]();
    throw error;
  }
}

/** A yes was given for the paths that were shown: which change is the newest may be another one by now. */
function requireShown(net: readonly NetChange[], shown: Authorship["shown"]): void {
  if (!shown) return;
  const other = net.flatMap(({ path, from = path }) => [path, from]).find((path) => !shown.has(path));
  if (other === undefined) return;
  const message = `Nothing was changed, because \`${other}\` was changed since the preview. Preview it again.`;
  throw new Failure("CONFLICT", message, { stale: [other] });
}

/** Says which file of the workspace a damaged content in the journal belongs to. */
async function namingDamaged<T>(reversals: readonly ReversalStep[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const hash = error instanceof Failure ? error.details?.["hash"] : undefined;
    if (!(error instanceof Failure) || hash === undefined) throw error;
    const file = reversals
      .flatMap(({ entry }) => entry.files)
      .find(({ before, after }) => [before, after].some((state) => state.endsWith(`:${hash}`)));
    const name = file ? `\`${file.path}\` cannot be restored. ` : "";
    throw new Failure(error.code, `${name}${error.message}`, { ...error.details, path: file?.path });
  }
}

/** A file that somebody else changed while we worked is a conflict. */
async function mismatchAsConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw conflict(error.path, fingerprintOf(error.expected), fingerprintOf(error.actual));
  }
}

function stepsOf({ entry, direction }: ReversalStep): Step[] {
  return direction === "undo" ? reversed(entry.steps) : entry.steps;
}

function reversalStepsFor(journal: Journal, direction: "undo" | "redo", which: Which): ReversalStep[] {
  return selectEntries(journal, direction, which).map((entry) => ({ entry, direction }));
}

function asChange({ seq, turned, steps, ...change }: Entry): Change {
  return change;
}
