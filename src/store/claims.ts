import { Failure } from "../failure/failure.ts";

/** Whoever gets this must stop: another one continues the session. */
export class LostClaim extends Failure {
  constructor(session: string) {
    super("CONFLICT", `Another worker continues the session ${session}; nothing was written.`);
  }
}

export function lostClaim(session: string): Failure {
  return new LostClaim(session);
}
