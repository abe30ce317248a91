import type { Ask, Asker } from "../approval/approval.ts";
import { Failure } from "../failure/failure.ts";
import { untilAborted } from "./abort.ts";
import { answeredElsewhere, untilEndedElsewhere } from "./answered-elsewhere.ts";
import type { AskForApproval } from "./approval-batch.ts";
import type { Call, RuntimeParts } from "./stages.ts";

/** Asks the person who answers for the caller. Open requests are kept in the store, so a restart finds them. */
export function askForApproval(
  { store, workspace }: RuntimeParts,
  { signal, asker: find, onWait, session }: Pick<Call, "signal" | "asker" | "onWait" | "session">,
): AskForApproval {
  const save = async ({ id, tool, args, reason, preview }: Ask) =>
    store.savePending({
      ...{ id, tool, args, reason },
      workspace: workspace.root,
      seen: Object.fromEntries(preview?.seen ?? []),
      at: new Date().toISOString(),
      session,
    });

  /** Whether each ask was still open, and nobody else answered it. */
  async function close(asks: readonly Ask[]): Promise<boolean[]> {
    const taken = await Promise.allSettled(asks.map(async ({ id }) => store.takePending(id)));
    const failed = taken.find((one) => one.status === "rejected");
    if (failed)
      throw new Failure(
        "UNAVAILABLE",
        `Nothing was run, because Wield could not store the answer: ${(failed.reason as Error).message}. Ask the person to check the disk with Wield's state, then call again.`,
      );
    return taken.map((one) => one.status === "fulfilled" && one.value !== undefined);
  }

  /** Stops asking once every request was answered in another process and every call has ended there. */
  async function ask(asker: Asker, asks: readonly Ask[]): ReturnType<Asker> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const ids = asks.map(({ id }) => id);
    const elsewhere = untilEndedElsewhere(store, ids, either).then(() => asks.map(() => answeredElsewhere));
    const answers = asker(asks, either);
    // The slower one is not awaited.
    answers.catch(() => undefined);
    elsewhere.catch(() => undefined);
    return Promise.race([answers, untilAborted(elsewhere, signal)]).finally(() => over.abort());
  }

  return async (asks) => {
    if (signal.aborted) throw new Failure("ABORTED", "The call was stopped before anybody was asked.");
    const asker = find();
    if (!asker) return asks.map(() => ({ approved: false, reason: "nobody is here to answer" }));
    try {
      for (const ask of asks) await save(ask);
    } catch (error) {
      await close(asks).catch(() => undefined);
      throw new Failure(
        "UNAVAILABLE",
        `Nobody was asked and nothing was run, because Wield could not store the question: ${(error as Error).message}. Ask the person to check the disk with Wield's state, then call again.`,
      );
    }
    onWait(true);
    const answers = await untilAborted(ask(asker, asks), signal)
      .then(
        async (given) => ({ given, open: await close(asks) }),
        async (error: unknown) => {
          await close(asks).catch(() => undefined);
          throw error;
        },
      )
      .finally(() => onWait(false));
    return answers.given.map((answer, at) => (answers.open[at] ? answer : answeredElsewhere));
  };
}
