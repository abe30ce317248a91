import type { Answer, Ask } from "../approval/approval.ts";

export type PutBefore = (asks: Ask[]) => Promise<readonly Answer[]>;

/** One call's place in the round: it either passes or asks. */
export interface Seat {
  /** No ask from this call, or no longer; harmless when it asked already. */
  pass(): void;
  /** The first ask joins those of the other calls; a later one is put before the person by itself. */
  ask(ask: Ask): Promise<Answer>;
}

/** Gathers the asks of one step: they are put before the person together, once every call of the step is prepared. */
export function askRound(calls: number, putBefore: PutBefore): () => Seat {
  const asks: { ask: Ask; settle: PromiseWithResolvers<Answer> }[] = [];
  let unprepared = calls;

  const prepared = () => {
    unprepared--;
    if (unprepared > 0 || asks.length === 0) return;
    putBefore(asks.map(({ ask }) => ask)).then(
      (answers) => {
        for (const [index, { settle }] of asks.entries())
          settle.resolve(answers[index] ?? { approved: false });
      },
      (error: unknown) => {
        for (const { settle } of asks) settle.reject(error);
      },
    );
  };

  return () => {
    let taken = false;
    return {
      pass: () => {
        if (!taken) prepared();
        taken = true;
      },
      ask: async (ask) => {
        if (taken) return (await putBefore([ask]))[0] ?? { approved: false };
        taken = true;
        const settle = Promise.withResolvers<Answer>();
        asks.push({ ask, settle });
        prepared();
        return settle.promise;
      },
    };
  };
}
