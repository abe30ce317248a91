import type { Answer, Ask } from "../approval/approval.ts";

export type AskForApproval = (asks: readonly Ask[]) => Promise<readonly Answer[]>;

/**
 * The approval requests of one step: they are shown to the person together, once no call of the step is still being
 * prepared.
 */
export interface ApprovalBatch {
  member(): BatchMember;
}

/** One call's membership in the batch. While it is a member, the requests of the others wait for it. */
export interface BatchMember {
  /** It is being prepared and may ask. */
  join(): void;
  /** It does not ask now: it needs no approval, waits for another call, or has ended. */
  leave(): void;
  ask(ask: Ask): Promise<Answer>;
}

interface OpenAsk {
  ask: Ask;
  position: number;
  answered: PromiseWithResolvers<Answer>;
}

export function approvalBatch(put: AskForApproval): ApprovalBatch {
  let gathered: OpenAsk[] = [];
  let members = 0;
  const joined = new Set<number>();

  function putWhenComplete(): void {
    if (joined.size > 0 || gathered.length === 0) return;
    const batch = gathered.sort((one, other) => one.position - other.position);
    gathered = [];
    put(batch.map(({ ask }) => ask)).then(
      (answers) => {
        for (const [index, { answered }] of batch.entries())
          answered.resolve(answers[index] ?? { approved: false });
      },
      (error: unknown) => {
        for (const { answered } of batch) answered.reject(error);
      },
    );
  }

  return {
    member: () => {
      const position = members++;
      joined.add(position);
      return {
        join: () => {
          joined.add(position);
        },
        leave: () => {
          if (joined.delete(position)) putWhenComplete();
        },
        ask: (ask) => {
          const answered = Promise.withResolvers<Answer>();
          gathered.push({ ask, position, answered });
          joined.delete(position);
          putWhenComplete();
          return answered.promise;
        },
      };
    },
  };
}
