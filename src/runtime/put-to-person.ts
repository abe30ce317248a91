import type { Answer, Ask } from "../approval/approval.ts";
import { Failure } from "../failure/failure.ts";
import { untilAborted } from "./abort.ts";
import type { PutToPerson } from "./approval-batch.ts";
import type { Call, RuntimeParts } from "./stages.ts";

/** What a call gets whose question another process answered: what is asked once runs once. */
export const answeredElsewhere: Answer = { approved: false, reason: "this was answered elsewhere already" };

/** Puts asks to whoever answers for the caller. Open asks are kept in the store, so that a restart finds them. */
export function putToPerson(
  { store, workspace }: RuntimeParts,
  { signal, asker: find, onWait }: Pick<Call, "signal" | "asker" | "onWait">,
): PutToPerson {
  const save = async ({ id, tool, args, reason, preview }: Ask) =>
    store.savePending({
      ...{ id, tool, args, reason },
      workspace: workspace.root,
      seen: Object.fromEntries(preview?.seen ?? []),
      at: new Date().toISOString(),
    });

  /** Whether each ask was still open; an ask that cannot be looked up counts as answered by somebody else. */
  async function close(asks: readonly Ask[]): Promise<boolean[]> {
    const taken = await Promise.allSettled(asks.map(async ({ id }) => store.takePending(id)));
    return taken.map((one) => one.status === "fulfilled" && one.value !== undefined);
  }

  return async (asks) => {
    if (signal.aborted) throw new Failure("ABORTED", "The call was stopped before anybody was asked.");
    const asker = find();
    if (!asker) return asks.map(() => ({ approved: false, reason: "nobody is here to answer" }));
    try {
      for (const ask of asks) await save(ask);
    } catch (error) {
      await close(asks);
      throw new Failure(
        "UNAVAILABLE",
        `Nobody was asked and nothing was run, because Wield could not store the question: ${(error as Error).message}. Ask the person to check the disk with Wield's state, then call again.`,
      );
    }
    onWait(true);
    const answers = await untilAborted(asker(asks, signal), signal)
      .then(
        async (given) => ({ given, open: await close(asks) }),
        async (error: unknown) => {
          await close(asks);
          throw error;
        },
      )
      .finally(() => onWait(false));
    return answers.given.map((answer, at) => (answers.open[at] ? answer : answeredElsewhere));
  };
}
